"""How a condition could be otherwise by one small change, in the words of the condition itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r'"[^"]*"|\d+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*%<>!?:(),\[\]]')
_OPEN, _CLOSE = frozenset("(["), frozenset(")]")
#: Comparisons, and those that could be taken for them.
_MOVED: Final = {
    ">=": (">",), "<=": ("<",), ">": (">=",), "<": ("<=",), "==": ("!=",), "!=": ("==",),
}  # fmt: skip
_EQUAL: Final = frozenset({"=="})
#: Comparisons of numbers that could be taken for an equality.
_BOUNDS: Final = (">=", "<=")
#: Words that could be taken for one another.
_TAKEN_FOR: Final = {
    "player": ("banker",),
    "banker": ("player",),
    "dealt": ("player",),
    "values_in_play": ("dealt",),
    "ranks": ("suits",),
    "suits": ("ranks",),
    "figures": ("colours",),
    "odd": ("even",),
    "even": ("odd",),
}
#: A word, and what may be said of it: one of some numbers.
LISTED: Final = re.compile(r"(\w+) in \[([\d, +]+)\]")

Tokens = list[str]


def words_of(text: str) -> set[str]:
    """Return the names, functions and named tables that a condition speaks of."""
    return {token.strip('"') for token in _TOKEN.findall(text)}


def truths(text: str) -> Iterator[tuple[str, str]]:
    """Yield a condition that never holds, one that always does, and the opposite."""
    yield "turned round", f"!({text})"
    yield "never so", "false"
    yield "always so", "true"


def altered(text: str) -> Iterator[tuple[str, str]]:
    """Yield every small change of an expression, each with a name."""
    tokens: Tokens = _TOKEN.findall(text)
    seen = {" ".join(tokens)}
    for name, changed in _changes(tokens):
        written = " ".join(changed)
        if changed and written not in seen:
            seen.add(written)
            yield name, written


def _changes(tokens: Tokens) -> Iterator[tuple[str, Tokens]]:
    yield from _without_parts(tokens, 0, len(tokens))
    yield from _lists(tokens)
    inside = _in_lists(tokens)
    for at in range(len(tokens)):
        for other in _instead(tokens, at, listed=at in inside):
            changed = [*tokens[:at], other, *tokens[at + 1 :]]
            yield f"{_near(tokens, at)} becomes {_near(changed, at)}", changed


def _instead(tokens: Tokens, at: int, *, listed: bool) -> Iterator[str]:
    token = tokens[at]
    yield from _MOVED.get(token, ())
    yield from _TAKEN_FOR.get(token, ())
    if token in _EQUAL and tokens[at + 1].isdigit():
        yield from _BOUNDS
    if token.isdigit() and not listed:
        yield str(int(token) + 1)
        if int(token):
            yield str(int(token) - 1)


def _near(tokens: Sequence[str], at: int) -> str:
    """Return a token with what stands beside it."""
    return " ".join(tokens[max(at - 2, 0) : at + 3])


def _without_parts(tokens: Tokens, first: int, last: int) -> Iterator[tuple[str, Tokens]]:
    """Yield `tokens` without each part of each ``&&`` and ``||`` between `first` and `last`."""
    pieces = _split(tokens, first, last, "||")
    if len(pieces) == 1:
        pieces = _split(tokens, first, last, "&&")
    if len(pieces) > 1:
        for at, (begin, end) in enumerate(pieces):
            # The sign before a part goes with it; the first part has only one after it.
            cut = (begin, end + 1) if at == 0 else (begin - 1, end)
            name = f"without {' '.join(tokens[begin:end])}"
            yield name, [*tokens[: cut[0]], *tokens[cut[1] :]]
        for begin, end in pieces:
            yield from _without_parts(tokens, begin, end)
        return
    for begin, end in _brackets(tokens, first, last):
        yield from _without_parts(tokens, begin, end)


def _split(tokens: Tokens, first: int, last: int, sign: str) -> list[tuple[int, int]]:
    """Return the parts that `sign` separates, brackets left whole."""
    pieces, begin, depth = [], first, 0
    for at in range(first, last):
        depth += (tokens[at] in _OPEN) - (tokens[at] in _CLOSE)
        if not depth and tokens[at] == sign:
            pieces.append((begin, at))
            begin = at + 1
    return [*pieces, (begin, last)]


def _brackets(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield where each outermost bracket begins and ends, without its signs."""
    depth, begin = 0, first
    for at in range(first, last):
        if tokens[at] in _OPEN:
            depth += 1
            if depth == 1:
                begin = at + 1
        elif tokens[at] in _CLOSE:
            depth -= 1
            if not depth:
                yield begin, at


def _list_places(tokens: Tokens) -> list[tuple[int, int]]:
    """Return where each list of values begins and ends; lists do not nest."""
    opened = [at for at, sign in enumerate(tokens) if sign == "["]
    return [(at + 1, tokens.index("]", at)) for at in opened]


def _in_lists(tokens: Tokens) -> set[int]:
    return {at for begin, end in _list_places(tokens) for at in range(begin, end)}


def _lists(tokens: Tokens) -> Iterator[tuple[str, Tokens]]:
    """Yield lists without each of their values, and lists of numbers with one more at each end."""
    for begin, end in _list_places(tokens):
        items = _split(tokens, begin, end, ",")
        if len(items) > 1:
            for at, (first, last) in enumerate(items):
                cut = (first, last + 1) if at == 0 else (first - 1, last)
                name = f"without {' '.join(tokens[first:last])} in the list"
                yield name, [*tokens[: cut[0]], *tokens[cut[1] :]]
        if all(tokens[first].isdigit() for first, _ in items):
            numbers = [sum(map(int, tokens[first:last:2])) for first, last in items]
            for more in (min(numbers) - 1, max(numbers) + 1):
                if more >= 0:
                    name = f"{more} in the list as well"
                    yield name, [*tokens[:end], ",", str(more), *tokens[end:]]
