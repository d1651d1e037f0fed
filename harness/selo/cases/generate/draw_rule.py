"""Rounds of Bacará as they are dealt: who draws, as the reconstructed rule has it.

The rule stands in for articles that are not held. It decides here only which rounds are tried,
never what is expected of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.cases.generate.sample_hands import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from selo.law.loader import Law

_RECONSTRUCTION: Final = "bacara-drawing-rule"
#: The cards that both hands have before anybody draws, and the most that a round can take.
_OPENING_CARDS, MAX_ROUND_CARDS = 4, 6
Round = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRule:
    """Who draws an additional card."""

    values: Mapping[str, int]
    natural: frozenset[int]
    player: frozenset[int]
    player_stood: frozenset[int]
    against: Mapping[int, frozenset[int]]

    @classmethod
    def of(cls, law: Law) -> DrawRule:
        """Return the rule as the reconstruction says it."""
        tables: dict[str, Any] = {
            statement.id: statement.table or {}
            for _, one in law.reconstructions
            if one.reconstructed == _RECONSTRUCTION
            for statement in one.statements
        }
        banker = tables["banker-draws"]
        return cls(
            values={rank: int(value) for rank, value in tables["points"]["values"].items()},
            natural=_number_set(tables["natural"]["stands_on"]),
            player=_number_set(tables["player-draws"]["draws_on"]),
            player_stood=_number_set(banker["when_player_stood"]),
            against={
                int(total): _number_set(cards)
                for total, cards in banker["against_third_card"].items()
            },
        )

    def total(self, cards: Sequence[str]) -> int:
        """Return what a hand counts."""
        return sum(self.values[card[:-1]] for card in cards) % 10

    def dealt(self, cards: Sequence[str]) -> Round:
        """Return the round that begins with these six cards, of which it may not need all."""
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
        more = iter(cards[_OPENING_CARDS:])
        mine, theirs = self.total(player), self.total(banker)
        if mine in self.natural or theirs in self.natural:
            return {"player": player, "banker": banker}
        draws = theirs in self.player_stood
        if mine in self.player:
            third = next(more)
            player.append(third)
            draws = self.values[third[:-1]] in self.against.get(theirs, frozenset())
        if draws:
            banker.append(next(more))
        return {"player": player, "banker": banker}

    def every_way_to_draw(self, chance: Random) -> Iterator[Round]:
        """Yield one round for every way in which the points of its cards decide who draws.

        Two cards of each total on each side, and every value of each additional card. Ranks that
        count alike are drawn, and so are all suits, of which these points know nothing.
        """
        of: dict[int, list[str]] = {}
        for card in PACK:
            of.setdefault(self.values[card[:-1]], []).append(card)
        openings: dict[int, list[tuple[str, ...]]] = {}
        for ranks in product(RANKS, repeat=2):
            total = sum(self.values[rank] for rank in ranks) % 10
            openings.setdefault(total, []).append(ranks)
        totals = list(product(openings, repeat=2))
        chance.shuffle(totals)
        for mine, theirs in totals:
            one, two = chance.choice(openings[mine])
            three, four = chance.choice(openings[theirs])
            yield from self._deal_openings([one, three, two, four], list(of.values()), chance)

    def _deal_openings(
        self, opening: Sequence[str], cards: Sequence[Sequence[str]], chance: Random
    ) -> Iterator[Round]:
        """Yield the rounds that begin with four ranks, each as long as the rule makes it."""
        for third in cards:
            for last in cards:
                suits = chance.choices(SUITS, k=_OPENING_CARDS)
                first = [rank + suit for rank, suit in zip(opening, suits, strict=True)]
                made = self.dealt([*first, chance.choice(third), chance.choice(last)])
                yield made
                used = len(made["player"]) + len(made["banker"])
                if used == _OPENING_CARDS:
                    return
                if used < MAX_ROUND_CARDS:
                    break


def _number_set(written: Any) -> frozenset[int]:
    return frozenset(int(one) for one in written)
