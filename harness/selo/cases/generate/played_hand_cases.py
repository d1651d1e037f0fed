"""Cases for hands built up by decisions: every kind of hand, every draw, divided hands, bets.

Hands are found by drawing: from every two first cards, card after card, one hand of each kind that
some condition can tell apart. No rule of a game is known here.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, cycle, islice, product
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.cases.case import settlement_case
from selo.cases.group import Group, cases_per_outcome
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS
from selo.rules.equipment.played_hands import HAND, HOUSE, PLACE, PlayedHands
from selo.rules.settlement import EquivalenceClasses, Game

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from random import Random

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting
    from selo.table_values import Bet, Outcome

Hand = list[str]
#: Places that may be occupied at once in a case.
_PLACES: Final = ("1", "2", "3", "4", "5", "6", "7")
#: Cards that a hand draws at most, beyond those dealt.
_MOST_DRAWN: Final = 3
#: Houses that every kind of hand meets in a quick group, and hands that every house meets.
_HOUSES_PER_HAND: Final = 3
_HANDS_PER_HOUSE: Final = 8
#: Hands against which a house is tried, to see whether it decides anything.
_TRIED: Final = 60
#: Deals in which every combination of bets, every stake, is laid.
_DEALS_PER_WAY: Final = 12
_MOST_WAYS: Final = 64
_DECIDED: Final = frozenset({"win", "lose"})
#: Of random hands of the house, one in this many is of any kind; the others decide.
_HOUSES_PER_ODD_ONE: Final = 8


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game of hands built up by decisions."""
    game = setting.rules
    if not isinstance(game, Game) or not isinstance(game.kit, PlayedHands) or not setting.bets():
        return
    generator = _PlayedHandCases(setting, game, game.kit)
    yield Group(name="every-derivation", budget="quick", cases=generator.derivations)
    yield Group(name="every-hand", budget="quick", cases=generator.every_hand, design="levels")
    yield Group(name="every-house", budget="quick", cases=generator.every_house, design="levels")
    yield Group(name="draws", budget="quick", cases=generator.draws, design="levels")
    yield Group(name="divided-hands", budget="quick", cases=generator.divided, design="levels")
    yield Group(name="ways-of-betting", budget="quick", cases=generator.ways, design="levels")
    yield Group(name="unlawful-bets", budget="quick", cases=generator.unlawful, design="levels")
    yield Group(name="stakes", budget="quick", cases=generator.stakes, design="levels")
    yield Group(
        name="every-hand-and-house", budget="standard", cases=generator.hands_and_houses,
        design="pairs",
    )  # fmt: skip
    yield Group(name="at-random", budget="quick", cases=generator.at_random, endless=True)


