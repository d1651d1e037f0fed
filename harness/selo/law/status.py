"""Which text was the law on a given day, as well as we know it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.law.files.provision_file import Effect

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from selo.law.files.provision_file import Day, Instrument, Link

#: How an act says that it touches everything.
_ALL = "all"


class LegalStanding(enum.IntEnum):
    """What the stored words were on that day; the greater is the graver."""

    IN_FORCE = 0
    AMENDED = 1
    REVOKED = 2
    NOT_YET = 3


class Certainty(enum.Enum):
    """Whether the day falls clear of what we do not know."""

    NO = "no"
    PERHAPS = "perhaps"
    YES = "yes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """How the stored words stand on a day."""

    standing: LegalStanding
    #: False when our knowledge of the dates leaves it open.
    certain: bool
    #: The act that changed or revoked the words, if one did.
    by: Link | None

    @property
    def is_law(self) -> bool:
        """Whether the stored words were certainly the law on that day."""
        return self.standing is LegalStanding.IN_FORCE and self.certain


def status_on(instrument: Instrument, day: dt.date, *, article: str | None = None) -> Status:
    """Return how `instrument`, or one `article` of it, stands on `day`."""
    begun = _reached(instrument.dates.in_force, day)
    if begun is Certainty.NO:
        return Status(standing=LegalStanding.NOT_YET, certain=True, by=None)
    gravest = Status(standing=LegalStanding.IN_FORCE, certain=begun is Certainty.YES, by=None)
    for status in _changes(instrument, day, article):
        # Of two that weigh the same, the later act is the one to name.
        if _gravity(status) >= _gravity(gravest):
            gravest = status
    return gravest


def _gravity(status: Status) -> tuple[LegalStanding, bool]:
    return status.standing, status.certain


def _changes(instrument: Instrument, day: dt.date, article: str | None) -> Iterator[Status]:
    for link in instrument.chain:
        if link.effect not in {Effect.AMENDED_BY, Effect.REVOKED_BY}:
            continue
        if article is not None and not {_ALL, article} & set(link.articles):
            continue
        reached = _reached(link.day, day)
        if reached is Certainty.NO:
            continue
        revoked = link.effect is Effect.REVOKED_BY
        yield Status(
            standing=LegalStanding.REVOKED if revoked else LegalStanding.AMENDED,
            certain=reached is Certainty.YES,
            by=link,
        )


def _reached(known: Day, day: dt.date) -> Certainty:
    if day < known.not_before:
        return Certainty.NO
    return Certainty.YES if day >= known.not_after else Certainty.PERHAPS
