"""Which days can be working days; the law of holidays is not among our instruments.

Days of rest and holidays on fixed dates are reconstructed. Holidays that move with the moon, with
Easter or by order are not known, so no day is ever assumed to be a working day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law

#: The reconstruction and its statements.
_RECONSTRUCTION: Final = "working-days"
_REST, _FIXED = "days-of-rest", "fixed-holidays"
_DAY: Final = dt.timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkingDays:
    """The days that are known not to be working days."""

    #: Names of days of the week.
    rest: frozenset[str]
    #: Month and day, as in ``01-31``.
    holidays: frozenset[str]

    @classmethod
    def of(cls, law: Law) -> WorkingDays:
        """Return the reconstructed calendar."""
        tables = {
            statement.id: statement.table or {}
            for _, reconstruction in law.reconstructions
            if reconstruction.reconstructed == _RECONSTRUCTION
            for statement in reconstruction.statements
        }
        return cls(
            rest=frozenset(tables.get(_REST, {}).get("days", ())),
            holidays=frozenset(tables.get(_FIXED, {}).get("days", ())),
        )

    def can_be_working_day(self, day: dt.date) -> bool:
        """Return whether `day` is not a known day of rest or holiday."""
        return _WEEKDAYS[day.weekday()] not in self.rest and f"{day:%m-%d}" not in self.holidays

    def possible_days(self, requested: dt.date, used: dt.date, *, clear: bool) -> Iterator[dt.date]:
        """Yield the possible working days from the request (if clear, after it) until the use."""
        day = requested
        while day < used:
            if self.can_be_working_day(day) and not (clear and day == requested):
                yield day
            day += _DAY


_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
