"""Odds of a bet that may be raised or folded once the hand is seen, by strategy.

1. For every possible hand, the deals of the croupier's hand are counted.
2. Raising and folding are settled by the rules, cell by cell, at one unit each.
3. The best strategy raises where that loses less than folding; the order of hands describes where.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from selo.rules.odds.bet_odds import BetEnd, build_figure
from selo.rules.odds.companion_bets import end_of, place_bet
from selo.rules.odds.hand_vs_house import DealtDuel, duel_odds

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from selo.rules.odds.bet_odds import BetOdds
    from selo.rules.odds.hand_vs_house import DealCells
    from selo.rules.odds.pack_deals import Hand
    from selo.table_values import Bet


@dataclass(frozen=True, kw_only=True, slots=True)
class HandPlay:
    """One hand of the bettor: its deals, and the ends of both bets in them."""

    hand: Hand
    deals: int
    #: The ends of ante and raise, and the number of deals.
    raised: tuple[tuple[BetEnd, BetEnd, int], ...]
    #: The end of a folded ante, and the number of deals.
    folded: tuple[tuple[BetEnd, int], ...]

    @property
    def raise_gain(self) -> Fraction:
        """The gain of raising, summed over the deals."""
        return sum((n * (a.gain + r.gain) for a, r, n in self.raised), Fraction(0))

    @property
    def fold_gain(self) -> Fraction:
        """The gain of folding, summed over the deals."""
        return sum((n * end.gain for end, n in self.folded), Fraction(0))


class RaiseStrategy:
    """Ante and raise of a duel, under one set of readings."""

    def __init__(self, duel: DealtDuel, ante: str, more: str) -> None:
        self.duel, self.ante, self.raise_bet = duel, ante, more
        game = duel.game
        cells = duel.cells(game.bets[ante], game.bets[more])
        first = place_bet(game, ante, stake=duel.stake)
        both = [*first, *place_bet(game, more, stake=duel.stake)[:1]]
        ends = {where: self._ends(deal, first, both) for where, deal in cells.deals.items()}
        self.plays = [self._play(cells, row, ends) for row in range(len(duel.deal.first))]
        self.total = cells.total

    def _ends(
        self, deal: tuple[Hand, Hand], alone: list[Bet], both: list[Bet]
    ) -> tuple[BetEnd, BetEnd, BetEnd]:
        stake = self.duel.stake
        raised = [end_of(settlement, stake) for settlement in self.duel.settle(deal, both)]
        return end_of(self.duel.settle(deal, alone)[0], stake), raised[0], raised[-1]

    def _play(
        self, cells: DealCells, row: int, ends: dict[tuple[int, int], tuple[BetEnd, BetEnd, BetEnd]]
    ) -> HandPlay:
        kind = int(cells.kinds[row])
        met = [(column, int(n)) for column, n in enumerate(cells.counts[row]) if n]
        weighted = [(ends[kind, column], n) for column, n in met]
        return HandPlay(
            hand=self.duel.deal.first[row],
            deals=sum(n for _, n in met),
            raised=tuple((a, r, n) for (_, a, r), n in weighted),
            folded=tuple((fold, n) for (fold, _, _), n in weighted),
        )

    def figures(
        self,
        raises: Callable[[HandPlay], bool],
        *,
        manner: str,
        notes: tuple[tuple[str, str], ...] = (),
    ) -> Iterator[BetOdds]:
        """Yield the odds of ante, raise and both together under a strategy."""
        ante: list[tuple[BetEnd, int]] = []
        more: list[tuple[BetEnd, int]] = []
        both: list[tuple[BetEnd, int]] = []
        for play in self.plays:
            if raises(play):
                ante += [(a, n) for a, _, n in play.raised]
                more += [(r, n) for _, r, n in play.raised]
                both += [(_combine_ends(a, r), n) for a, r, n in play.raised]
            else:
                ante += play.folded
                both += play.folded
        raised = sum(n for _, n in more)
        share = (("raised-in", f"{Fraction(raised, self.total)}"),)
        yield build_figure(self.ante, ante, total=self.total, manner=manner, notes=notes)
        if raised:
            yield build_figure(self.raise_bet, more, total=raised, manner=manner, notes=share)
        yield build_figure(f"{self.ante} + {self.raise_bet}", both, total=self.total, manner=manner)

    def best_strategy(self) -> tuple[Callable[[HandPlay], bool], tuple[tuple[str, str], ...]]:
        """Return the strategy with the least loss, and notes on the lowest hand that it raises."""
        order = self.duel.game.order
        raising = {play.hand for play in self.plays if play.raise_gain >= play.fold_gain}
        notes: tuple[tuple[str, str], ...] = ()
        if order is not None and raising:
            lowest = max((play.hand for play in self.plays if play.hand in raising),
                         key=lambda hand: order(sorted(hand)))  # fmt: skip
            below = [
                play.hand
                for play in self.plays
                if play.hand not in raising and order(sorted(play.hand)) <= order(sorted(lowest))
            ]
            notes = (("raises-from", _format_ranks(self.duel, lowest)),)
            if below:
                highest = min(below, key=lambda hand: order(sorted(hand)))
                notes += (("but-folds", _format_ranks(self.duel, highest)),)
        return (lambda play: play.hand in raising), notes

    def beside(self, name: str, raises: Callable[[HandPlay], bool], *, manner: str) -> BetOdds:
        """Return the odds of a third bet beside the ante, under a strategy."""
        duel, game = self.duel, self.duel.game
        cells = duel.cells(*(game.bets[bet] for bet in (name, self.ante, self.raise_bet)))
        third = place_bet(game, name, stake=duel.stake)[:1]
        fold = [*third, *place_bet(game, self.ante, stake=duel.stake)]
        both = [*fold, *place_bet(game, self.raise_bet, stake=duel.stake)[:1]]
        memo: dict[tuple[tuple[int, int], bool], BetEnd] = {}
        ends: list[tuple[BetEnd, int]] = []
        for row, play in enumerate(self.plays):
            raised, kind = raises(play), int(cells.kinds[row])
            for column, many in enumerate(cells.counts[row]):
                where = (kind, column)
                if many and (where, raised) not in memo:
                    settled = duel.settle(cells.deals[where], both if raised else fold)
                    memo[where, raised] = end_of(settled[0], duel.stake)
                if many:
                    ends.append((memo[where, raised], int(many)))
        return build_figure(name, ends, total=cells.total, manner=manner)


def raise_odds(
    duel: DealtDuel, *, ante: str, more: str, only: Collection[str]
) -> Iterator[BetOdds]:
    """Yield the odds of the bets `only`: by the best strategy, never folding, and by themselves."""
    apart = [name for name in only if name not in {ante, more}]
    alone = list(duel_odds(duel, apart))
    yield from alone
    mixed = [figure for figure in alone if duel.game.bets[figure.bet].asks_others]
    if not mixed and not {ante, more} & set(only):
        return
    strategy = RaiseStrategy(duel, ante, more)
    best, notes = strategy.best_strategy()
    for manner, raises, remarks in (
        ("best-play", best, notes),
        ("never-folds", lambda _: True, ()),
    ):
        for figure in mixed:
            third = strategy.beside(figure.bet, raises, manner=f"beside-{ante}, {manner}")
            if third.ends != figure.ends:
                yield third
        if {ante, more} & set(only):
            yield from strategy.figures(raises, manner=manner, notes=remarks)


def _combine_ends(ante: BetEnd, more: BetEnd) -> BetEnd:
    gain = ante.gain + more.gain
    staked = ante.staked + more.staked
    if gain > 0:
        return BetEnd(result="win", prize=gain, staked=staked)
    if gain == 0:
        return BetEnd(result="push", staked=staked)
    return BetEnd(result="lose", staked=staked, lost=-gain)


def _format_ranks(duel: DealtDuel, hand: Hand) -> str:
    """Return the ranks of a hand, the highest first by the law's order of single cards."""
    places: dict[str, int] = {}
    for rows in duel.game.tables.orders.values():
        if all(len(row) == 1 for row in rows):
            places |= {row[0]: at for at, row in enumerate(rows) if row[0] not in places}
    ranks = sorted((card[:-1] for card in hand), key=lambda rank: places.get(rank, len(places)))
    return " ".join(ranks)
