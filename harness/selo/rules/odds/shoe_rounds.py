"""All rounds of player and banker from a shoe, by rank, each with its weight.

1. Two cards each; then the additional cards by the drawing rule.
2. The weight of a round is the number of orders of the first six cards that begin with it.
3. Suits are added later: they never decide who draws.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.equipment.pack_and_dice import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from selo.rules.equipment import DrawingRule


#: In the place of a card that was not dealt.
NO_CARD: Final = -1
#: The order in which the cards of a round are dealt, as places in a row of `ShoeRounds.cards`.
DEALT_PLACES: Final = (0, 2, 1, 3, 4, 5)
PLAYER_PLACES: Final = (0, 1, 4)
BANKER_PLACES: Final = (2, 3, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShoeRounds:
    """Every round by rank: two and two cards, then the additional ones, or `NO_CARD`."""

    cards: NDArray[Any]
    weights: NDArray[Any]
    packs: int
    total: int


def enumerate_rounds(drawing: DrawingRule, packs: int) -> ShoeRounds:
    """Return all rounds from a full shoe of `packs` packs."""
    copies = len(SUITS) * packs
    size = copies * len(RANKS)
    total = math.perm(size, len(DEALT_PLACES))
    pairs = list(combinations_with_replacement(range(len(RANKS)), 2))
    counted: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for pair in pairs:
        counted[drawing.total([RANKS[at] for at in pair])].append(pair)
    blocks = [
        _cross_join(counted[player], counted[banker], _additional_cards(drawing, player, banker))
        for player, banker in product(counted, counted)
    ]
    cards = np.concatenate(blocks)
    weights = _weights(cards, copies, size)
    # A few packs do not hold enough of a rank for every round.
    dealt = weights > 0
    return ShoeRounds(cards=cards[dealt], weights=weights[dealt], packs=packs, total=total)


def _cross_join(*parts: Sequence[tuple[int, ...]]) -> NDArray[Any]:
    """Return the Cartesian product of `parts`, as rows."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for part in parts:
        added = np.array(part, dtype=np.int64)
        rows = np.hstack([np.repeat(rows, len(added), axis=0), np.tile(added, (len(rows), 1))])
    return rows


def _additional_cards(drawing: DrawingRule, player: int, banker: int) -> list[tuple[int, int]]:
    """Return the additional cards that can follow two totals."""
    ranks = range(len(RANKS))
    if player in drawing.natural or banker in drawing.natural:
        return [(NO_CARD, NO_CARD)]
    if player not in drawing.player:
        if banker in drawing.player_stood:
            return [(NO_CARD, last) for last in ranks]
        return [(NO_CARD, NO_CARD)]
    follow: list[tuple[int, int]] = []
    for third in ranks:
        draws = drawing.values[RANKS[third]] in drawing.against.get(banker, frozenset())
        follow += [(third, last) for last in ranks] if draws else [(third, NO_CARD)]
    return follow


def _weights(cards: NDArray[Any], copies: int, size: int) -> NDArray[Any]:
    """Return the number of orders of six cards that begin with each round."""
    weights = np.ones(len(cards), dtype=np.int64)
    # A pair of different ranks may come in either order.
    weights *= np.where(cards[:, 0] != cards[:, 1], 2, 1)
    weights *= np.where(cards[:, 2] != cards[:, 3], 2, 1)
    gone = np.zeros(len(cards), dtype=np.int64)
    for at in range(cards.shape[1]):
        dealt = cards[:, at] != NO_CARD
        alike = (cards[:, :at] == cards[:, [at]]).sum(axis=1)
        weights *= np.where(dealt, copies - alike, 1)
        gone += dealt
    for left in range(cards.shape[1]):
        # Cards of the six that the round does not need may be any of those that are left.
        weights *= np.where(gone <= left, size - left, 1)
    return weights
