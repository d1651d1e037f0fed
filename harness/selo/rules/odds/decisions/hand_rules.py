"""What the settlement says of hands that grow by decisions: kinds, lawful bets, ends.

No rule of a game is known here. Which bets are laid beside the first one, whether they go with the
own hand or with a divided one, and how a house is finished, is asked of the settlement.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.equipment.played_hands import HAND, HOUSE, OTHER_HAND, PLACE
from selo.rules.odds.bet_odds import BetEnd, OddsUnknown
from selo.rules.odds.companion_bets import PLACE as AT
from selo.rules.odds.companion_bets import divisible_stake, place_bet
from selo.rules.odds.decisions.house_hands import list_house_hands
from selo.rules.settlement import EquivalenceClasses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from selo.rules.equipment.played_hands import PlayedHands
    from selo.rules.odds.decisions.house_hands import Held
    from selo.rules.settlement import Game

Ranks = tuple[str, ...]
_OUT: Final = frozenset({"refused", "void"})
#: Bets that may lie beside the first one, in any combination.
_MOST_BESIDE: Final = 6


class HandRules:
    """The settlement of one game of hands that grow by decisions."""

    def __init__(self, game: Game, kit: PlayedHands, *, without: Collection[str] = ()) -> None:
        self.game, self.kit = game, kit
        self.stake = divisible_stake(game)
        self._settled: dict[tuple[Any, ...], list[BetEnd | None]] = {}
        roots = [name for name, rules in game.bets.items() if not rules.needs]
        beside = [name for name in game.bets if name not in {*roots, *without}]
        if len(roots) != 1 or len(beside) > _MOST_BESIDE or kit.cards < 1:
            msg = f"{game.name}: the best play is not counted for these bets"
            raise OddsUnknown(msg)
        self.root = roots[0]
        self._every_kind = self._kinds = EquivalenceClasses(game, [self.root, *beside])
        self._sample = (RANKS[1],) * kit.cards
        self._finished: dict[int, bool] = {}
        hands, houses = self._sample_hands(), self._sample_houses()
        at_hand = [b for b in beside if self._is_taken(b, hands, houses)]
        #: Bets beside the first one: by themselves, with the own hand, and with a divided one.
        self.apart = [b for b in at_hand if self._is_apart(b, hands, houses)]
        self.added = [b for b in at_hand if b not in self.apart]
        self.dividing = [b for b in beside if b not in at_hand]
        self._kinds = EquivalenceClasses(game, [self.root, *at_hand])
        self.groups = self._join_ranks()
        self.rank = [ranks[0] for ranks in self.groups]
        copies = len(SUITS) * kit.packs
        self.pack: Held = tuple(copies * len(ranks) for ranks in self.groups)
        self.house_of: dict[int, Ranks] = {}
        self.houses = [
            list_house_hands(first, len(self.groups), kit.cards, self._house_kind)
            for first in range(len(self.groups))
        ]
        self._reference = houses[0]

    # What conditions can tell apart.

    def _cards(self, ranks: Ranks) -> list[str]:
        return [rank + SUITS[0] for rank in ranks]

    def _sample_hands(self) -> list[Ranks]:
        """Return hands of every kind with the cards dealt and with one card more."""
        known: dict[int, Ranks] = {}
        for size in (self.kit.cards, self.kit.cards + 1):
            for ranks in product(RANKS, repeat=size):
                known.setdefault(self._kinds.class_of(HAND, self._cards(ranks)), ranks)
        return list(known.values())

    def _sample_houses(self) -> list[Ranks]:
        """Return finished houses of every kind with the cards dealt and with one card more."""
        known: dict[int, Ranks] = {}
        for size in (self.kit.cards, self.kit.cards + 1):
            for ranks in product(RANKS, repeat=size):
                if not self._is_finished(ranks) or self._is_finished(ranks[:-1]):
                    continue
                known.setdefault(self._kinds.class_of(HOUSE, self._cards(ranks)), ranks)
        return list(known.values())

    def _is_finished(self, house: Ranks) -> bool:
        return len(house) >= self.kit.cards and self._ends_round(house, self._kind_of(house))

    def _kind_of(self, house: Ranks) -> int:
        return self._every_kind.class_of(HOUSE, self._cards(house))

    def _ends_round(self, house: Ranks, kind: int) -> bool:
        if kind not in self._finished:
            ends = self.settle(house, (self._sample,), (self.root,))
            self._finished[kind] = ends[0] is not None
        return self._finished[kind]

    def _is_taken(self, bet: str, hands: Iterable[Ranks], houses: Sequence[Ranks]) -> bool:
        names = self._with_needs(bet)
        return any(
            None not in self.settle(house, (hand,), names) for hand in hands for house in houses
        )

    def _is_apart(self, bet: str, hands: Sequence[Ranks], houses: Sequence[Ranks]) -> bool:
        """Return whether a bet ends alike whatever the own hand, as long as that is lawful."""
        names = self._with_needs(bet)
        for house in houses:
            ends = set()
            for hand in hands:
                told = self.settle(house, (hand,), names)
                if told[names.index(self.root)] is not None:
                    ends.add(told[0])
            if len(ends) > 1:
                return False
        return True

    def end_apart(self, bet: str, house: Ranks) -> BetEnd | None:
        """Return how a bet ends that no card of the own hand decides."""
        return self.settle(house, (self._sample,), self._with_needs(bet))[0]

    def _with_needs(self, bet: str) -> tuple[str, ...]:
        return tuple(one["bet"] for one in place_bet(self.game, bet, stake=self.stake))

    def _join_ranks(self) -> list[list[str]]:
        """Return the ranks in groups that no condition of the own hand or the house tells apart."""
        joined: dict[Any, list[str]] = {}
        for rank in RANKS:
            hands = [
                self._cards((*others[:at], rank, *others[at:]))
                for others in chain(product(RANKS, repeat=1), product(RANKS, repeat=2))
                for at in range(len(others) + 1)
            ]
            looks = tuple(
                self._kinds.class_of(name, hand)
                for name in (HAND, OTHER_HAND, HOUSE)
                if name in self._kinds.names
                for hand in hands
                if len(hand) >= self.kit.cards
            )
            # Two cards of the rank itself, in different suits, must be alike as well.
            pair = [rank + suit for suit in SUITS[: self.kit.cards]]
            if self._kinds.class_of(HAND, pair) != self._kinds.class_of(
                HAND, [pair[0]] * len(pair)
            ):
                msg = f"{self.game.name}: bets that look at suits are not counted"
                raise OddsUnknown(msg)
            joined.setdefault(looks, []).append(rank)
        return list(joined.values())

    def _house_kind(self, groups: tuple[int, ...]) -> int | None:
        house = tuple(self.rank[group] for group in groups)
        kind = self._kind_of(house)
        if not self._ends_round(house, kind):
            return None
        known = self.house_of.setdefault(kind, house)
        if len(house) < len(known):
            self.house_of[kind] = house
        return kind

    def kind_of(self, hand: Ranks, *, second: bool) -> int:
        """Return the kind of a hand, the second of a divided place where `second` says so."""
        name = OTHER_HAND if second else HAND
        return self._every_kind.class_of(name, self._cards(hand))

    def stands(self, hands: tuple[Ranks, ...], names: tuple[str, ...]) -> bool:
        """Return whether these hands may have come about, with these bets beside them."""
        return None not in self.settle(self._reference, hands, names)

    def settle(
        self, house: Ranks, hands: tuple[Ranks, ...], names: tuple[str, ...]
    ) -> list[BetEnd | None]:
        """Return the end of each bet; nothing for one that is refused or void."""
        key = (house, hands, names)
        if key not in self._settled:
            self._settled[key] = self._settle(house, hands, names)
        return self._settled[key]

    def _settle(
        self, house: Ranks, hands: tuple[Ranks, ...], names: tuple[str, ...]
    ) -> list[BetEnd | None]:
        dealt: Counter[str] = Counter()
        out = []
        for hand in (house, *hands):
            cards = []
            for rank in hand:
                cards.append(rank + SUITS[dealt[rank] // self.kit.packs % len(SUITS)])
                dealt[rank] += 1
            out.append(cards)
        bets: list[Any] = [{"bet": name, "stake": self.stake, PLACE: AT} for name in names]
        outcome = self.kit.build_outcome(out[0], {AT: out[1:]})
        try:
            told = self.game.settle_plain({}, outcome, bets)
        except BadOutcome:
            # More cards of one rank than the packs have: nobody is ever dealt these.
            return [None] * len(names)
        return [
            None
            if one["result"] in _OUT
            else BetEnd(
                result=one["result"],
                prize=Fraction(one["prize"], self.stake),
                commission=Fraction(one["commission"], self.stake),
            )
            for one in told
        ]
