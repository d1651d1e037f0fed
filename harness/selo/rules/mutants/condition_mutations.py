"""Small changes of an expression of the rule language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.rules.language import parse_condition
from selo.rules.language.condition_tree import (
    AND,
    IN,
    OR,
    Choice,
    Joined,
    Listing,
    Literal,
    Name,
    walk,
)
from selo.rules.mutants.cause import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.rules.language.condition_tree import Node

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
Tokens = list[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpressionChange:
    """One change of an expression: the piece that changes, and the whole expression after it."""

    operator: Operator
    expression: str
    was: str | None = None
    now: str | None = None


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
    tree = parse_condition(text)
    tokens: Tokens = [token.text for token in tree.tokens]
    listings = [node for node in walk(tree.root) if isinstance(node, Listing) and node.items]
    seen = {" ".join(tokens)}
    for operator, was, now, changed in (
        *_without_parts(tokens, tree.root),
        *_change_lists(tokens, listings),
        *_change_tokens(tokens, listings),
    ):
        expression = " ".join(changed)
        if changed and expression not in seen:
            seen.add(expression)
            yield ExpressionChange(operator=operator, expression=expression, was=was, now=now)


def read_membership(text: str | None) -> tuple[str, list[str]]:
    """Return the word and the numbers of a condition of the form ``word in [numbers]``."""
    if text is None:
        return "", []
    tree = parse_condition(text)
    match tree.root:
        case Joined(sign=sign, operands=(Name(name=word), Listing(items=items))) if sign == IN:
            if all(_number_of(item) is not None for item in items):
                return word, [tree.source(item) for item in items]
    return "", []


#: An operator, the piece before and after it, and all tokens after it.
_Change = tuple[Operator, str | None, str | None, Tokens]


def _without_parts(tokens: Tokens, node: Node, end: int = 0) -> Iterator[_Change]:
    """Yield `tokens` without each operand of each ``&&`` and ``||`` in a node.

    The last operand of a test is cut to the `end` of both values: what is left is the test alone.
    """
    children = node.children
    if isinstance(node, Joined) and node.sign in {AND, OR}:
        for at, operand in enumerate(children):
            last = max(operand.end, end) if operand is children[-1] else operand.end
            cut = _cut(at, operand.begin, last)
            piece = tokens[operand.begin : last]
            yield Operator.WITHOUT, " ".join(piece), None, [*tokens[: cut[0]], *tokens[cut[1] :]]
    for child in children:
        tested = isinstance(node, Choice) and child is node.test
        yield from _without_parts(tokens, child, children[-1].end if tested else 0)


def _cut(at: int, begin: int, end: int) -> tuple[int, int]:
    """Return what goes with the part number `at`: the sign before it, or after the first part."""
    return (begin, end + 1) if at == 0 else (begin - 1, end)


def _change_lists(tokens: Tokens, listings: Sequence[Listing]) -> Iterator[_Change]:
    """Yield lists without each of their values, and lists of numbers with one more at each end."""
    for listing in listings:
        items = listing.items
        for at, item in enumerate(items if len(items) > 1 else ()):
            cut = _cut(at, item.begin, item.end)
            left = [*tokens[: cut[0]], *tokens[cut[1] :]]
            yield Operator.WITHOUT_LISTED, " ".join(tokens[item.begin : item.end]), None, left
        numbers = [number for item in items if (number := _number_of(item)) is not None]
        if len(numbers) == len(items):
            end = items[-1].end
            for number in (min(numbers) - 1, max(numbers) + 1):
                if number >= 0:
                    longer = [*tokens[:end], ",", str(number), *tokens[end:]]
                    yield Operator.LISTED, None, str(number), longer


def _number_of(node: Node) -> int | None:
    """Return a number, or the sum of numbers."""
    match node:
        case Literal(value=bool()):
            return None
        case Literal(value=int(number)):
            return number
        case Joined(sign="+", operands=(first, second)):
            numbers = _number_of(first), _number_of(second)
            return None if numbers[0] is None or numbers[1] is None else numbers[0] + numbers[1]
    return None


def _change_tokens(tokens: Tokens, listings: Sequence[Listing]) -> Iterator[_Change]:
    listed = {at for each in listings for at in range(each.items[0].begin, each.items[-1].end)}
    for at in range(len(tokens)):
        for token in _replacements(tokens, at, listed=at in listed):
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
