"""The legal status of an instrument or article on a given day, and the current day in Macau.

A law is in force from a date on, and two machines must apply the same law at the same moment.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.files.provision_file import Day, Instrument, Link

#: An act that affects every article.
_ALL_ARTICLES: Final = "all"
#: Macau has no daylight saving time, so no time zone database is needed.
MACAU: Final = dt.timezone(dt.timedelta(hours=8))


def macau_today(moment: dt.datetime | None = None) -> dt.date:
    """Return the date in Macau, now or at `moment`."""
    return (moment or dt.datetime.now(dt.UTC)).astimezone(MACAU).date()


class LegalStanding(enum.IntEnum):
    """The status of the stored text on that day; greater is graver."""

    IN_FORCE = 0
    AMENDED = 1
    REVOKED = 2
    NOT_YET = 3


class Certainty(enum.Enum):
    """Whether the day lies before, within or after the uncertain period of a date."""

    NO = "no"
    PERHAPS = "perhaps"
    YES = "yes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """The legal status of the stored text on a day."""

    standing: LegalStanding
    #: False if the known dates leave it open.
    certain: bool
    #: The act that amended or revoked the text, if any.
    by: Link | None

    @property
    def is_law(self) -> bool:
        """Whether the stored text was certainly in force on that day."""
        return self.standing is LegalStanding.IN_FORCE and self.certain


def status_on(instrument: Instrument, day: dt.date, *, article: str | None = None) -> Status:
    """Return the status of `instrument`, or of one `article` of it, on `day`."""
    in_force = _has_reached(instrument.dates.in_force, day)
    if in_force is Certainty.NO:
        return Status(standing=LegalStanding.NOT_YET, certain=True, by=None)
    gravest = Status(standing=LegalStanding.IN_FORCE, certain=in_force is Certainty.YES, by=None)
    for status in _statuses_by_act(instrument, day, article):
        # Of equally grave acts the later one is reported.
        if _gravity(status) >= _gravity(gravest):
            gravest = status
    return gravest


def _gravity(status: Status) -> tuple[LegalStanding, bool]:
    return status.standing, status.certain


def _statuses_by_act(instrument: Instrument, day: dt.date, article: str | None) -> Iterator[Status]:
    for link in instrument.chain:
        if link.effect not in {Effect.AMENDED_BY, Effect.REVOKED_BY}:
            continue
        if article is not None and not {_ALL_ARTICLES, article} & set(link.articles):
            continue
        reached = _has_reached(link.day, day)
        if reached is Certainty.NO:
            continue
        revoked = link.effect is Effect.REVOKED_BY
        yield Status(
            standing=LegalStanding.REVOKED if revoked else LegalStanding.AMENDED,
            certain=reached is Certainty.YES,
            by=link,
        )


def _has_reached(date: Day, day: dt.date) -> Certainty:
    if day < date.not_before:
        return Certainty.NO
    return Certainty.YES if day >= date.not_after else Certainty.PERHAPS
