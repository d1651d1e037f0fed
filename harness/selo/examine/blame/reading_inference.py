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

from selo.cases.oracle import is_answer_of
from selo.rules.checks import settlement_points
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import ANSWER_ERRORS
from selo.verdict.observations import ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Sample
    from selo.examine.tally import Point, Tally
    from selo.law import Law


@dataclass(kw_only=True, slots=True)
class ReadingCounts:
    """What all answers say of one open point."""

    cases: int = 0
    #: For each reading, how many of those cases were answered as it has them.
    fits: dict[str, int] = field(default_factory=dict)
    #: Readings that a right answer contradicts.
    denied: set[str] = field(default_factory=set)

    def followed(self, divergence: str) -> ReadingAdherence:
        """Return it as verdicts ask for it."""
        return ReadingAdherence(divergence=divergence, cases=self.cases, fits=self.fits)


def infer_readings(
    law: Law,
    game: str,
    tally: Tally,
    right: Sequence[Sample],
    cases: Iterable[tuple[int, Case]],
) -> dict[str, ReadingCounts]:
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
    points = settlement_points(law, game)
    found = {name: ReadingCounts(fits=dict.fromkeys(points[name], 0)) for name, _ in sorted(wanted)}
    for name, reading in wanted:
        if _is_contradicted(tally, game, (name, reading), right):
            found[name].denied.add(reading)
    asked: dict[str, dict[str, Oracle]] = {}
    for name, so_far in found.items():
        adopted = tally.oracle.is_ruled(name)
        # On what was ruled nobody needs to know how often; a reading is denied or it is not.
        readings = [
            one
            for one in points[name]
            if one != tally.oracle.reading_of(name)
            and (not adopted or ((name, one) in wanted and one not in so_far.denied))
        ]
        if readings:
            asked[name] = {
                reading: tally.oracle.with_reading(name, reading) for reading in readings
            }
    if asked:
        _count_right_answers(tally, asked, found, cases)
    for (name, reading), times in tally.reading_fit.fits.items():
        if name in found:
            found[name].fits[reading] += times
    for name, one in found.items():
        one.cases += tally.reading_fit.cases.get(name, 0)
    return found


def contradicted_readings(found: Mapping[str, ReadingCounts]) -> set[Point]:
    """Return the readings that are not followed, whatever some differences look like."""
    return {(name, reading) for name, one in found.items() for reading in one.denied}


def _is_contradicted(tally: Tally, game: str, point: Point, right: Sequence[Sample]) -> bool:
    if tally.reading_fit.denied.get(point):
        return True
    other = tally.oracle.games_under_other_readings(game)[point]
    return any(not _agrees(other, one) for one in right)


def _agrees(game: Any, sample: Sample) -> bool:
    try:
        return is_answer_of(game, *sample)
    except ANSWER_ERRORS:
        return True


def _count_right_answers(
    tally: Tally,
    asked: Mapping[str, Mapping[str, Oracle]],
    found: Mapping[str, ReadingCounts],
    cases: Iterable[tuple[int, Case]],
) -> None:
    """Count every right answer to a case in which readings part, and deny what it contradicts."""
    oracle = tally.oracle
    for place, case in cases:
        if place in tally.wrong_places or place in tally.unanswered_places:
            continue
        lawful = oracle.answer(case)
        if lawful is None:
            continue
        for name, readings in asked.items():
            otherwise = {
                one for one, law in readings.items() if not _answers_alike(law, case, lawful)
            }
            if otherwise:
                one = found[name]
                one.cases += 1
                one.denied |= otherwise
                for reading in (oracle.reading_of(name), *readings):
                    if reading not in otherwise:
                        one.fits[reading] += 1


def _answers_alike(other: Oracle, case: Case, lawful: Any) -> bool:
    """Return whether the law under another reading answers a case in the same way."""
    try:
        if case.method == "settle":
            return other.is_exactly_expected(case, lawful)
        return bool(other.compare(case) == lawful)
    except BadOutcome:
        # Under this reading there is no such case.
        return True
