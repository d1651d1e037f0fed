"""Rounds dealt from a shoe to player and banker, by rank, each with the number of its orders.

1. Two cards each; then the additional cards as the reconstructed drawing rule has them.
2. A round weighs as many orders of the first six cards of the shoe as begin with it.
3. Suits come afterwards: they never decide who draws.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.rules.odds.pack_deals import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from selo.law.loader import Law

#: The reconstruction that says who draws, and the open point on which it rests.
RECONSTRUCTION: Final = "bacara-drawing-rule"
POINT: Final = "2-2009--drawing-rule-not-held"
_OTHER: Final = "banker-draws-to-five"
#: No card.
NONE: Final = -1
#: The order in which the cards of a round are dealt, as places in a row of `Rounds.cards`.
DEALT: Final = (0, 2, 1, 3, 4, 5)
PLAYER: Final = (0, 1, 4)
BANKER: Final = (2, 3, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """Who draws an additional card, read from the reconstruction."""

    values: Mapping[str, int]
    natural: frozenset[int]
    player: frozenset[int]
    player_stood: frozenset[int]
    against: Mapping[int, frozenset[int]]

    def total(self, ranks: Sequence[str]) -> int:
        """Return what a hand counts: the last digit of the sum of its cards."""
        return int(str(sum(self.values[rank] for rank in ranks))[-1])

    @classmethod
    def of(cls, law: Law, reading: str) -> Drawing:
        """Return the drawing rule of `law` under a reading of the open point."""
        tables: dict[str, Any] = {
            statement.id: statement.table or {}
            for _, one in law.reconstructions
            if one.reconstructed == RECONSTRUCTION
            for statement in one.statements
        }
        banker = tables["banker-draws"]
        stood = _numbers(banker["when_player_stood"])
        against = {
            int(total): _numbers(cards) for total, cards in banker["against_third_card"].items()
        }
        values = {rank: int(value) for rank, value in tables["points"]["values"].items()}
        if reading == _OTHER:
            everything = frozenset(values.values())
            against = {total: everything for total in against if total in stood}
        return cls(
            values=values,
            natural=_numbers(tables["natural"]["stands_on"]),
            player=_numbers(tables["player-draws"]["draws_on"]),
            player_stood=stood,
            against=against,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Rounds:
    """Every round by rank: two and two cards, then the additional ones, or `NONE`."""

    cards: NDArray[Any]
    weights: NDArray[Any]
    packs: int
    total: int


def rounds(drawing: Drawing, packs: int) -> Rounds:
    """Return all rounds from a full shoe of so many packs."""
    copies = len(SUITS) * packs
    size = copies * len(RANKS)
    total = math.perm(size, len(DEALT))
    pairs = list(combinations_with_replacement(range(len(RANKS)), 2))
    counted: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for pair in pairs:
        counted[drawing.total([RANKS[at] for at in pair])].append(pair)
    blocks = [
        _crossed(counted[player], counted[banker], _more(drawing, player, banker))
        for player, banker in product(counted, counted)
    ]
    cards = np.concatenate(blocks)
    weights = _weights(cards, copies, size)
    # A few packs do not hold enough of a rank for every round.
    there = weights > 0
    return Rounds(cards=cards[there], weights=weights[there], packs=packs, total=total)


def _crossed(*parts: Sequence[tuple[int, ...]]) -> NDArray[Any]:
    """Return every way to join one of each of `parts`, as rows."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for part in parts:
        added = np.array(part, dtype=np.int64)
        rows = np.hstack([np.repeat(rows, len(added), axis=0), np.tile(added, (len(rows), 1))])
    return rows


def _more(drawing: Drawing, player: int, banker: int) -> list[tuple[int, int]]:
    """Return the additional cards that can follow two totals."""
    ranks = range(len(RANKS))
    if player in drawing.natural or banker in drawing.natural:
        return [(NONE, NONE)]
    if player not in drawing.player:
        if banker in drawing.player_stood:
            return [(NONE, last) for last in ranks]
        return [(NONE, NONE)]
    follow: list[tuple[int, int]] = []
    for third in ranks:
        draws = drawing.values[RANKS[third]] in drawing.against.get(banker, frozenset())
        follow += [(third, last) for last in ranks] if draws else [(third, NONE)]
    return follow


def _weights(cards: NDArray[Any], copies: int, size: int) -> NDArray[Any]:
    """Return in how many orders of six cards each round comes."""
    weights = np.ones(len(cards), dtype=np.int64)
    # A pair of different ranks may come in either order.
    weights *= np.where(cards[:, 0] != cards[:, 1], 2, 1)
    weights *= np.where(cards[:, 2] != cards[:, 3], 2, 1)
    gone = np.zeros(len(cards), dtype=np.int64)
    for at in range(cards.shape[1]):
        there = cards[:, at] != NONE
        alike = (cards[:, :at] == cards[:, [at]]).sum(axis=1)
        weights *= np.where(there, copies - alike, 1)
        gone += there
    for left in range(cards.shape[1]):
        # Cards of the six that the round does not need may be any of those that are left.
        weights *= np.where(gone <= left, size - left, 1)
    return weights


def _numbers(written: Any) -> frozenset[int]:
    return frozenset(int(one) for one in written)
