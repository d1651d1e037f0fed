"""Whether a vendor follows other readings than the law in force, inferred from all its answers.

1. The situations of the register suggest which readings the vendor follows together
   (`followed_readings`), and wrong answers suggest others. A few right answers are enough to drop
   those that it plainly does not follow.
2. Of each point in question every case of the plan is counted in which its readings differ, all
   other points being read as the vendor seems to read them: how many answers fit each reading.
3. A vendor follows a reading if nearly all answers that tell it from the law in force fit it.
   Whoever settles one bet by a reading and most others by the law does not follow the reading, and
   the difference is a breach. An odd answer among very many that fit leaves these open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.rules.settlement.settlement_models import UNSETTLED
from selo.verdict.observations import ReadingAdherence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Sample
    from selo.examine.tally import Point, Tally


@dataclass(kw_only=True, slots=True)
class ReadingCounts:
    """How many answers agree with the readings of one open point."""

    cases: int = 0
    #: For each reading, how many of those cases were answered according to it.
    fits: dict[str, int] = field(default_factory=dict)
    #: Readings that the vendor does not follow, although they allow some differences.
    denied: set[str] = field(default_factory=set)

    def followed(self, divergence: str) -> ReadingAdherence:
        """Return the counts in the form that verdicts use."""
        return ReadingAdherence(divergence=divergence, cases=self.cases, fits=self.fits)


def infer_readings(
    game: str, tally: Tally, right: Sequence[Sample], cases: Iterable[tuple[int, Case]]
) -> dict[str, ReadingCounts]:
    """Return the counts for each open point of which a reading allows some difference.

    `cases` are all cases of the game, each with its place in the plan, generated on demand.
    """
    tally.infer_readings()
    points = tally.oracle.points_of(game)
    wanted = {
        point
        for difference in tally.differences.values()
        for point in (*difference.readings, *difference.together, *difference.against)
    }
    if not wanted:
        return {}
    names = [name for name in points if name in {point for point, _ in wanted}]
    fit = tally.reading_fit
    fit.drop_unfollowed(tally.search, right)
    counter = _RightAnswerCounter(tally, game, names)
    for place, case in cases:
        if place not in tally.wrong_places and place not in tally.unanswered_places:
            counter.count(place, case)
    return {
        name: ReadingCounts(
            cases=fit.cases.get(name, 0),
            fits={reading: fit.fits.get((name, reading), 0) for reading in points[name]},
            denied={
                reading for reading in points[name]
                if (name, reading) in wanted and fit.is_denied((name, reading))
            },
        )
        for name in names
    }  # fmt: skip


def contradicted_readings(counts: Mapping[str, ReadingCounts]) -> set[Point]:
    """Return the readings that the vendor does not follow, although they allow a difference."""
    return {(name, reading) for name, count in counts.items() for reading in count.denied}


class _RightAnswerCounter:
    """Counts every right answer to a case in which readings of a point in question differ."""

    def __init__(self, tally: Tally, game: str, names: Sequence[str]) -> None:
        self._tally, self._oracle = tally, tally.oracle
        followed = tally.search.followed
        self._followed = tally.oracle.under(followed)
        #: For each point, the law under each of its readings, other points being read as followed.
        self._variants: dict[str, dict[str, Oracle]] = {}
        for name in names:
            rest = tuple(point for point in followed if point[0] != name)
            in_force = tally.oracle.reading_of(name)
            self._variants[name] = {
                reading: tally.oracle.under(
                    rest if reading == in_force else (*rest, (name, reading))
                )
                for reading in tally.oracle.points_of(game)[name]
            }

    def count(self, place: int, case: Case) -> None:
        """Count the right answer to a case for every point of which it tells readings apart."""
        lawful = self._oracle.answer(case)
        if lawful is None:
            return
        fit, search = self._tally.reading_fit, self._tally.search
        if self._followed is not self._oracle and not _gives(self._followed, case, lawful):
            self._tally.take_odd_answer(case, lawful, place)
            return
        weight = 1 if self._followed is self._oracle else fit.weigh_agreeing()
        for name, variants in self._variants.items() if weight else ():
            fitting = {
                reading
                for reading, oracle in variants.items()
                if oracle is self._oracle or _gives(oracle, case, lawful)
            }
            if len(fitting) < len(variants):
                in_force = search.oracle.reading_of(name)
                fit.count(name, variants, in_force, fitting, weight=weight)


def _gives(oracle: Oracle, case: Case, answer: Any) -> bool:
    """Return whether the law under other readings answers a case in the same way."""
    try:
        if case.method == "settle":
            return oracle.is_exactly_expected(case, answer)
        return bool(oracle.compare(case) == answer)
    except UNSETTLED:
        # These readings do not answer such a case, so that it contradicts nothing.
        return True
