"""Functions compiled from clauses: definitions of a hand, and the order of hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from selo.rules.language.vocabulary import BOOL, INT, TEXTS, Function
from selo.rules.settlement.provenance import RECONSTRUCTED

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.rules.equipment.tile_set import TilePair, TileSet
    from selo.rules.language import Expression
    from selo.rules.settlement.settlement_models import DerivationStep

#: The variable of lines and definitions.
_HAND: Final = "hand"
#: Per definition; cases with the same hand come close to one another.
_MAX_HANDS_CACHED: Final = 4_096
#: Words whose memos are kept for games that are compiled later.
_MAX_MEMOS_SHARED: Final = 64
#: Enough for all 22,100 hands of three cards.
_MAX_RANKED_HANDS_CACHED: Final = 30_000


@dataclass(kw_only=True, slots=True, eq=False)
class HandMemo:
    """What a word of the law says of hands, in all games in which it means the same."""

    #: No other memo of this process has it.
    number: int
    users: int = 0
    values: dict[tuple[str, ...], Any] = field(default_factory=dict)

    def forget(self) -> None:
        """Empty the memo if one game alone uses it."""
        if self.users == 1:
            self.values.clear()


_numbers: Iterator[int] = count()


@lru_cache(maxsize=_MAX_MEMOS_SHARED)
def _share_memo(signature: Hashable) -> HandMemo:
    del signature
    return HandMemo(number=next(_numbers))


@dataclass(kw_only=True, slots=True)
class HandWords:
    """The words of one game that say something of a hand, each with its memo.

    Mutants and readings change few words: most say the same of a hand in all of them, and share
    what is known. A word means the same where its expressions are the same, the words that it uses
    mean the same, and equipment and tables are the same.
    """

    #: Game, tables and equipment.
    ground: Hashable = None
    memos: list[HandMemo] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def memo_of(
        self, expressions: Sequence[Expression], shape: Hashable, name: str | None = None
    ) -> HandMemo:
        """Return the memo of the word `name`, or of one that no other word uses."""
        used = sorted({word for expression in expressions for word in expression.called})
        memo = _share_memo(
            (
                self.ground, shape, tuple(expression.text for expression in expressions),
                tuple((word, self._numbers.get(word)) for word in used),
            )
        )  # fmt: skip
        memo.users += 1
        if name is not None:
            self._numbers[name] = memo.number
        self.memos.append(memo)
        return memo


def memoise(expression: Expression, memo: HandMemo) -> Callable[[Sequence[str]], Any]:
    """Return the expression as a function of a hand, with a memo."""
    values = memo.values
    evaluate = expression.as_function_of(_HAND)

    def run(hand: Sequence[str]) -> Any:
        at = tuple(hand)
        value = values.get(at)
        if value is None:
            if len(values) >= _MAX_HANDS_CACHED:
                values.clear()
            value = values[at] = evaluate(list(hand))
        return value

    return run


def flatten_keys(keys: Iterable[int | Sequence[int]]) -> list[int]:
    """Return keys, each one number or several, as one list of numbers."""
    numbers: list[int] = []
    for key in keys:
        numbers += [key] if isinstance(key, int) else key
    return numbers


def build_order(
    lines: Sequence[tuple[int, Expression, Sequence[Expression]]], memo: HandMemo
) -> Callable[[Sequence[str]], tuple[int, ...]]:
    """Return the function that gives the sort key of a hand: its line, and its keys there."""
    compiled = [
        (number, condition.as_function_of(_HAND), [key.as_function_of(_HAND) for key in keys])
        for number, condition, keys in lines
    ]
    values: dict[tuple[str, ...], tuple[int, ...]] = memo.values

    def order(hand: Sequence[str]) -> tuple[int, ...]:
        at = tuple(hand)
        key = values.get(at)
        if key is None:
            if len(values) >= _MAX_RANKED_HANDS_CACHED:
                values.clear()
            cards = list(hand)
            for number, stands_on, keys in compiled:
                if stands_on(cards):
                    key = values[at] = (number, *flatten_keys(part(cards) for part in keys))
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
