"""Cases of full tables: a hand and bets at every place, each place decisive.

Kinds of hands at the house and at each place are the factors: every kind meets every kind of the
house at every place, and every kind at every other place, as far as one pack can deal them. Every
hand of a pack lies at some place once, beside every hand of the house up to a change of suits.
"""

from __future__ import annotations

import math
import random
from collections import deque
from typing import TYPE_CHECKING, Final

from selo.cases.case import comparison_case, settlement_case
from selo.cases.covering_array import cover_levels, cover_pairs
from selo.cases.deals.sample_hands import (
    HAND_SIZE,
    card_mask,
    deal_without,
    hands_per_class,
    next_dealable,
    one_hand_up_to_suits,
)
from selo.cases.deals.table_deals import deal_tables
from selo.cases.group import Group
from selo.rules.equipment.pack_and_dice import PACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from selo.cases.aspects.game_sample import GameSample
    from selo.cases.case import Case
    from selo.cases.deals.sample_hands import Hand
    from selo.rules.equipment.kits import Duel
    from selo.rules.settlement import Game
    from selo.table_values import Bet, Options

#: Hands that may stand for a kind where others have taken its cards.
_HANDS_PER_KIND: Final = 8


class TableCases:
    """The full tables of a game with places."""

    def __init__(self, sample: GameSample, game: Game, duel: Duel) -> None:
        self._sample, self._setting, self._layout = sample, sample.setting, sample.layout
        self._game, self._duel = game, duel

    def groups(self) -> Iterator[Group]:
        """Yield full tables with every kind of hand, with every two kinds, and with every hand."""
        yield Group(
            name="full-tables", budget="quick", cases=self._every_kind, design="levels",
            factors=self._sizes,
        )  # fmt: skip
        yield Group(
            name="full-tables-of-two-kinds", budget="standard", cases=self._every_two_kinds,
            design="pairs", factors=self._sizes,
        )  # fmt: skip
        yield Group(
            name="every-hand-once", budget="standard", cases=self._every_hand_once,
            design="levels", factors=_count_hands,
        )  # fmt: skip
        if "compare" in self._setting.offered.methods:
            yield Group(
                name="every-hand-compared-once", budget="standard", cases=self._compared_once,
                design="levels", factors=_count_orbits,
            )  # fmt: skip

    def _sizes(self) -> dict[str, int]:
        return {
            "house": len(self._sample.hands),
            **{f"place {place}": len(self._sample.hands) for place in self._sample.persons},
        }

    def _every_kind(self) -> Iterator[Case]:
        return self._covering_tables("full-tables", cover_levels)

    def _every_two_kinds(self) -> Iterator[Case]:
        return self._covering_tables("full-tables-of-two-kinds", cover_pairs)

    def _covering_tables(
        self, group: str, cover: Callable[[Sequence[int], Random], list[tuple[int, ...]]]
    ) -> Iterator[Case]:
        chance = self._setting.chance(group)
        places = self._sample.persons
        kinds = hands_per_class(self._game, self._sample.hands, _HANDS_PER_KIND)
        options, laid = self._options, self._lay(places, unplaced=True)
        for row in cover([len(kinds)] * (1 + len(places)), chance):
            taken = 0
            hands: list[Hand] = []
            for kind in row:
                hand = _deal_kind(kinds, kind, taken)
                taken |= card_mask(hand)
                hands.append(chance.sample(hand, len(hand)))
            outcome = self._duel.build_outcome(hands[0], dict(zip(places, hands[1:], strict=True)))
            yield settlement_case(self._setting.game, group, outcome, laid, options)

    @property
    def _options(self) -> Options:
        """The first value of each option that a table must name."""
        return {
            name: values[0] for name, values in self._sample.options.items() if None not in values
        }

    def _lay(self, persons: Sequence[str], *, unplaced: bool) -> list[Bet]:
        """Return the bets at the places of `persons`, and perhaps those without a place."""
        layout, stake = self._layout, self._setting.stake()
        bets: list[Bet] = []
        for person in persons:
            own = layout.lay({}, self._options, person, stake + len(bets))
            at_place = [bet for bet in own if person in bet.values()]
            bets += own if unplaced and not bets else at_place
        return bets

    def _every_hand_once(self) -> Iterator[Case]:
        chance = self._setting.chance("every-hand-once")
        places, options = self._sample.persons, self._options
        houses = deque(one_hand_up_to_suits(chance))
        laid: dict[tuple[int, bool], list[Bet]] = {}
        for _, hands in deal_tables(len(places), chance):
            taken = card_mask([card for hand in hands for card in hand])
            house = _next_house(houses, taken)
            is_new = house is not None
            left = _cards_left(taken)
            if house is None and len(left) < HAND_SIZE:
                # The pack is dealt to the places alone.
                continue
            if house is None:
                house = chance.sample(left, HAND_SIZE)
            key = (len(hands), is_new)
            if key not in laid:
                laid[key] = self._lay(places[: len(hands)], unplaced=is_new)
            outcome = self._duel.build_outcome(house, dict(zip(places, hands, strict=False)))
            yield settlement_case(
                self._setting.game, "every-hand-once", outcome, laid[key], options
            )

    def _compared_once(self) -> Iterator[Case]:
        chance = self._setting.chance("every-hand-compared-once")
        order = self._sample.order_of
        hands = sorted(one_hand_up_to_suits(chance), key=order)
        for at in self._setting.shuffle_by_seed("every-hand-compared-once", range(len(hands))):
            # Its neighbour in the order is equal, or of the next kind.
            hand, other = hands[at], next_dealable(hands[at], hands, at + 1)
            pair = (hand, other) if chance.randrange(2) else (other, hand)
            yield comparison_case(self._setting.game, "every-hand-compared-once", *pair)


def _count_hands() -> dict[str, int]:
    return {"hand at a place": math.comb(len(PACK), HAND_SIZE), **_count_orbits()}


def _count_orbits() -> dict[str, int]:
    return {"hand up to suits": len(one_hand_up_to_suits(random.Random(0)))}  # noqa: S311 - counted


def _next_house(houses: deque[Hand], taken: int) -> Hand | None:
    """Take the first of `houses` that some suits leave possible, or return None."""
    for at, house in enumerate(houses):
        image = deal_without(house, taken)
        if image is not None:
            del houses[at]
            return image
    return None


def _deal_kind(kinds: Sequence[Sequence[Hand]], kind: int, taken: int) -> Hand:
    """Return a hand of a kind, of the next kind that the cards left allow, or of the cards left."""
    for offset in range(len(kinds)):
        for hand in kinds[(kind + offset) % len(kinds)]:
            image = deal_without(hand, taken)
            if image is not None:
                return image
    return _cards_left(taken)[:HAND_SIZE]


def _cards_left(taken: int) -> list[str]:
    return [card for card in PACK if not card_mask([card]) & taken]
