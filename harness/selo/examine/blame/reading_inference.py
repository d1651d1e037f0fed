"""Whether a vendor follows another reading than the law in force, held against its right answers.

1. A reading under which something that differs would be lawful is followed only if no answer is as
   the law in force has it where the reading has it otherwise: whoever settles one bet by a reading
   and all others by the law does not follow that reading, and what differs is a breach.
2. A few right answers that were kept, and what else was laid in the cases that differ, tell most of
   it. What they do not deny is held against every case of the plan.
3. Of points on which nobody has ruled, every case that tells their readings apart is counted, so
   that it can be said in how many of them a reading was followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.cases.oracle import lawful_under
from selo.rules.checks.game_check import executable
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import UNRULY
from selo.verdict.observations import Followed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Sample
    from selo.examine.tally import Point, Tally
    from selo.law.loader import Law


@dataclass(kw_only=True, slots=True)
class Shown:
    """What all answers say of one open point."""

    cases: int = 0
    #: For each reading, how many of those cases were answered as it has them.
    fits: dict[str, int] = field(default_factory=dict)
    #: Readings that a right answer contradicts.
    denied: set[str] = field(default_factory=set)

    def followed(self, divergence: str) -> Followed:
        """Return it as verdicts ask for it."""
        return Followed(divergence=divergence, cases=self.cases, fits=self.fits)


def shown(
    law: Law,
    game: str,
    tally: Tally,
    right: Sequence[Sample],
    cases: Iterable[tuple[int, Case]],
) -> dict[str, Shown]:
    """Return what the answers say of each point that would make some difference lawful.

    `cases` are all cases of the game, each with its place in the plan: they are made only if they
    are asked for.
    """
    wanted = {
        point
        for difference in tally.differences.values()
        for point in (*difference.readings, *difference.against)
    }
    if not wanted:
        return {}
    points = executable(law, game)
    found = {name: Shown(fits=dict.fromkeys(points[name], 0)) for name, _ in sorted(wanted)}
    for name, reading in wanted:
        if _denied(tally, game, (name, reading), right):
            found[name].denied.add(reading)
    asked: dict[str, dict[str, Oracle]] = {}
    for name, so_far in found.items():
        adopted = tally.oracle.ruled(name)
        # On what was ruled nobody needs to know how often; a reading is denied or it is not.
        readings = [
            one
            for one in points[name]
            if one != tally.oracle.reading(name)
            and (not adopted or ((name, one) in wanted and one not in so_far.denied))
        ]
        if readings:
            asked[name] = {reading: tally.oracle.under(name, reading) for reading in readings}
    if asked:
        _count(tally, asked, found, cases)
    for (name, reading), times in tally.told.fits.items():
        if name in found:
            found[name].fits[reading] += times
    for name, one in found.items():
        one.cases += tally.told.cases.get(name, 0)
    return found


def denied(found: Mapping[str, Shown]) -> set[Point]:
    """Return the readings that are not followed, whatever some differences look like."""
    return {(name, reading) for name, one in found.items() for reading in one.denied}


def _denied(tally: Tally, game: str, point: Point, right: Sequence[Sample]) -> bool:
    if tally.told.denied.get(point):
        return True
    other = tally.oracle.others(game)[point]
    return any(not _so(other, one) for one in right)


def _so(game: Any, sample: Sample) -> bool:
    try:
        return lawful_under(game, *sample)
    except UNRULY:
        return True


def _count(
    tally: Tally,
    asked: Mapping[str, Mapping[str, Oracle]],
    found: Mapping[str, Shown],
    cases: Iterable[tuple[int, Case]],
) -> None:
    """Count every right answer to a case in which readings part, and deny what it contradicts."""
    oracle = tally.oracle
    for place, case in cases:
        if place in tally.otherwise or place in tally.unsound:
            continue
        lawful = oracle.answer(case)
        if lawful is None:
            continue
        for name, readings in asked.items():
            otherwise = {one for one, law in readings.items() if not _alike(law, case, lawful)}
            if otherwise:
                one = found[name]
                one.cases += 1
                one.denied |= otherwise
                for reading in (oracle.reading(name), *readings):
                    if reading not in otherwise:
                        one.fits[reading] += 1


def _alike(other: Oracle, case: Case, lawful: Any) -> bool:
    """Return whether the law under another reading answers a case in the same way."""
    try:
        if case.method == "settle":
            return other.plainly_right(case, lawful)
        return bool(other.order(case) == lawful)
    except BadOutcome:
        # Under this reading there is no such case.
        return True
