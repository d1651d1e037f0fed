"""Odds of hands that grow by decisions, under the best decisions: exact, nothing sampled.

1. Who plays sees the own cards and the first card of the house. A bet that needs another one is
   laid once the first cards of its hand lie; it is lawful if the settlement does not refuse it.
2. By backward induction over all hands, standing and drawing are compared, with each set of bets.
3. Where the first two cards may be divided, both hands are played in the same manner, each by its
   own cards. Unseen cards can be exchanged, so each hand gains as if it were dealt alone.
4. A bet that no card of the own hand decides, such as an insurance, is counted by itself.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.equipment.pack_and_dice import RANKS
from selo.rules.odds.bet_odds import BetOdds, OddsUnknown, build_figure
from selo.rules.odds.decisions.hand_plan import HandEnds, HandPlan
from selo.rules.odds.decisions.hand_rules import HandRules
from selo.rules.odds.decisions.hand_tree import (
    BestPlay,
    HandTree,
    add_card,
    count_groups,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.rules.equipment.played_hands import PlayedHands
    from selo.rules.odds.bet_odds import BetEnd
    from selo.rules.odds.decisions.hand_plan import Part
    from selo.rules.odds.decisions.hand_rules import Ranks
    from selo.rules.odds.decisions.hand_tree import KindOf
    from selo.rules.odds.decisions.house_hands import Held
    from selo.rules.settlement import Game

_MANNER: Final = "best-play"
#: Only two first cards are divided.
_DIVIDED: Final = 2
_FILLERS: Final = (RANKS[1], RANKS[8])


class PlayedHandOdds:
    """One game of hands that grow by decisions, and the best way to play it."""

    def __init__(self, game: Game, kit: PlayedHands, *, without: Collection[str] = ()) -> None:
        self._rules = rules = HandRules(game, kit, without=without)
        self._groups = len(rules.groups)
        self._of_rank = {rank: at for at, ranks in enumerate(rules.groups) for rank in ranks}
        opening = [b for b in rules.dividing if game.bets[b].needs[0].beside == {rules.root}]
        if len(opening) > 1 or (opening and kit.cards != _DIVIDED):
            msg = f"{game.name}: hands are not divided in one manner"
            raise OddsUnknown(msg)
        self._opening = opening[0] if opening else None
        self._reps: dict[tuple[bool, int], Ranks] = {}
        self._rows: dict[tuple[HandPlan, int, int], HandEnds | None] = {}
        self._known_ways: dict[tuple[bool, int | None], list[HandPlan]] = {}
        self._trees: dict[tuple[bool, int | None, int | None], HandTree] = {}
        self.longest = max(house.longest for house in rules.houses)
        self._play()

    def _ways(self, *, second: bool = False, other: int | None = None) -> list[HandPlan]:
        """Return the sets of bets with which a hand may be played."""
        if (second, other) not in self._known_ways:
            self._known_ways[second, other] = self._list_ways(second=second, other=other)
        return self._known_ways[second, other]

    def _list_ways(self, *, second: bool, other: int | None) -> list[HandPlan]:
        rules = self._rules
        base: tuple[str, ...] = (rules.root,)
        counted = base
        more = rules.added
        if other is not None and self._opening is not None:
            base = (rules.root, self._opening)
            counted = base[1:] if second else base[:1]
            more = [b for b in rules.dividing if b != self._opening] if second else rules.added
        ways = []
        for chosen in chain.from_iterable(combinations(more, n) for n in range(len(more) + 1)):
            names = (*base, *chosen)
            needs = [need.beside for b in chosen for need in rules.game.bets[b].needs]
            if all(beside & set(names) for beside in needs):
                ways.append(HandPlan(second, other, names, (*counted, *chosen)))
        return ways

    def _hands(self, way: HandPlan, hand: Ranks, filler: str = _FILLERS[0]) -> tuple[Ranks, ...]:
        if way.other is None:
            return (hand,)
        beside = (self._rules.rank[way.other], filler)
        return (beside, hand) if way.second else (hand, beside)

    def _tree(self, way: HandPlan, first: int | None) -> HandTree:
        """Return the hands that may come about, those of a divided place by their first card."""
        key = (way.second, way.other, first)
        if key not in self._trees:
            firsts = range(self._groups) if first is None else (first,)
            plain = self._ways(second=way.second, other=way.other)[0]
            dealt = self._rules.kit.cards
            start = [
                path
                for path in product(firsts, *[range(self._groups)] * (dealt - 1))
                if first is not None or list(path) == sorted(path)
            ]

            lawful: dict[int, bool] = {}

            def kind_of(path: tuple[int, ...]) -> int | None:
                hand = tuple(self._rules.rank[group] for group in path)
                kind = self._rules.kind_of(hand, second=way.second)
                if kind not in lawful:
                    lawful[kind] = self._rules.stands(self._hands(plain, hand), plain.names)
                    self._reps.setdefault((way.second, kind), hand)
                return kind if lawful[kind] else None

            final: dict[int, bool] = {}

            def is_last(kind: int) -> bool:
                if kind not in final:
                    final[kind] = self._is_last(way, kind, kind_of)
                return final[kind]

            self._trees[key] = HandTree(start, self._groups, kind_of, is_last)
        return self._trees[key]

    def _is_last(self, way: HandPlan, kind: int, kind_of: KindOf) -> bool:
        """Return whether a kind of hand ends alike everywhere, and no card may be drawn to it."""
        hand = tuple(self._of_rank[rank] for rank in self._reps[way.second, kind])
        if any(kind_of((*hand, group)) is not None for group in range(self._groups)):
            return False
        return all(
            self._is_sure(one, kind, first)
            for one in self._ways(second=way.second, other=way.other)
            for first in range(self._groups)
        )

    def _row(self, way: HandPlan, kind: int, first: int) -> HandEnds | None:
        """Return the ends against each kind of house; nothing if a bet may not lie so."""
        key = (way, kind, first)
        if key not in self._rows:
            ends = self._settle_row(way, self._reps[way.second, kind], first)
            self._rows[key] = None if ends is None else HandEnds(
                ends=ends,
                gains=[float(sum(end.gain for end in one)) for one in ends],
                sure=ends.count(ends[0]) == len(ends),
            )  # fmt: skip
        return self._rows[key]

    def _settle_row(self, way: HandPlan, hand: Ranks, first: int) -> list[list[BetEnd]] | None:
        rows = []
        for kind in self._rules.houses[first].kinds:
            told = [
                self._rules.settle(
                    self._rules.house_of[kind], self._hands(way, hand, filler), way.names
                )
                for filler in (_FILLERS if way.other is not None else _FILLERS[:1])
            ]
            counted = [
                [end for name, end in zip(way.names, one, strict=True) if name in way.counted]
                for one in told
            ]
            if counted[0] != counted[-1]:
                msg = f"{self._rules.game.name}: one hand of a divided place decides the other"
                raise OddsUnknown(msg)
            ends = [end for end in counted[0] if end is not None]
            if len(ends) < len(way.counted) or None in told[0]:
                return None
            rows.append(ends)
        return rows

    def _gains(self, way: HandPlan, first: int, kind: int) -> list[float] | None:
        row = self._row(way, kind, first)
        return None if row is None else row.gains

    @cached_property
    def _starts(self) -> list[tuple[Ranks, int]]:
        """The first cards of a hand, sorted, each with the number of ways in which they come."""
        copies = sum(self._rules.pack) // len(RANKS)
        starts = []
        for ranks in product(RANKS, repeat=self._rules.kit.cards):
            ways = math.prod(copies - ranks[:at].count(rank) for at, rank in enumerate(ranks))
            if ways:
                starts.append((ranks, ways))
        return starts

    def _play(self) -> None:
        rules = self._rules
        trees: list[tuple[HandTree, HandPlan, int | None]] = [
            (self._tree(way, None), way, None) for way in self._ways()
        ]
        if self._opening is not None:
            pairs = {
                (self._of_rank[a], self._of_rank[b]) for (a, b), _ in self._starts
                if self._may_divide(a, b)
            }  # fmt: skip
            for mine, other in sorted({*pairs, *((b, a) for a, b in pairs)}):
                for second in (False, True):
                    ways = self._ways(second=second, other=other)
                    trees += [(self._tree(way, mine), way, mine) for way in ways]
        most = max(int(tree.held[-1].sum()) + (way.other is not None) for tree, way, _ in trees)
        self._cards = most + self.longest
        self.total = math.perm(sum(rules.pack), self._cards + 1)
        self.ends: dict[str, dict[BetEnd, int]] = defaultdict(lambda: defaultdict(int))
        for first in range(self._groups):
            self._play_against(first, trees)

    def _may_divide(self, a: str, b: str) -> bool:
        names = (self._rules.root, self._opening or "")
        filler = _FILLERS[0]
        return self._rules.stands(((a, filler), (b, filler)), names)

    def _play_against(
        self, first: int, trees: Sequence[tuple[HandTree, HandPlan, int | None]]
    ) -> None:
        """Count everything that ends against houses with this first card."""
        rules, house = self._rules, self._rules.houses[first]
        shown = add_card(rules.pack, first, -1)
        packs = {
            other: shown if other is None else add_card(shown, other, -1)
            for other in {way.other for _, way, _ in trees}
        }
        chances = self._chances(first, packs, trees)
        plays = {
            (way, mine): BestPlay(
                tree, packs[way.other], chances[tree], partial(self._gains, way, first)
            )
            for tree, way, mine in trees
        }
        reached = self._decide(first, packs, plays)
        finished = [
            (way, *one)
            for (way, mine), starts in reached.items()
            for one in plays[way, mine].finished(starts)
        ]
        open_hands = {
            left: None
            for way, node, left, _ in finished
            if not self._is_sure(way, node.kind, first)
        }
        ways = dict(zip(open_hands, house.ways(list(open_hands), self.longest), strict=True))
        sums: dict[tuple[HandPlan, int], list[int]] = {}
        for way, node, left, many in finished:
            size = sum(node.held) + (way.other is not None)
            if self._is_sure(way, node.kind, first):
                more = [math.perm(sum(shown) - size, self._cards - size)]
            else:
                beyond = size + self.longest
                after = math.perm(sum(shown) - beyond, self._cards - beyond)
                more = [one * after for one in ways[left]]
            so_far = sums.setdefault((way, node.kind), [0] * len(more))
            sums[way, node.kind] = [a + many * b for a, b in zip(so_far, more, strict=True)]
        for (way, kind), weights in sums.items():
            row = self._row(way, kind, first)
            # A hand that ends alike everywhere has one weight.
            for ends, weight in zip(row.ends if row is not None else [], weights, strict=False):
                for name, end in zip(way.counted, ends, strict=True):
                    self.ends[name][end] += weight

    def _chances(
        self,
        first: int,
        packs: dict[int | None, Held],
        trees: Sequence[tuple[HandTree, HandPlan, int | None]],
    ) -> dict[HandTree, NDArray[Any]]:
        """Return how probable each kind of house is beside each hand of each tree."""
        unsure: dict[HandTree, set[int]] = defaultdict(set)
        others: dict[HandTree, int | None] = {}
        for tree, way, _ in trees:
            others[tree] = way.other
            kinds = set(tree.kinds.tolist())
            unsure[tree] |= {kind for kind in kinds if not self._is_sure(way, kind, first)}
        cards = {tree: np.array(packs[other]) - tree.held for tree, other in others.items()}
        asked = {
            tree: np.isin(tree.kinds, sorted(unsure[tree])) & (left >= 0).all(axis=1)
            for tree, left in cards.items()
        }
        wanted = np.concatenate([cards[tree][asked[tree]] for tree in cards])
        packs_left, where = np.unique(wanted, axis=0, return_inverse=True)
        known = self._rules.houses[first].chances(packs_left)[where.reshape(-1)]
        out, at = {}, 0
        for tree, mask in asked.items():
            out[tree] = np.zeros((len(mask), known.shape[1]))
            out[tree][mask] = known[at : at + int(mask.sum())]
            at += int(mask.sum())
        return out

    def _is_sure(self, way: HandPlan, kind: int, first: int) -> bool:
        """Return whether a kind of hand may not stand, or ends alike against every house."""
        row = self._row(way, kind, first)
        return row is None or row.sure

    def _decide(
        self,
        first: int,
        packs: dict[int | None, Held],
        plays: dict[tuple[HandPlan, int | None], BestPlay],
    ) -> dict[tuple[HandPlan, int | None], dict[int, int]]:
        """Return the hands from which the best play begins, and in how many ways they come."""
        reached: dict[tuple[HandPlan, int | None], dict[int, int]] = defaultdict(
            lambda: defaultdict(int)
        )
        for ranks, ways in self._starts:
            path = tuple(self._of_rank[rank] for rank in ranks)
            many = ways * (self._rules.pack[first] - path.count(first))
            if many <= 0:
                continue
            at, value, way = self._best(plays, None, None, count_groups(path, self._groups))
            chosen: list[Part] = [((way, None), at, 1)]
            if self._opening is not None and self._may_divide(*ranks):
                divided, parts = self._divide(plays, packs, path)
                if divided > value:
                    chosen = parts
            for play, node, more in chosen:
                reached[play][node] += many * more
        return reached

    def _best(
        self,
        plays: dict[tuple[HandPlan, int | None], BestPlay],
        mine: int | None,
        other: int | None,
        held: Held,
        *,
        second: bool = False,
    ) -> tuple[int, float, HandPlan]:
        """Return a hand as first dealt, its value, and the best way to play it."""
        options = []
        for way in self._ways(second=second, other=other):
            at = self._tree(way, mine).places[held]
            options.append((float(plays[way, mine].values[at]), -len(way.names), at, way))
        value, _, at, way = max(options, key=lambda one: one[:2])
        return at, value, way

    def _divide(
        self,
        plays: dict[tuple[HandPlan, int | None], BestPlay],
        packs: dict[int | None, Held],
        path: tuple[int, ...],
    ) -> tuple[float, list[Part]]:
        """Return the value of dividing, and the hands that come about with their ways."""
        total = 0.0
        parts: list[Part] = []
        for second in (False, True):
            mine, other = (path[1], path[0]) if second else path
            left = add_card(packs[other], mine, -1)
            for group, many in enumerate(left):
                if many:
                    held = count_groups((mine, group), self._groups)
                    at, value, way = self._best(plays, mine, other, held, second=second)
                    total += many * value / sum(left)
                    parts.append(((way, mine), at, many))
        return total, parts

    def _apart(self, bet: str) -> Iterator[tuple[BetEnd, int]]:
        """Yield how a bet that no own card decides ends, over all houses where it may be laid."""
        rules = self._rules
        for first, house in enumerate(rules.houses):
            (ways,) = house.ways([add_card(rules.pack, first, -1)], self.longest)
            told = [rules.end_apart(bet, rules.house_of[kind]) for kind in house.kinds]
            for end, many in zip(told, ways, strict=True):
                if end is not None and None not in told:
                    yield end, many * rules.pack[first]

    def figures(self, only: Collection[str]) -> Iterator[BetOdds]:
        """Yield the odds of the bets `only`, then those of a whole round."""
        rules = self._rules
        for name in rules.game.bets:
            ends = self.ends.get(name)
            if name in rules.apart and name in only:
                apart = list(self._apart(name))
                yield build_figure(name, apart, total=sum(many for _, many in apart))
            elif ends and name in only:
                laid = sum(ends.values())
                share = () if name == rules.root else (
                    ("laid-in", f"{Fraction(laid, self.total)}"),
                )  # fmt: skip
                yield build_figure(name, ends.items(), total=laid, manner=_MANNER, notes=share)
        if rules.root in only:
            names = " + ".join(name for name in rules.game.bets if name in self.ends)
            gain = (
                sum(
                    (end.gain * ways for ends in self.ends.values() for end, ways in ends.items()),
                    Fraction(0),
                )
                / self.total
            )
            yield BetOdds(bet=names, manner=_MANNER, ends={}, mean=gain)
