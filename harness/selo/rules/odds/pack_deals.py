"""Deals of two hands from packs of cards, each with the number of ways to deal it.

Where no rule depends on suits, a hand is the multiset of its ranks, weighted by binomials.
Where rules depend on suits, a hand of the first side stands for all that differ from it only by
a permutation of suits, and every hand of the second side is enumerated.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

#: The orders of six cards of more packs do not fit into 64 bits.
MAX_PACKS = 24

Hand = tuple[str, ...]
_SUIT_PERMUTATIONS = [dict(zip(SUITS, names, strict=True)) for names in permutations(SUITS)]


class Deal(Protocol):
    """All deals of one hand each to two sides."""

    @property
    def first(self) -> Sequence[Hand]:
        """The hands of the first side that the rules can distinguish."""

    @property
    def second(self) -> Sequence[Hand]:
        """The hands of the second side."""

    @property
    def total(self) -> int:
        """The number of all deals."""

    def rows(self) -> Iterator[NDArray[Any]]:
        """Yield, for each hand of the first side, the number of deals with each second hand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RankDeal:
    """Hands distinguished by their ranks only, from any number of packs."""

    cards: int
    packs: int
    first: Sequence[Hand]
    second: Sequence[Hand]
    total: int

    def rows(self) -> Iterator[NDArray[Any]]:
        """Yield the products of hypergeometric counts, rank by rank."""
        copies = len(SUITS) * self.packs
        span = self.cards + 1
        ways = np.array(
            [
                [math.comb(copies, a) * math.comb(max(copies - a, 0), b) for b in range(span)]
                for a in range(span)
            ],
            dtype=np.int64,
        )
        held = np.array([_rank_counts(hand) for hand in self.first])
        for row in held:
            weights = np.ones(len(self.second), dtype=np.int64)
            for rank in range(len(RANKS)):
                weights *= ways[row[rank], held[:, rank]]
            yield weights


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitDeal:
    """Hands distinguished by ranks and suits, from one pack."""

    first: Sequence[Hand]
    second: Sequence[Hand]
    total: int
    alike: Sequence[int]

    def rows(self) -> Iterator[NDArray[Any]]:
        """Yield the number of hands that each first hand stands for, where no card occurs twice."""
        bits = {card: 1 << at for at, card in enumerate(PACK)}
        masks = np.array([sum(bits[card] for card in hand) for hand in self.second], np.int64)
        for hand, times in zip(self.first, self.alike, strict=True):
            mine = sum(bits[card] for card in hand)
            yield np.where(masks & mine == 0, times, 0).astype(np.int64)


def deal_by_rank(cards: int, packs: int) -> RankDeal:
    """Return the deals of two hands, without suits."""
    held = list(combinations_with_replacement(RANKS, cards))
    size = len(RANKS) * len(SUITS) * packs
    total = math.comb(size, cards) * math.comb(size - cards, cards)
    return RankDeal(
        cards=cards,
        packs=packs,
        # Suits are assigned from opposite ends, so that two hands of one pack share no card.
        first=[_assign_suits(ranks, SUITS) for ranks in held],
        second=[_assign_suits(ranks, SUITS[::-1]) for ranks in held],
        total=total,
    )


def deal_by_suit(cards: int) -> SuitDeal:
    """Return the deals of two hands from one pack, with suits."""
    every_hand = [tuple(hand) for hand in combinations(PACK, cards)]
    alike = Counter(canonical_hand(hand) for hand in every_hand)
    size = len(RANKS) * len(SUITS)
    return SuitDeal(
        first=list(alike),
        second=every_hand,
        total=math.comb(size, cards) * math.comb(size - cards, cards),
        alike=list(alike.values()),
    )


def canonical_hand(hand: Hand) -> Hand:
    """Return the least of the hands that differ from `hand` only by a permutation of suits."""
    return min(
        tuple(sorted(card[:-1] + names[card[-1]] for card in hand)) for names in _SUIT_PERMUTATIONS
    )


def _rank_counts(hand: Hand) -> list[int]:
    held = Counter(card[:-1] for card in hand)
    return [held[rank] for rank in RANKS]


def _assign_suits(ranks: Sequence[str], suits: Sequence[str]) -> Hand:
    used: Counter[str] = Counter()
    cards = []
    for rank in ranks:
        cards.append(rank + suits[used[rank] % len(suits)])
        used[rank] += 1
    return tuple(cards)
