"""A bet that may be raised or given up once the hand is seen: odds of each way to play.

1. For every hand that can be held, the deals of the croupier's hand are counted.
2. Raising and folding are settled by the rules, deal by deal or cell by cell, at one unit each.
3. Whoever plays best raises where that loses less than folding; the law's own order tells where.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from selo.rules.odds.companion_bets import end_of, laid
from selo.rules.odds.figures import End, figure
from selo.rules.odds.hand_vs_house import Duel, figures_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from selo.rules.odds.figures import Figure
    from selo.rules.odds.hand_vs_house import Cells
    from selo.rules.odds.pack_deals import Hand


@dataclass(frozen=True, kw_only=True, slots=True)
class Play:
    """One hand that a bettor may hold: all its deals, and how both bets end in them."""

    hand: Hand
    deals: int
    #: How ante and raise end, and in how many deals.
    raised: tuple[tuple[End, End, int], ...]
    #: How the ante ends when it is given up.
    folded: tuple[tuple[End, int], ...]

    @property
    def raising(self) -> Fraction:
        """What raising gains, summed over the deals."""
        return sum((n * (a.gain + r.gain) for a, r, n in self.raised), Fraction(0))

    @property
    def folding(self) -> Fraction:
        """What folding gains, summed over the deals."""
        return sum((n * end.gain for end, n in self.folded), Fraction(0))


class Poker:
    """Ante and raise of a duel, under one set of readings."""

    def __init__(self, duel: Duel, ante: str, more: str) -> None:
        self.duel, self.ante, self.more = duel, ante, more
        game = duel.game
        cells = duel.cells(game.bets[ante], game.bets[more])
        first = laid(game, ante, stake=duel.stake)
        both = [*first, *laid(game, more, stake=duel.stake)[:1]]
        ends = {where: self._ends(deal, first, both) for where, deal in cells.deals.items()}
        self.plays = [self._play(cells, row, ends) for row in range(len(duel.deal.first))]
        self.total = cells.total

    def _ends(
        self,
        deal: tuple[Hand, Hand],
        alone: list[dict[str, Any]],
        both: list[dict[str, Any]],
    ) -> tuple[End, End, End]:
        stake = self.duel.stake
        raised = [end_of(one, stake) for one in self.duel.settle(deal, both)]
        return end_of(self.duel.settle(deal, alone)[0], stake), raised[0], raised[-1]

    def _play(
        self, cells: Cells, row: int, ends: dict[tuple[int, int], tuple[End, End, End]]
    ) -> Play:
        kind = int(cells.kinds[row])
        met = [(column, int(n)) for column, n in enumerate(cells.counts[row]) if n]
        found = [(ends[kind, column], n) for column, n in met]
        return Play(
            hand=self.duel.deal.first[row],
            deals=sum(n for _, n in met),
            raised=tuple((a, r, n) for (_, a, r), n in found),
            folded=tuple((fold, n) for (fold, _, _), n in found),
        )

    def figures(
        self,
        raises: Callable[[Play], bool],
        *,
        manner: str,
        notes: tuple[tuple[str, str], ...] = (),
    ) -> Iterator[Figure]:
        """Yield the odds of ante, raise and both together for whoever raises so."""
        ante: list[tuple[End, int]] = []
        more: list[tuple[End, int]] = []
        both: list[tuple[End, int]] = []
        for play in self.plays:
            if raises(play):
                ante += [(a, n) for a, _, n in play.raised]
                more += [(r, n) for _, r, n in play.raised]
                both += [(_together(a, r), n) for a, r, n in play.raised]
            else:
                ante += play.folded
                both += play.folded
        raised = sum(n for _, n in more)
        share = (("raised-in", f"{Fraction(raised, self.total)}"),)
        yield figure(self.ante, ante, total=self.total, manner=manner, notes=notes)
        if raised:
            yield figure(self.more, more, total=raised, manner=manner, notes=share)
        yield figure(f"{self.ante} + {self.more}", both, total=self.total, manner=manner)

    def best(self) -> tuple[Callable[[Play], bool], tuple[tuple[str, str], ...]]:
        """Return the way to play that loses least, and the lowest hand with which it raises."""
        order = self.duel.game.order
        raising = {play.hand for play in self.plays if play.raising >= play.folding}
        notes: tuple[tuple[str, str], ...] = ()
        if order is not None and raising:
            lowest = max((play.hand for play in self.plays if play.hand in raising),
                         key=lambda hand: order(sorted(hand)))  # fmt: skip
            below = [
                play.hand
                for play in self.plays
                if play.hand not in raising and order(sorted(play.hand)) <= order(sorted(lowest))
            ]
            notes = (("raises-from", _told(self.duel, lowest)),)
            if below:
                highest = min(below, key=lambda hand: order(sorted(hand)))
                notes += (("but-folds", _told(self.duel, highest)),)
        return (lambda play: play.hand in raising), notes

    def beside(self, name: str, raises: Callable[[Play], bool], *, manner: str) -> Figure:
        """Return the odds of a third bet that lies beside the ante of whoever raises so."""
        duel, game = self.duel, self.duel.game
        cells = duel.cells(*(game.bets[one] for one in (name, self.ante, self.more)))
        third = laid(game, name, stake=duel.stake)[:1]
        fold = [*third, *laid(game, self.ante, stake=duel.stake)]
        both = [*fold, *laid(game, self.more, stake=duel.stake)[:1]]
        known: dict[tuple[tuple[int, int], bool], End] = {}
        ends: list[tuple[End, int]] = []
        for row, play in enumerate(self.plays):
            raised, kind = raises(play), int(cells.kinds[row])
            for column, many in enumerate(cells.counts[row]):
                where = (kind, column)
                if many and (where, raised) not in known:
                    settled = duel.settle(cells.deals[where], both if raised else fold)
                    known[where, raised] = end_of(settled[0], duel.stake)
                if many:
                    ends.append((known[where, raised], int(many)))
        return figure(name, ends, total=cells.total, manner=manner)


def poker_figures(duel: Duel, *, ante: str, more: str, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`: played best, never folded, and those that stand alone."""
    apart = [name for name in only if name not in {ante, more}]
    alone = list(figures_of(duel, apart))
    yield from alone
    mixed = [one for one in alone if duel.game.bets[one.bet].asks_others]
    if not mixed and not {ante, more} & set(only):
        return
    poker = Poker(duel, ante, more)
    best, notes = poker.best()
    for manner, raises, told in (
        ("best-play", best, notes),
        ("never-folds", lambda _: True, ()),
    ):
        for one in mixed:
            third = poker.beside(one.bet, raises, manner=f"beside-{ante}, {manner}")
            if third.ends != one.ends:
                yield third
        if {ante, more} & set(only):
            yield from poker.figures(raises, manner=manner, notes=told)


def _together(ante: End, more: End) -> End:
    gain = ante.gain + more.gain
    staked = ante.staked + more.staked
    if gain > 0:
        return End(result="win", prize=gain, staked=staked)
    if gain == 0:
        return End(result="push", staked=staked)
    return End(result="lose", staked=staked, lost=-gain)


def _told(duel: Duel, hand: Hand) -> str:
    """Return the ranks of a hand, the highest first, as the law orders single cards."""
    places: dict[str, int] = {}
    for rows in duel.game.tables.orders.values():
        if all(len(row) == 1 for row in rows):
            places |= {row[0]: at for at, row in enumerate(rows) if row[0] not in places}
    ranks = sorted((card[:-1] for card in hand), key=lambda rank: places.get(rank, len(places)))
    return " ".join(ranks)