class _PlayedHandCases:
    def __init__(self, setting: GeneratorSetting, game: Game, kit: PlayedHands) -> None:
        self._setting, self._game, self._kit, self._name = setting, game, kit, setting.game
        self._place = setting.shuffle_by_seed("laid-at", _PLACES)[0]
        self._stake = setting.stake()
        self._bets = self._lay(list(setting.bets()))
        kinds = EquivalenceClasses(game, list(game.bets))
        self._hands = self._find_kinds(kinds, HAND)
        self._houses = self._find_kinds(kinds, HOUSE)
        #: The houses under which some bet on some hand is won or lost.
        self._deciding = [house for house in self._houses if self._decides(house)] or self._houses

    def _lay(self, names: Iterable[str], stake: int | None = None) -> list[Bet]:
        laid: list[Bet] = []
        for name in names:
            rules = self._game.bets[name]
            bet: dict[str, Any] = {"bet": name, "stake": stake or self._stake}
            if rules.domain is not None:
                bet["choice"] = rules.domain[0]
            if rules.place is not None:
                bet[PLACE] = self._place
            laid.append(cast("Bet", bet))
        return laid

    def _find_kinds(self, kinds: EquivalenceClasses, name: str) -> list[Hand]:
        """Return one hand of each kind that conditions tell apart, drawn card after card."""
        if name not in kinds.names:
            return [[rank + SUITS[0] for rank in RANKS[: self._kit.cards]]]
        found: dict[int, Hand] = {}
        ranks = self._setting.shuffle_by_seed(f"ranks/{name}", RANKS)
        waiting = [list(dealt) for dealt in product(ranks, repeat=self._kit.cards)]
        for _ in range(_MOST_DRAWN + 1):
            new = []
            for held in waiting:
                hand = [rank + SUITS[at % len(SUITS)] for at, rank in enumerate(held)]
                if found.setdefault(kinds.class_of(name, hand), hand) is hand:
                    new.append(held)
            waiting = [[*held, rank] for held in new for rank in ranks]
        return self._setting.shuffle_by_seed(f"kinds/{name}", found.values())

    def _decides(self, house: Hand) -> bool:
        for hand in self._hands[:_TRIED]:
            outcome = self._deal(house, [hand])
            if outcome is not None:
                settled = self._game.settle_plain({}, outcome, self._bets)
                if any(one["result"] in _DECIDED for one in settled):
                    return True
        return False

    def _deal(self, house: Hand, hands: Sequence[Hand]) -> Outcome | None:
        """Return an outcome of hands with these ranks, in suits that the packs have."""
        dealt: Counter[str] = Counter()
        out: list[Hand] = []
        for hand in (house, *hands):
            cards = []
            for card in hand:
                start = SUITS.index(card[-1])
                suits = SUITS[start:] + SUITS[:start]
                free = [card[:-1] + suit for suit in suits]
                taken = next((one for one in free if dealt[one] < self._kit.packs), None)
                if taken is None:
                    return None
                dealt[taken] += 1
                cards.append(taken)
            out.append(cards)
        return self._kit.build_outcome(out[0], {self._place: out[1:]})

    def _cases(
        self, group: str, deals: Iterable[tuple[Hand, Sequence[Hand]]], bets: list[Bet]
    ) -> Iterator[Case]:
        for house, hands in deals:
            outcome = self._deal(house, hands)
            if outcome is not None:
                yield settlement_case(self._name, group, outcome, bets)

    def derivations(self) -> Iterator[Case]:
        """Yield the first deal in which each bet ends for each combination of reasons."""
        known: set[Hashable] = set()
        for case in chain(self.every_hand(), self.every_house(), self.draws(), self.divided()):
            settled = self._game.settle({}, case.outcome, case.bets)
            ends = {
                (bet["bet"], one.result, *((step.provision, step.role) for step in one.reasons))
                for bet, one in zip(case.bets, settled, strict=True)
            }
            if ends - known:
                known |= ends
                yield msgspec.structs.replace(case, group="every-derivation")

    def every_hand(self) -> Iterator[Case]:
        houses = cycle(self._deciding)
        deals = (
            (house, [hand]) for hand in self._hands for house in islice(houses, _HOUSES_PER_HAND)
        )
        yield from self._cases("every-hand", deals, self._bets)

    def every_house(self) -> Iterator[Case]:
        hands = cycle(self._hands)
        deals = (
            (house, [hand]) for house in self._houses for hand in islice(hands, _HANDS_PER_HOUSE)
        )
        yield from self._cases("every-house", deals, self._bets)

    def draws(self) -> Iterator[Case]:
        """Yield every kind of hand and house with one more card, whether it may come or not."""
        chance = self._setting.chance("draws")
        houses, hands = cycle(self._deciding), cycle(self._hands)
        drawn = ((next(houses), [[*hand, chance.choice(PACK)]]) for hand in self._hands)
        yield from self._cases("draws", drawn, self._bets)
        bound = (
            ([*house, chance.choice(PACK)], [next(hands)])
            for house in self._houses
            for _ in range(_HOUSES_PER_HAND)
        )
        yield from self._cases("draws", bound, self._bets)

    def divided(self) -> Iterator[Case]:
        """Yield divided places: every two first cards, with every number of cards behind them."""
        chance = self._setting.chance("divided-hands")
        houses = cycle(self._deciding)

        def deals() -> Iterator[tuple[Hand, Sequence[Hand]]]:
            for one, other in product(RANKS, repeat=2):
                for drawn in range(_MOST_DRAWN):
                    more = drawn if one == other else chance.randrange(_MOST_DRAWN)
                    hands = [
                        [
                            rank + chance.choice(SUITS),
                            *chance.sample(PACK, self._kit.cards - 1 + extra),
                        ]
                        for rank, extra in ((one, drawn), (other, more))
                    ]
                    yield next(houses), hands

        yield from self._cases("divided-hands", deals(), self._bets)
        pairs = zip(self._hands, self._hands[1:], strict=False)
        alike = ((next(houses), [hand, [hand[0], *other[1:]]]) for hand, other in pairs)
        yield from self._cases("divided-hands", alike, self._bets)

    def _sample(self, group: str) -> list[tuple[Hand, Sequence[Hand]]]:
        """Return deals in which each bet, as far as possible, is accepted."""
        accepted: dict[str, list[tuple[Hand, Sequence[Hand]]]] = {}
        for case in chain(self.divided(), self.every_hand()):
            shown = cast("dict[str, Any]", case.outcome)
            settled = self._game.settle_plain({}, case.outcome, self._bets)
            for bet, one in zip(self._bets, settled, strict=True):
                deals = accepted.setdefault(bet["bet"], [])
                if one["result"] in _DECIDED and len(deals) < _DEALS_PER_WAY:
                    deals.append((shown[HOUSE], shown["hands"][self._place]))
            if all(len(deals) == _DEALS_PER_WAY for deals in accepted.values()):
                break
        return self._setting.shuffle_by_seed(group, chain.from_iterable(accepted.values()))

    def ways(self) -> Iterator[Case]:
        names = [bet["bet"] for bet in self._bets]
        every = chain.from_iterable(combinations(names, size) for size in range(1, len(names) + 1))
        deals = self._sample("ways-of-betting")
        for way in islice(every, _MOST_WAYS):
            yield from self._cases("ways-of-betting", deals[:_DEALS_PER_WAY], self._lay(way))

    def unlawful(self) -> Iterator[Case]:
        deals = self._sample("unlawful-bets")[:_DEALS_PER_WAY]
        elsewhere = next(place for place in _PLACES if place != self._place)
        tables: list[list[Bet]] = [
            [{**bet, "stake": 0} for bet in self._bets],
            [cast("Bet", {**bet, PLACE: elsewhere}) for bet in self._bets],
        ]
        for at, changed in enumerate(self._bets):
            for less in (-1, 1):
                other: Bet = {**changed, "stake": changed["stake"] + less}
                tables.append([*self._bets[:at], other, *self._bets[at + 1 :]])
        for bets in tables:
            yield from self._cases("unlawful-bets", deals, bets)

    def stakes(self) -> Iterator[Case]:
        deals = self._sample("stakes")
        names = [bet["bet"] for bet in self._bets]
        for stake in self._setting.all_stakes("stakes"):
            yield from self._cases("stakes", deals, self._lay(names, stake))

    def hands_and_houses(self) -> Iterator[Case]:
        deals = product(self._deciding, ([hand] for hand in self._hands))
        yield from self._cases("every-hand-and-house", deals, self._bets)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        stakes = self._setting.stakes(chance)
        names = [bet["bet"] for bet in self._bets]
        for case_count in cases_per_outcome():
            outcome = self._deal(self._random_house(chance), self._random_hands(chance))
            if outcome is None:
                continue
            for _ in range(case_count):
                way = chance.sample(names, chance.randint(1, len(names)))
                kept = sorted(way, key=names.index)
                bets = self._lay(kept, chance.choice(stakes))
                yield settlement_case(self._name, "at-random", outcome, bets)

    def _random_house(self, chance: Random) -> Hand:
        if chance.randrange(_HOUSES_PER_ODD_ONE):
            return chance.choice(self._deciding)
        return chance.choice(self._houses)

    def _random_hands(self, chance: Random) -> list[Hand]:
        hands = [
            chance.sample(PACK, self._kit.cards + chance.randrange(_MOST_DRAWN))
            for _ in range(chance.randint(1, 2))
        ]
        if chance.randrange(2):
            # The same first card, which a division may need.
            hands = [[hands[0][0], *hand[1:]] for hand in hands]
        return hands
