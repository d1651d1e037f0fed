"""Functions compiled from clauses: definitions of a hand, and the order of hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.vocabulary import BOOL, INT, TEXTS, Function
from selo.rules.settlement.provenance import RECONSTRUCTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from selo.rules.equipment.tile_set import TilePair, TileSet
    from selo.rules.language import Expression
    from selo.rules.settlement.settlement_models import DerivationStep

#: The variable of lines and definitions.
_HAND: Final = "hand"
#: Per definition; cases with the same hand come close to one another.
_MAX_HANDS_CACHED: Final = 4_096
#: Enough for all 22,100 hands of three cards.
_MAX_RANKED_HANDS_CACHED: Final = 30_000


def memoise(expression: Expression) -> Callable[[Sequence[str]], Any]:
    """Return the expression as a function of a hand, with a memo."""
    memo: dict[tuple[str, ...], Any] = {}
    evaluate = expression.as_function_of(_HAND)

    def run(hand: Sequence[str]) -> Any:
        at = tuple(hand)
        value = memo.get(at)
        if value is None:
            if len(memo) >= _MAX_HANDS_CACHED:
                memo.clear()
            value = memo[at] = evaluate(list(hand))
        return value

    return run


def flatten_keys(keys: Iterable[int | Sequence[int]]) -> list[int]:
    """Return keys, each one number or several, as one list of numbers."""
    numbers: list[int] = []
    for key in keys:
        numbers += [key] if isinstance(key, int) else key
    return numbers


def build_order(
    lines: Sequence[tuple[int, Expression, Sequence[Expression]]],
) -> Callable[[Sequence[str]], tuple[int, ...]]:
    """Return the function that gives the sort key of a hand: its line, and its keys there."""
    compiled = [
        (number, condition.as_function_of(_HAND), [key.as_function_of(_HAND) for key in keys])
        for number, condition, keys in lines
    ]
    memo: dict[tuple[str, ...], tuple[int, ...]] = {}

    def order(hand: Sequence[str]) -> tuple[int, ...]:
        at = tuple(hand)
        key = memo.get(at)
        if key is None:
            if len(memo) >= _MAX_RANKED_HANDS_CACHED:
                memo.clear()
            cards = list(hand)
            for number, stands_on, keys in compiled:
                if stands_on(cards):
                    key = memo[at] = (number, *flatten_keys(part(cards) for part in keys))
                    break
            else:
                msg = f"no rank for {hand}"
                raise LookupError(msg)
        return key

    return order


def comparison_functions(order: Callable[[Sequence[str]], tuple[int, ...]]) -> list[Function]:
    """Return the functions that compare two hands by their order."""

    def beats(hand: Sequence[str], other: Sequence[str]) -> bool:
        return order(hand) < order(other)

    def ties(hand: Sequence[str], other: Sequence[str]) -> bool:
        return order(hand) == order(other)

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


def find_direction(manners: Sequence[Any], ranks: Sequence[Any]) -> str:
    """Return the provision that says that the first line of the order is the highest."""
    orders = [manner for manner in manners if manner.clause.manner == "order"]
    if [manner.clause.means for manner in orders] != ["first-highest"]:
        raise ranks[0].error_at(
            "rank",
            "no rule says that the first line of the order is the highest",
            "Write {manner: order, means: first-highest} where the law says so.",
        )
    return str(orders[0].held.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class PairRank:
    """The line on which a pair stands, and the step that puts it there."""

    line: int
    reason: DerivationStep
    #: What the pair counts, where the law says it.
    points: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PairOrder:
    """The order of pairs of tiles, which is all that the law of such a game says."""

    tiles: TileSet
    ranks: Mapping[TilePair, PairRank]
    #: Whether comparisons that depend on reconstructed lines are judged.
    judges_reconstructed: bool

    def reasons(self, pair: Sequence[str], other: Sequence[str]) -> tuple[DerivationStep, ...]:
        """Return the derivation of the comparison of two pairs."""
        ranks = (self.ranks.get(self.tiles.read_pair(each)) for each in (pair, other))
        return tuple(rank.reason for rank in ranks if rank is not None)

    def points_of(self, pair: Sequence[str]) -> int | None:
        """Return what a pair counts, or None where the law at hand does not say it."""
        rank = self.ranks.get(self.tiles.read_pair(pair))
        return None if rank is None else rank.points

    def is_judged(self, pair: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether the law in force decides the comparison of two pairs."""
        return self.judges_reconstructed or all(
            reason.role != RECONSTRUCTED for reason in self.reasons(pair, other)
        )
