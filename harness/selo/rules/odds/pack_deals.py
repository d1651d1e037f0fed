"""Packs of cards: the hands that can be dealt to two sides, and in how many ways.

Where no rule asks for a suit, a hand is the multiset of its ranks, weighed by binomials.
Where rules ask for suits, a hand of the first side stands for all that differ from it only by
exchanging whole suits, and every hand of the second side is looked at.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

#: What an ordinary pack holds; the law of these games names its cards and does not list them.
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")

#: So many packs can be counted in whole numbers of 64 bits: six cards of more have too many orders.
MOST = 24

Hand = tuple[str, ...]
_RENAMED = [dict(zip(SUITS, names, strict=True)) for names in permutations(SUITS)]


class Deal(Protocol):
    """All deals of one hand each to two sides."""

    @property
    def first(self) -> Sequence[Hand]:
        """The hands of the first side between which the rules can tell."""

    @property
    def second(self) -> Sequence[Hand]:
        """The hands of the second side."""

    @property
    def total(self) -> int:
        """The number of all deals."""

    def rows(self) -> Iterator[NDArray[Any]]:
        """Yield, for each hand of the first side, in how many deals each second hand meets it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RankDeal:
    """Hands told apart by their ranks only, from any number of packs."""

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
        held = np.array([_counts(hand) for hand in self.first])
        for row in held:
            weights = np.ones(len(self.second), dtype=np.int64)
            for rank in range(len(RANKS)):
                weights *= ways[row[rank], held[:, rank]]
            yield weights


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitDeal:
    """Hands told apart by ranks and suits, from one pack."""

    first: Sequence[Hand]
    second: Sequence[Hand]
    total: int
    alike: Sequence[int]

    def rows(self) -> Iterator[NDArray[Any]]:
        """Yield how many hands each first hand stands for, where no card is held twice."""
        bits = {card: 1 << at for at, card in enumerate(pack())}
        masks = np.array([sum(bits[card] for card in hand) for hand in self.second], np.int64)
        for hand, times in zip(self.first, self.alike, strict=True):
            mine = sum(bits[card] for card in hand)
            yield np.where(masks & mine == 0, times, 0).astype(np.int64)


def pack() -> list[str]:
    """Return the cards of one pack."""
    return [rank + suit for rank in RANKS for suit in SUITS]


def by_rank(cards: int, packs: int) -> RankDeal:
    """Return the deals of two hands whose suits do not matter."""
    held = list(combinations_with_replacement(RANKS, cards))
    size = len(RANKS) * len(SUITS) * packs
    total = math.comb(size, cards) * math.comb(size - cards, cards)
    return RankDeal(
        cards=cards,
        packs=packs,
        # Suits are taken from opposite ends, so that two hands of one pack share no card.
        first=[_suited(ranks, SUITS) for ranks in held],
        second=[_suited(ranks, SUITS[::-1]) for ranks in held],
        total=total,
    )


def by_suit(cards: int) -> SuitDeal:
    """Return the deals of two hands from one pack, of which suits matter."""
    everything = [tuple(hand) for hand in combinations(pack(), cards)]
    alike = Counter(canonical(hand) for hand in everything)
    size = len(RANKS) * len(SUITS)
    return SuitDeal(
        first=list(alike),
        second=everything,
        total=math.comb(size, cards) * math.comb(size - cards, cards),
        alike=list(alike.values()),
    )


def canonical(hand: Hand) -> Hand:
    """Return the least of the hands that differ from `hand` only by exchanging whole suits."""
    return min(tuple(sorted(card[:-1] + names[card[-1]] for card in hand)) for names in _RENAMED)


def _counts(hand: Hand) -> list[int]:
    held = Counter(card[:-1] for card in hand)
    return [held[rank] for rank in RANKS]


def _suited(ranks: Sequence[str], suits: Sequence[str]) -> Hand:
    seen: Counter[str] = Counter()
    cards = []
    for rank in ranks:
        cards.append(rank + suits[seen[rank] % len(suits)])
        seen[rank] += 1
    return tuple(cards)
