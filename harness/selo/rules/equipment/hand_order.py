"""Functions made of the law's own definitions: properties of a hand, and the order of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.vocabulary import BOOL, INT, TEXTS, Function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from selo.rules.language import Expression

#: What the conditions of lines and definitions ask for.
_HAND: Final = "hand"
#: So many hands are remembered by each definition: cases with one hand come close to one another.
_MOST_HANDS: Final = 4_096
#: Where a hand stands is asked again and again: all 22,100 hands of three cards are remembered.
_MOST_STANDING: Final = 30_000


def remembered(expression: Expression) -> Callable[[Sequence[str]], Any]:
    """Return the expression as a function of a hand that works each hand out once."""
    known: dict[tuple[str, ...], Any] = {}
    of = expression.of_one(_HAND)

    def run(hand: Sequence[str]) -> Any:
        at = tuple(hand)
        found = known.get(at)
        if found is None:
            if len(known) >= _MOST_HANDS:
                known.clear()
            found = known[at] = of(list(hand))
        return found

    return run


def flat(keys: Iterable[int | Sequence[int]]) -> list[int]:
    """Return the numbers that order hands on one line, a key being one number or several."""
    numbers: list[int] = []
    for key in keys:
        numbers += [key] if isinstance(key, int) else key
    return numbers


def ordering(
    lines: Sequence[tuple[int, Expression, Sequence[Expression]]],
) -> Callable[[Sequence[str]], tuple[int, ...]]:
    """Return where a hand stands: on the first line whose condition it meets, and by its keys."""
    asked = [
        (number, condition.of_one(_HAND), [key.of_one(_HAND) for key in keys])
        for number, condition, keys in lines
    ]
    known: dict[tuple[str, ...], tuple[int, ...]] = {}

    def order(hand: Sequence[str]) -> tuple[int, ...]:
        at = tuple(hand)
        found = known.get(at)
        if found is None:
            if len(known) >= _MOST_STANDING:
                known.clear()
            cards = list(hand)
            for number, stands_on, keys in asked:
                if stands_on(cards):
                    found = known[at] = (number, *flat(key(cards) for key in keys))
                    break
            else:
                msg = f"no rank for {hand}"
                raise LookupError(msg)
        return found

    return order


def comparisons(order: Callable[[Sequence[str]], tuple[int, ...]]) -> list[Function]:
    """Return what conditions may ask of two hands once their order is known."""

    def beats(one: Sequence[str], other: Sequence[str]) -> bool:
        return order(one) < order(other)

    def ties(one: Sequence[str], other: Sequence[str]) -> bool:
        return order(one) == order(other)

    def line(hand: Sequence[str]) -> int:
        return order(hand)[0]

    return [
        Function(
            name="beats", takes=(TEXTS, TEXTS), gives=BOOL, run=beats,
            says="whether the first hand stands higher in the order",
        ),
        Function(
            name="ties", takes=(TEXTS, TEXTS), gives=BOOL, run=ties,
            says="whether two hands stand equal in the order",
        ),
        Function(
            name="line", takes=(TEXTS,), gives=INT, run=line,
            says="the line of the order on which a hand stands",
        ),
    ]  # fmt: skip


def direction(manners: Sequence[Any], ranks: Sequence[Any]) -> str:
    """Return the provision that says that hands are listed from the highest down."""
    said = [manner for manner in manners if manner.clause.manner == "order"]
    if [one.clause.means for one in said] != ["first-highest"]:
        raise ranks[0].wrong(
            "rank",
            "no rule says that the first line of the order is the highest",
            "Write {manner: order, means: first-highest} where the law says so.",
        )
    return str(said[0].held.id)
