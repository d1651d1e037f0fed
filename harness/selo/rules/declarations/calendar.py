"""Which days can be working days, as far as we know: the law of holidays is not held.

The days of rest and the holidays of a fixed date are reconstructed. Holidays that move with the
moon, with Easter or by order are not known, so no day is ever taken for a working day by itself.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.loader import Law

#: The reconstruction, and its statements that a day is looked up in.
NAME: Final = "working-days"
_REST, _FIXED = "days-of-rest", "fixed-holidays"
_DAY: Final = dt.timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """The days that are known not to be working days."""

    #: Names of days of the week.
    rest: frozenset[str]
    #: Month and day, as in ``01-31``.
    holidays: frozenset[str]

    @classmethod
    def of(cls, law: Law) -> Calendar:
        """Return what is reconstructed of the calendar."""
        tables = {
            statement.id: statement.table or {}
            for _, one in law.reconstructions
            if one.reconstructed == NAME
            for statement in one.statements
        }
        return cls(
            rest=frozenset(tables.get(_REST, {}).get("days", ())),
            holidays=frozenset(tables.get(_FIXED, {}).get("days", ())),
        )

    def may_work(self, day: dt.date) -> bool:
        """Return whether `day` is not known to be free."""
        return _WEEK[day.weekday()] not in self.rest and f"{day:%m-%d}" not in self.holidays

    def possible(self, asked: dt.date, used: dt.date, *, clear: bool) -> Iterator[dt.date]:
        """Yield the days from asking, or after it if they are clear, to the day before use."""
        day = asked
        while day < used:
            if self.may_work(day) and not (clear and day == asked):
                yield day
            day += _DAY


_WEEK: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
