"""Rounds of Bacará, dealt by the reconstructed drawing rule.

The rule stands in for articles that are not among our instruments. It decides which rounds are
tried, never what is expected of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from selo.rules.equipment import DrawingRule
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from selo.law import Law
    from selo.table_values import Outcome

#: The cards of both hands before either side draws, and the most cards of a round.
_OPENING_CARDS, MAX_ROUND_CARDS = 4, 6


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundDealer:
    """Deals rounds by the drawing rule."""

    rule: DrawingRule

    @classmethod
    def from_law(cls, law: Law) -> RoundDealer:
        """Return a dealer under the default reading."""
        return cls(rule=DrawingRule.of(law))

    def total(self, cards: Sequence[str]) -> int:
        """Return the points of a hand."""
        return self.rule.total(card[:-1] for card in cards)

    def deal(self, cards: Sequence[str]) -> Outcome:
        """Return the round dealt from six cards, of which it may not use all."""
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        rule, additional = self.rule, iter(cards[_OPENING_CARDS:])
        player_total, banker_total = self.total(player), self.total(banker)
        if player_total in rule.natural or banker_total in rule.natural:
            return {"player": player, "banker": banker}
        banker_draws = banker_total in rule.player_stood
        if player_total in rule.player:
            third = next(additional)
            player.append(third)
            banker_draws = rule.values[third[:-1]] in rule.against.get(banker_total, frozenset())
        if banker_draws:
            banker.append(next(additional))
        return {"player": player, "banker": banker}

    def is_dealt_by_rule(self, outcome: Outcome) -> bool | None:
        """Return whether third cards came as the rule has it; None for other equipment."""
        player, banker = outcome.get("player"), outcome.get("banker")
        if player is None or banker is None:
            return None
        hands = [[card[:-1] for card in hand] for hand in (player, banker)]
        return not any(self.rule.departures(*hands))

    def every_way_to_draw(self, chance: Random) -> Iterator[Outcome]:
        """Yield one round for every way in which the points of its cards decide who draws.

        These are all totals of the first two cards on each side, with every value of each
        additional card. Suits, and ranks of equal value, are chosen at random.
        """
        by_value: dict[int, list[str]] = {}
        for card in PACK:
            by_value.setdefault(self.rule.values[card[:-1]], []).append(card)
        openings: dict[int, list[tuple[str, ...]]] = {}
        for ranks in product(RANKS, repeat=2):
            openings.setdefault(self.rule.total(ranks), []).append(ranks)
        totals = list(product(openings, repeat=2))
        chance.shuffle(totals)
        for player_total, banker_total in totals:
            player = chance.choice(openings[player_total])
            banker = chance.choice(openings[banker_total])
            opening = [player[0], banker[0], player[1], banker[1]]
            yield from self._deal_openings(opening, list(by_value.values()), chance)

    def _deal_openings(
        self, opening: Sequence[str], cards: Sequence[Sequence[str]], chance: Random
    ) -> Iterator[Outcome]:
        """Yield the rounds that begin with four ranks, with every value of additional cards."""
        for third in cards:
            for last in cards:
                suits = chance.choices(SUITS, k=_OPENING_CARDS)
                first = [rank + suit for rank, suit in zip(opening, suits, strict=True)]
                dealt = self.deal([*first, chance.choice(third), chance.choice(last)])
                yield dealt
                used = len(dealt["player"]) + len(dealt["banker"])
                if used == _OPENING_CARDS:
                    return
                if used < MAX_ROUND_CARDS:
                    break
