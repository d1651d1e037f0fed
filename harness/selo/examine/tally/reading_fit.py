"""How often answers fit the readings of the open points on which they depend."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from selo.cases import Case
    from selo.cases.oracle import AnswerReadings, ReadingSearch
    from selo.examine.tally.answer_difference import Point

#: A reading is followed if for each answer that contradicts it this many fit it and not the law in
#: force: one odd answer does not turn all others into breaches.
_FOLLOWED_PER_ODD: Final = 10
#: Answers that agree with the readings followed are all counted by point up to this many; later
#: ones, one in this many.
_COUNTED_ALL: Final = 200
_COUNTED_EVERY: Final = 16


@dataclass(slots=True)
class ReadingFit:
    """How many answers fit each reading of each open point, over the cases that tell them apart."""

    #: The number of cases that tell readings of a point apart.
    cases: dict[str, int] = field(default_factory=dict)
    fits: dict[Point, int] = field(default_factory=dict)
    #: How many of them fit a reading and not the law in force, and the reverse.
    agreeing: dict[Point, int] = field(default_factory=dict)
    contradicting: dict[Point, int] = field(default_factory=dict)
    #: The number of answers that agree with all readings followed.
    _agreeing_cases: int = 0

    def weigh_agreeing(self) -> int:
        """Return for how many an answer counts that agrees with all readings followed.

        Of very many, only some are counted by point: that they agree is known of each.
        """
        self._agreeing_cases += 1
        if self._agreeing_cases <= _COUNTED_ALL:
            return 1
        return 0 if self._agreeing_cases % _COUNTED_EVERY else _COUNTED_EVERY

    def take(self, apart: AnswerReadings, search: ReadingSearch) -> None:
        """Count an answer for the points on which it depends."""
        agrees = bool(search.followed) and apart.agrees(search.followed)
        weight = self.weigh_agreeing() if agrees else 1
        names = dict.fromkeys(name for name, _ in (*search.followed, *apart.found))
        for name in names if weight else ():
            fitting = apart.fitting_readings(name)
            if fitting is not None:
                readings = search.oracle.points_of(apart.case.game)[name]
                in_force = search.oracle.reading_of(name)
                self.count(name, readings, in_force, fitting, weight=weight)

    def drop_unfollowed(
        self, search: ReadingSearch, answers: Iterable[tuple[Case, Any, int | None]]
    ) -> None:
        """Drop the suggested readings that a few right answers show not to be followed."""
        if not search.followed:
            return
        tried = ReadingFit()
        for case, answer, _ in answers:
            tried.take(search.of(case, answer), search)
        search.followed = tuple(
            point
            for point in search.followed
            if not (tried.contradicting.get(point, 0) and self._is_denied(point, tried))
        )

    def count(
        self,
        name: str,
        readings: Collection[str],
        in_force: str,
        fitting: Collection[str],
        *,
        weight: int = 1,
    ) -> None:
        """Count a case that fits some readings of a point and not the others."""
        self.cases[name] = self.cases.get(name, 0) + 1
        for reading in readings:
            point = (name, reading)
            fits = reading in fitting
            self.fits[point] = self.fits.get(point, 0) + fits
            if fits != (in_force in fitting):
                counted = self.agreeing if fits else self.contradicting
                counted[point] = counted.get(point, 0) + weight

    def is_denied(self, point: Point) -> bool:
        """Return whether too many answers contradict a reading for the vendor to follow it."""
        return self._is_denied(point, ReadingFit())

    def _is_denied(self, point: Point, more: ReadingFit) -> bool:
        odd = self.contradicting.get(point, 0) + more.contradicting.get(point, 0)
        agreeing = self.agreeing.get(point, 0) + more.agreeing.get(point, 0)
        return odd > 0 and agreeing < _FOLLOWED_PER_ODD * odd
