"""The repair log: scanning errors and their corrections.

Applying the repairs to a source line gives the working line; undoing them restores the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from selo.text import Words

if TYPE_CHECKING:
    from collections.abc import Sequence


class Repair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One misread piece of one line."""

    file: str
    line: int
    scanned: str
    read: str
    why: str
    nth: int | None = None
    judgement: str | None = None
    note: str | None = None


class RepairLog(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All repairs, and the reasons they may give."""

    reasons: dict[str, Words]
    repairs: list[Repair]


class RepairNotApplicable(ValueError):
    """A repair does not match the line that it names."""


@dataclass(frozen=True, slots=True)
class _RepairSpot:
    start: int
    repair: Repair


def apply_repairs(line: str, repairs: Sequence[Repair]) -> str:
    """Return `line` with the scanning errors corrected."""
    pieces: list[str] = []
    done = 0
    for spot in _locate_repairs(line, repairs):
        pieces += [line[done : spot.start], spot.repair.read]
        done = spot.start + len(spot.repair.scanned)
    return "".join([*pieces, line[done:]])


def undo_repairs(working: str, line: str, repairs: Sequence[Repair]) -> str:
    """Return `working` as it was scanned; the positions come from the scanned `line`."""
    pieces: list[str] = []
    done = shift = 0
    for spot in _locate_repairs(line, repairs):
        start = spot.start + shift
        stop = start + len(spot.repair.read)
        if working[start:stop] != spot.repair.read:
            msg = f"'{spot.repair.read}' does not stand where the repair put it"
            raise RepairNotApplicable(msg)
        pieces += [working[done:start], spot.repair.scanned]
        done = stop
        shift += len(spot.repair.read) - len(spot.repair.scanned)
    return "".join([*pieces, working[done:]])


def _locate_repairs(line: str, repairs: Sequence[Repair]) -> list[_RepairSpot]:
    spots = sorted(
        (_RepairSpot(_find_scanned(line, repair), repair) for repair in repairs), key=_start
    )
    for before, after in pairwise(spots):
        if before.start + len(before.repair.scanned) > after.start:
            msg = f"'{before.repair.scanned}' and '{after.repair.scanned}' overlap"
            raise RepairNotApplicable(msg)
    return spots


def _start(spot: _RepairSpot) -> int:
    return spot.start


def _find_scanned(line: str, repair: Repair) -> int:
    if not repair.scanned:
        msg = "a repair must name what was scanned"
        raise RepairNotApplicable(msg)
    start = -1
    for _ in range(repair.nth or 1):
        start = line.find(repair.scanned, start + 1)
        if start < 0:
            msg = f"'{repair.scanned}' does not stand in the line (occurrence {repair.nth or 1})"
            raise RepairNotApplicable(msg)
    if repair.nth is None and line.find(repair.scanned, start + 1) >= 0:
        msg = f"'{repair.scanned}' stands in the line more than once"
        raise RepairNotApplicable(msg)
    return start
