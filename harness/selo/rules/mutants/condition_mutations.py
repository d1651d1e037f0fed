"""Small changes of an expression of the rule language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.rules.mutants.cause import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r'"[^"]*"|\d+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+*%<>!?:(),\[\]]')
_OPEN, _CLOSE = frozenset("(["), frozenset(")]")
#: Comparisons, and those that are easily confused with them.
_SIMILAR_COMPARISONS: Final = {
    ">=": (">",), "<=": ("<",), ">": (">=",), "<": ("<=",), "==": ("!=",), "!=": ("==",),
}  # fmt: skip
_EQUAL: Final = frozenset({"=="})
#: Comparisons of numbers that are easily confused with an equality.
_BOUNDS: Final = (">=", "<=")
#: Words that are easily confused with one another.
_SIMILAR_WORDS: Final = {
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
#: A condition that a word is one of some numbers.
MEMBERSHIP: Final = re.compile(r"(\w+) in \[([\d, +]+)\]")

Tokens = list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpressionChange:
    """One change of an expression: the piece that changes, and the whole expression after it."""

    operator: Operator
    expression: str
    was: str | None = None
    now: str | None = None


def words_of(text: str) -> set[str]:
    """Return the names, functions and named tables that an expression uses."""
    return {token.strip('"') for token in _TOKEN.findall(text)}


def replace_condition(text: str) -> Iterator[ExpressionChange]:
    """Yield the negation of a condition, one that never holds, and one that always does."""
    for operator, expression in (
        (Operator.TURNED, f"!({text})"), (Operator.NEVER, "false"), (Operator.ALWAYS, "true"),
    ):  # fmt: skip
        # A condition that is already so is not changed.
        if expression != text.strip():
            yield ExpressionChange(operator=operator, expression=expression)


def mutate_expression(text: str) -> Iterator[ExpressionChange]:
    """Yield every small change of an expression."""
    tokens: Tokens = _TOKEN.findall(text)
    seen = {" ".join(tokens)}
    for operator, was, now, changed in _changes_of(tokens):
        expression = " ".join(changed)
        if changed and expression not in seen:
            seen.add(expression)
            yield ExpressionChange(operator=operator, expression=expression, was=was, now=now)


#: An operator, the piece before and after it, and all tokens after it.
_Change = tuple[Operator, str | None, str | None, Tokens]


def _changes_of(tokens: Tokens) -> Iterator[_Change]:
    yield from _without_parts(tokens, 0, len(tokens))
    yield from _change_lists(tokens)
    inside = _places_in_lists(tokens)
    for at in range(len(tokens)):
        for token in _replacements(tokens, at, listed=at in inside):
            changed = [*tokens[:at], token, *tokens[at + 1 :]]
            yield Operator.BECOMES, _excerpt(tokens, at), _excerpt(changed, at), changed


def _replacements(tokens: Tokens, at: int, *, listed: bool) -> Iterator[str]:
    token = tokens[at]
    yield from _SIMILAR_COMPARISONS.get(token, ())
    yield from _SIMILAR_WORDS.get(token, ())
    if token in _EQUAL and tokens[at + 1].isdigit():
        yield from _BOUNDS
    if token.isdigit() and not listed:
        yield str(int(token) + 1)
        if int(token):
            yield str(int(token) - 1)


def _excerpt(tokens: Sequence[str], at: int) -> str:
    """Return a token with its neighbours."""
    return " ".join(tokens[max(at - 2, 0) : at + 3])


def _without_parts(tokens: Tokens, first: int, last: int) -> Iterator[_Change]:
    """Yield `tokens` without each part of each ``&&`` and ``||`` between `first` and `last`."""
    pieces = _split(tokens, first, last, "||")
    if len(pieces) == 1:
        pieces = _split(tokens, first, last, "&&")
    if len(pieces) > 1:
        for at, (begin, end) in enumerate(pieces):
            # The sign before a part goes with it; the first part has only one after it.
            cut = (begin, end + 1) if at == 0 else (begin - 1, end)
            left = [*tokens[: cut[0]], *tokens[cut[1] :]]
            yield Operator.WITHOUT, " ".join(tokens[begin:end]), None, left
        for begin, end in pieces:
            yield from _without_parts(tokens, begin, end)
        return
    for begin, end in _brackets(tokens, first, last):
        yield from _without_parts(tokens, begin, end)


def _split(tokens: Tokens, first: int, last: int, sign: str) -> list[tuple[int, int]]:
    """Return the parts that `sign` separates, with brackets kept whole."""
    pieces, begin, depth = [], first, 0
    for at in range(first, last):
        depth += (tokens[at] in _OPEN) - (tokens[at] in _CLOSE)
        if not depth and tokens[at] == sign:
            pieces.append((begin, at))
            begin = at + 1
    return [*pieces, (begin, last)]


def _brackets(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield where the inside of each outermost bracket begins and ends."""
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


def _places_in_lists(tokens: Tokens) -> set[int]:
    return {at for begin, end in _list_places(tokens) for at in range(begin, end)}


def _change_lists(tokens: Tokens) -> Iterator[_Change]:
    """Yield lists without each of their values, and lists of numbers with one more at each end."""
    for begin, end in _list_places(tokens):
        items = _split(tokens, begin, end, ",")
        if len(items) > 1:
            for at, (first, last) in enumerate(items):
                cut = (first, last + 1) if at == 0 else (first - 1, last)
                left = [*tokens[: cut[0]], *tokens[cut[1] :]]
                yield Operator.WITHOUT_LISTED, " ".join(tokens[first:last]), None, left
        if all(tokens[first].isdigit() for first, _ in items):
            numbers = [sum(map(int, tokens[first:last:2])) for first, last in items]
            for number in (min(numbers) - 1, max(numbers) + 1):
                if number >= 0:
                    longer = [*tokens[:end], ",", str(number), *tokens[end:]]
                    yield Operator.LISTED, None, str(number), longer
