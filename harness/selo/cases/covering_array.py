"""Pairwise covering arrays: few rows in which every two levels of every two factors meet.

The array grows in parameter order (IPO, Lei and Tai 1998):

1. The factor with the most levels begins, one row for each of its levels.
2. Each further factor extends every row by the level that covers most of the pairs still missing.
3. Pairs that are missing then fill unused positions, or rows of their own.
4. Positions that no pair needs take any level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    #: The level of each factor so far, None where no pair needs one.
    OpenRow = list[int | None]


def cover_pairs(sizes: Sequence[int], chance: Random) -> list[tuple[int, ...]]:
    """Return rows with a level of each factor: every two levels of two factors share some row.

    `sizes` are the numbers of levels, `chance` decides between equally good choices. A factor
    without levels leaves no rows.
    """
    if not sizes or not all(sizes):
        return []
    order = sorted(range(len(sizes)), key=lambda factor: -sizes[factor])
    rows: list[OpenRow] = [[level] for level in range(sizes[order[0]])]
    for column in range(1, len(order)):
        _add_column(rows, [sizes[factor] for factor in order[: column + 1]], chance)
    places = [order.index(factor) for factor in range(len(sizes))]
    array = [tuple([_level_at(row, at, sizes, order, chance) for at in places]) for row in rows]
    chance.shuffle(array)
    return array


def cover_levels(sizes: Sequence[int], chance: Random) -> list[tuple[int, ...]]:
    """Return rows with a level of each factor: every level of every factor is in some row."""
    if not sizes or not all(sizes):
        return []
    columns = []
    for size in sizes:
        levels = [at % size for at in range(max(sizes))]
        chance.shuffle(levels)
        columns.append(levels)
    return list(zip(*columns, strict=True))


def _add_column(rows: list[OpenRow], sizes: Sequence[int], chance: Random) -> None:
    """Add the last of `sizes` to rows that have all the others."""
    column = len(sizes) - 1
    levels = list(range(sizes[column]))
    #: The pairs still missing: by level of the new factor, an earlier factor and its level.
    missing: list[set[tuple[int, int | None]]] = [
        {(earlier, level) for earlier in range(column) for level in range(sizes[earlier])}
        for _ in levels
    ]
    for row in rows:
        pairs = set(enumerate(row))
        chance.shuffle(levels)
        best = max(levels, key=lambda level: len(missing[level] & pairs))
        missing[best] -= pairs
        row.append(best)
    unused = [row for row in rows if None in row]
    for level, pairs in enumerate(missing):
        for earlier, other in sorted(pairs, key=str):
            fitting = _find_row(unused, earlier, level)
            if fitting is None:
                fitting = [*[None] * column, level]
                rows.append(fitting)
                unused.append(fitting)
            fitting[earlier] = other


def _find_row(rows: Sequence[OpenRow], earlier: int, level: int) -> OpenRow | None:
    """Return a row in which an earlier factor has no level yet and the last has `level`."""
    return next((row for row in rows if row[earlier] is None and row[-1] == level), None)


def _level_at(
    row: OpenRow, at: int, sizes: Sequence[int], order: Sequence[int], chance: Random
) -> int:
    level = row[at]
    return chance.randrange(sizes[order[at]]) if level is None else level
