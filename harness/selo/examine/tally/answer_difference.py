"""One way in which a vendor settled otherwise than the law does, by an example."""

from __future__ import annotations

from typing import Any

import msgspec

from selo.cases import Case

#: Open points, each with one of its readings.
Points = tuple[tuple[str, str], ...]


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case that a vendor settled otherwise than the law does, as an example of its kind."""

    case: Case
    #: The place of the case in its plan.
    n: int = -1
    #: Which bet of the case; nothing for a comparison.
    bet: int | None
    expected: dict[str, Any]
    observed: dict[str, Any]
    #: The provisions from which the expectation follows, each with what it does there.
    reasons: tuple[tuple[str, str], ...]
    #: Readings of points that nobody has ruled on, under which the answer would be lawful.
    readings: Points
    #: The same of points on which another reading was adopted: it is against that ruling.
    against: Points = ()

    @property
    def provisions(self) -> tuple[str, ...]:
        """The provisions from which the expectation follows."""
        return tuple(dict.fromkeys(provision for provision, _ in self.reasons))

    @property
    def open(self) -> bool:
        """Whether the law can be read so that the vendor is right."""
        return bool(self.readings)

    @property
    def lawless(self) -> bool:
        """Whether only the protocol asks for it: the law says nothing of such a bet."""
        return not self.provisions
