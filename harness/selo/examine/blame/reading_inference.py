"""Whether a vendor follows another reading than the law in force, inferred from its right answers.

1. A vendor follows a reading that allows a difference only if no answer contradicts the reading.
   Whoever settles one bet by a reading and all others by the law does not follow that reading, and
   the difference is a breach.
2. A few right answers, and the other bets of the wrong cases, contradict most readings. The rest is
   compared with every case of the plan.
3. For points on which nobody has ruled, every case in which the readings differ is counted, so that
   a report can say in how many of them a reading was followed.
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
    """How many answers agree with the readings of one open point."""

    cases: int = 0
    #: For each reading, how many of those cases were answered according to it.
    fits: dict[str, int] = field(default_factory=dict)
    #: Readings that a right answer contradicts.
    denied: set[str] = field(default_factory=set)

    def followed(self, divergence: str) -> ReadingAdherence:
        """Return the counts in the form that verdicts use."""
        return ReadingAdherence(divergence=divergence, cases=self.cases, fits=self.fits)


def infer_readings(
    law: Law,
    game: str,
    tally: Tally,
    right: Sequence[Sample],
    cases: Iterable[tuple[int, Case]],
) -> dict[str, ReadingCounts]:
    """Return the counts for each open point of which a reading allows some difference.

    `cases` are all cases of the game, each with its place in the plan, generated on demand.
    """
    wanted = {
        point
        for difference in tally.differences.values()
        for point in (*difference.readings, *difference.against)
    }
    if not wanted:
        return {}
    points = settlement_points(law, game)
    counts = {
        name: ReadingCounts(fits=dict.fromkeys(points[name], 0)) for name, _ in sorted(wanted)
    }
    for name, reading in wanted:
        if _is_contradicted(tally, game, (name, reading), right):
            counts[name].denied.add(reading)
    oracles: dict[str, dict[str, Oracle]] = {}
    for name, count in counts.items():
        adopted = tally.oracle.is_ruled(name)
        # After a ruling it matters only whether a reading is contradicted, not how often.
        readings = [
            reading
            for reading in points[name]
            if reading != tally.oracle.reading_of(name)
            and (not adopted or ((name, reading) in wanted and reading not in count.denied))
        ]
        if readings:
            oracles[name] = {
                reading: tally.oracle.with_reading(name, reading) for reading in readings
            }
    if oracles:
        _count_right_answers(tally, oracles, counts, cases)
    for (name, reading), times in tally.reading_fit.fits.items():
        if name in counts:
            counts[name].fits[reading] += times
    for name, count in counts.items():
        count.cases += tally.reading_fit.cases.get(name, 0)
    return counts


def contradicted_readings(counts: Mapping[str, ReadingCounts]) -> set[Point]:
    """Return the readings that some answer contradicts, although they allow a difference."""
    return {(name, reading) for name, count in counts.items() for reading in count.denied}


def _is_contradicted(tally: Tally, game: str, point: Point, right: Sequence[Sample]) -> bool:
    if tally.reading_fit.denied.get(point):
        return True
    other = tally.oracle.games_under_other_readings(game)[point]
    return any(not _agrees(other, sample) for sample in right)


def _agrees(game: Any, sample: Sample) -> bool:
    try:
        return is_answer_of(game, *sample)
    except ANSWER_ERRORS:
        return True


def _count_right_answers(
    tally: Tally,
    oracles: Mapping[str, Mapping[str, Oracle]],
    counts: Mapping[str, ReadingCounts],
    cases: Iterable[tuple[int, Case]],
) -> None:
    """Count every right answer to a case in which readings differ; it contradicts some of them."""
    oracle = tally.oracle
    for place, case in cases:
        if place in tally.wrong_places or place in tally.unanswered_places:
            continue
        lawful = oracle.answer(case)
        if lawful is None:
            continue
        for name, readings in oracles.items():
            contradicted = {
                reading
                for reading, law in readings.items()
                if not _answers_alike(law, case, lawful)
            }
            if contradicted:
                count = counts[name]
                count.cases += 1
                count.denied |= contradicted
                for reading in (oracle.reading_of(name), *readings):
                    if reading not in contradicted:
                        count.fits[reading] += 1


def _answers_alike(other: Oracle, case: Case, lawful: Any) -> bool:
    """Return whether the law under another reading answers a case in the same way."""
    try:
        if case.method == "settle":
            return other.is_exactly_expected(case, lawful)
        return bool(other.compare(case) == lawful)
    except BadOutcome:
        # Under this reading there is no such case.
        return True
