"""The hands to which a house draws, and in how many ways packs give each of them.

1. Ranks that no condition can tell apart are one group.
2. The house draws until its hand is finished; hands with the same cards beside the first one, in
   any order, and of one kind are one entry with its number of orders.
3. From what is left of the packs, an entry comes in as many ways as its cards can be taken in turn.
   Every entry is followed by further cards up to one length, so that the ways of all add up.

The numbers of ways are exact. They are counted twice, modulo 2**64 and as floating numbers, whose
error is far below 2**63.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.odds.bet_odds import OddsUnknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

#: Counts of the cards of each group.
Held = tuple[int, ...]
#: The largest number of ways, in bits, that both countings together give exactly.
_MOST_BITS: Final = 105
_WORD: Final = 2**64
#: Cards that a house draws at most; one that never ends is not counted.
_MOST_CARDS: Final = 24


@dataclass(frozen=True, kw_only=True, slots=True)
class HouseHands:
    """The finished hands of the house that begin with a card of one group."""

    #: The cards beside the first one, the kind, and the number of orders, sorted by the cards.
    entries: Sequence[tuple[Held, int, int]]
    kinds: Sequence[int]
    longest: int

    def ways(self, left: Sequence[Held], longest: int) -> list[list[int]]:
        """Return in how many ways each kind comes from each of the packs `left`.

        Every hand is followed up to `longest` cards.
        """
        cards = np.array(left, dtype=np.int64)
        sizes = cards.sum(axis=1).tolist()
        if longest * math.log2(max(sizes)) > _MOST_BITS:
            msg = f"{longest} cards from {max(sizes)} come in too many ways to be counted"
            raise OddsUnknown(msg)
        padding = [
            [math.perm(size - amount, longest - amount) for size in sizes]
            for amount in range(self.longest + 1)
        ]
        exact = self._sums(cards, [[many % _WORD for many in row] for row in padding], np.uint64)
        about = self._sums(cards, padding, np.float64)
        return [
            [_join(int(low), float(high)) for low, high in zip(lows, highs, strict=True)]
            for lows, highs in zip(exact, about, strict=True)
        ]

    def chances(self, cards: NDArray[Any]) -> NDArray[Any]:
        """Return how probable each kind is from each of the packs, nearly."""
        padding = [
            [1 / math.perm(size, amount) for size in cards.sum(axis=1).tolist()]
            for amount in range(self.longest + 1)
        ]
        return self._sums(cards, padding, np.float64)

    def _sums(
        self, left: NDArray[Any], padding: Sequence[Sequence[float]], number: type
    ) -> NDArray[Any]:
        groups = left.shape[1]
        most = max(max(held) for held, _, _ in self.entries) + 1
        table: NDArray[Any] = np.array(
            [[math.perm(n, k) for n in range(int(left.max()) + 1)] for k in range(most)], number
        )
        padded: NDArray[Any] = np.array(padding, number)
        column = {kind: at for at, kind in enumerate(self.kinds)}
        sums: NDArray[Any] = np.zeros((len(self.kinds), len(left)), number)
        # Entries that begin alike share the products of the groups in which they do.
        products: list[NDArray[Any]] = [np.ones(len(left), number)] * (groups + 1)
        before = (-1,) * groups
        for held, kind, orders in self.entries:
            same = next(at for at in range(groups) if held[at] != before[at])
            for group in range(same, groups):
                many, product = held[group], products[group]
                products[group + 1] = product * table[many][left[:, group]] if many else product
            sums[column[kind]] += products[groups] * padded[sum(held)] * number(orders)
            before = held
        return sums.T


def _join(low: int, high: float) -> int:
    """Return the number that is `low` modulo 2**64 and next to `high`."""
    about = int(high)
    apart = (low - about) % _WORD
    return about + (apart - _WORD if apart >= _WORD // 2 else apart)


def list_house_hands(
    first: int,
    groups: int,
    dealt: int,
    kind_of: Callable[[tuple[int, ...]], int | None],
) -> HouseHands:
    """Return the finished hands that begin with a card of the group `first`.

    `kind_of` returns the kind of a hand of groups, or nothing if the house must draw.
    """
    found: dict[tuple[int, Held], int] = defaultdict(int)
    waiting: list[tuple[int, ...]] = [(first,)]
    while waiting:
        hand = waiting.pop()
        kind = kind_of(hand) if len(hand) >= dealt else None
        if kind is not None:
            held = [0] * groups
            for group in hand[1:]:
                held[group] += 1
            found[kind, tuple(held)] += 1
        elif len(hand) >= _MOST_CARDS:
            msg = "a house that draws without end cannot be counted"
            raise OddsUnknown(msg)
        else:
            waiting += [(*hand, group) for group in range(groups)]
    return HouseHands(
        entries=sorted((held, kind, orders) for (kind, held), orders in found.items()),
        kinds=sorted({kind for kind, _ in found}),
        longest=max(sum(held) for _, held in found),
    )
