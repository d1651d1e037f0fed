"""Odds of a hand against the hand of the house: deals counted in cells that no rule distinguishes.

1. Hands of each side with the same observables (`hand_observables`) are one kind.
2. Deals are counted by the two kinds and by the order of the hands: that is a cell.
3. One deal of each cell is settled by the rules; all deals of the cell end in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from selo.rules.odds.bet_odds import build_figure
from selo.rules.odds.companion_bets import PLACE, choices_of, divisible_stake, end_of, place_bet
from selo.rules.odds.hand_observables import as_key, find_hand_observables, observe

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.rules.equipment.kits import HandLayout
    from selo.rules.odds.bet_odds import BetOdds
    from selo.rules.odds.hand_observables import HandObservables
    from selo.rules.odds.pack_deals import Deal, Hand
    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetRules, BetSettlement
    from selo.table_values import Bet, Outcome

_HAND = "hand"
#: Lower, equal, higher.
_SIGNS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class DealCells:
    """Counts of the deals of one bet: rows are hands of the first side, columns are cells."""

    counts: NDArray[Any]
    #: One deal for each kind of first hand and each column that occurs.
    deals: dict[tuple[int, int], tuple[Hand, Hand]]
    kinds: NDArray[Any]
    total: int

    def weighted_deals(self) -> Iterator[tuple[tuple[Hand, Hand], int]]:
        """Yield a deal for each cell, and the number of deals in the cell."""
        size = int(self.kinds.max()) + 1
        sums = np.zeros((size, self.counts.shape[1]), dtype=np.int64)
        np.add.at(sums, self.kinds, self.counts)
        for at, deal in self.deals.items():
            yield deal, int(sums[at])


class DealtDuel:
    """All deals of a game under one set of readings, with the order of their hands."""

    def __init__(self, game: Game, deal: Deal, table: HandLayout) -> None:
        self.game, self.deal, self.table = game, deal, table
        self.stake = divisible_stake(game)
        self._places = self._rank_hands()
        self._cells_memo: dict[Hashable, DealCells] = {}

    def _rank_hands(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the rank of each hand in the order of the law, the highest being 0."""
        order = self.game.order
        if order is None:
            unranked = np.zeros(1, dtype=np.int64)
            return unranked.repeat(len(self.deal.first)), unranked.repeat(len(self.deal.second))
        first = [order(sorted(hand)) for hand in self.deal.first]
        second = [order(sorted(hand)) for hand in self.deal.second]
        places = {key: at for at, key in enumerate(sorted({*first, *second}))}
        return (
            np.array([places[key] for key in first]),
            np.array([places[key] for key in second]),
        )

    def cells(self, *bets: BetRules) -> DealCells:
        """Return the deals, counted in cells that the conditions of `bets` distinguish."""
        observables = find_hand_observables(self.game, bets, _HAND, self.table.house)
        if observables.name not in self._cells_memo:
            self._cells_memo[observables.name] = self._count(observables)
        return self._cells_memo[observables.name]

    def _count(self, observables: HandObservables) -> DealCells:
        first, second = self.deal.first, self.deal.second
        kinds = _number_values(observe(observables.first, hand) for hand in self._sorted(first))
        others = _number_values(
            (observe(observables.second, hand), self._defined(observables, hand))
            for hand in self._sorted(second)
        )
        answers = [_JointQuestion(call, first, second) for call in observables.both.values()]
        size = int(others.max()) + 1
        counts = np.zeros((len(first), size * _SIGNS * 2 ** len(answers)), dtype=np.int64)
        deals: dict[tuple[int, int], tuple[Hand, Hand]] = {}
        for row, weights in enumerate(self.deal.rows()):
            columns = others * _SIGNS + 1
            if observables.compared:
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
        return DealCells(counts=counts, deals=deals, kinds=kinds, total=self.deal.total)

    def _defined(self, observables: HandObservables, hand: Hand) -> Hashable:
        """Return the definitions of the hand of the house; there are no other ones here."""
        if not observables.defined:
            return ()
        facts = self.game.facts(self._outcome(hand, {}))
        return tuple(as_key(facts[name]) for name in observables.defined)

    @staticmethod
    def _sorted(hands: Sequence[Hand]) -> Iterator[Hand]:
        # As the equipment reads them: the order of dealing does not matter.
        return (tuple(sorted(hand)) for hand in hands)

    def settle(self, deal: tuple[Hand, Hand], bets: list[Bet]) -> list[BetSettlement]:
        """Return the settlement of `bets` in one deal."""
        return self.game.settle({}, self._outcome(deal[1], {PLACE: list(deal[0])}), bets)

    def _outcome(self, house: Hand, seats: dict[str, list[str]]) -> Outcome:
        return cast("Outcome", {self.table.house: list(house), self.table.seats: seats})


def duel_odds(duel: DealtDuel, only: Collection[str]) -> Iterator[BetOdds]:
    """Yield the odds of the bets `only`, each made at one seat."""
    game = duel.game
    for name, rules in game.bets.items():
        if name not in only:
            continue
        cells = duel.cells(rules)
        gathered = list(cells.weighted_deals())
        for choice in choices_of(rules):
            bets = place_bet(game, name, choice=choice, stake=duel.stake)
            ends = [
                (end_of(duel.settle(deal, bets)[0], duel.stake), times) for deal, times in gathered
            ]
            yield build_figure(name, ends, total=cells.total, choice=choice)


class _JointQuestion:
    """A function of both hands, with its arguments evaluated once for each hand."""

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
        """Return the values for one hand of the first side, as zeros and ones."""
        mine = self._mine[at]
        return np.array([bool(self._ask(mine, other)) for other in self._theirs], dtype=np.int64)


def _number_values(values: Iterable[Hashable]) -> NDArray[Any]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(look, len(numbers)) for look in values], dtype=np.int64)
