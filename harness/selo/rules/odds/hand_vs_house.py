"""A hand against the hand of the house: all deals, gathered into cells that no rule tells apart.

1. Hands of each side that a bet's conditions see alike (`sight`) are one kind.
2. Deals are counted by the two kinds and by which hand stands higher: that is a cell.
3. One deal of each cell is settled by the rules; all deals of the cell end as it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.odds.companion_bets import PLACE, choices, end_of, laid, stake_of
from selo.rules.odds.figures import figure
from selo.rules.odds.hand_observables import frozen, seen, sight

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.rules.odds.figures import Figure
    from selo.rules.odds.hand_observables import Sight
    from selo.rules.odds.pack_deals import Deal, Hand
    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Game, Settlement

_HAND = "hand"
#: Lower, equal, higher.
_SIGNS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """What the equipment of a duel is called: the house, and where the hands lie."""

    house: str
    seats: str


#: The tables of each kind of equipment.
TABLES: Final = {
    "banker-and-seats": Table(house="banker", seats="seats"),
    "croupier-and-places": Table(house="croupier", seats="places"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """The deals of one bet, counted: rows are hands of the first side, columns are cells."""

    counts: NDArray[Any]
    #: One deal for each kind of first hand and each column that occurs.
    deals: dict[tuple[int, int], tuple[Hand, Hand]]
    kinds: NDArray[Any]
    total: int

    def gathered(self) -> Iterator[tuple[tuple[Hand, Hand], int]]:
        """Yield a deal for each cell, and how many deals it stands for."""
        size = int(self.kinds.max()) + 1
        sums = np.zeros((size, self.counts.shape[1]), dtype=np.int64)
        np.add.at(sums, self.kinds, self.counts)
        for at, deal in self.deals.items():
            yield deal, int(sums[at])


class Duel:
    """All deals of a game under one set of readings, and the order of their hands."""

    def __init__(self, game: Game, deal: Deal, table: Table) -> None:
        self.game, self.deal, self.table = game, deal, table
        self.stake = stake_of(game)
        self._places = self._ordered()
        self._known: dict[Hashable, Cells] = {}

    def _ordered(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return where each hand stands in the order of the law, the highest at nought."""
        order = self.game.order
        if order is None:
            nowhere = np.zeros(1, dtype=np.int64)
            return nowhere.repeat(len(self.deal.first)), nowhere.repeat(len(self.deal.second))
        first = [order(sorted(hand)) for hand in self.deal.first]
        second = [order(sorted(hand)) for hand in self.deal.second]
        places = {key: at for at, key in enumerate(sorted({*first, *second}))}
        return (
            np.array([places[key] for key in first]),
            np.array([places[key] for key in second]),
        )

    def cells(self, *bets: BetRules) -> Cells:
        """Return the deals, gathered into what the conditions of `bets` can tell apart."""
        seeing = sight(self.game, bets, _HAND, self.table.house)
        if seeing.name not in self._known:
            self._known[seeing.name] = self._count(seeing)
        return self._known[seeing.name]

    def _count(self, seeing: Sight) -> Cells:
        first, second = self.deal.first, self.deal.second
        kinds = _numbered(seen(seeing.first, hand) for hand in self._sorted(first))
        others = _numbered(
            (seen(seeing.second, hand), self._defined(seeing, hand))
            for hand in self._sorted(second)
        )
        answers = [_Answers(one, first, second) for one in seeing.both.values()]
        size = int(others.max()) + 1
        counts = np.zeros((len(first), size * _SIGNS * 2 ** len(answers)), dtype=np.int64)
        deals: dict[tuple[int, int], tuple[Hand, Hand]] = {}
        for row, weights in enumerate(self.deal.rows()):
            columns = others * _SIGNS + 1
            if seeing.compared:
                columns = columns + np.sign(self._places[1] - self._places[0][row])
            for at, answer in enumerate(answers):
                columns = columns + answer.row(row) * size * _SIGNS * 2**at
            np.add.at(counts[row], columns, weights)
            kind = int(kinds[row])
            for column in np.flatnonzero(counts[row]):
                where = (kind, int(column))
                if where not in deals:
                    met = np.flatnonzero((columns == column) & (weights > 0))[0]
                    deals[where] = (first[row], second[met])
        return Cells(counts=counts, deals=deals, kinds=kinds, total=self.deal.total)

    def _defined(self, seeing: Sight, hand: Hand) -> Hashable:
        """Return what the law defines of the hand of the house; it can define nothing else here."""
        if not seeing.defined:
            return ()
        facts = self.game.facts({self.table.house: list(hand), self.table.seats: {}})
        return tuple(frozen(facts[name]) for name in seeing.defined)

    @staticmethod
    def _sorted(hands: Sequence[Hand]) -> Iterator[Hand]:
        # As the equipment reads them: the order of dealing does not matter to these games.
        return (tuple(sorted(hand)) for hand in hands)

    def settle(self, deal: tuple[Hand, Hand], bets: list[dict[str, Any]]) -> list[Settlement]:
        """Return what the rules make of `bets` in one deal."""
        outcome = {self.table.seats: {PLACE: list(deal[0])}, self.table.house: list(deal[1])}
        return self.game.settle({}, outcome, bets)


def figures_of(duel: Duel, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`, each made at one seat."""
    game = duel.game
    for name, rules in game.bets.items():
        if name not in only:
            continue
        cells = duel.cells(rules)
        gathered = list(cells.gathered())
        for choice in choices(rules):
            bets = laid(game, name, choice=choice, stake=duel.stake)
            ends = [
                (end_of(duel.settle(deal, bets)[0], duel.stake), times) for deal, times in gathered
            ]
            yield figure(name, ends, total=cells.total, choice=choice)


class _Answers:
    """What a question to both hands answers, worked out once for each pair of things asked."""

    def __init__(
        self,
        question: tuple[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any]],
        first: Sequence[Hand],
        second: Sequence[Hand],
    ) -> None:
        self._ask, mine, theirs = question
        self._mine = [mine(sorted(hand)) for hand in first]
        self._theirs = [theirs(sorted(hand)) for hand in second]

    def row(self, at: int) -> NDArray[Any]:
        """Return the answers for one hand of the first side, as noughts and ones."""
        mine = self._mine[at]
        return np.array([bool(self._ask(mine, other)) for other in self._theirs], dtype=np.int64)


def _numbered(looks: Iterable[Hashable]) -> NDArray[Any]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(look, len(numbers)) for look in looks], dtype=np.int64)
