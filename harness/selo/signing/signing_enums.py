"""The few closed sets of signing: who signs, how long a signature lasts, what it is by law."""

from __future__ import annotations

import enum
from typing import Final

#: By what name signatures say with which program they were made.
PROGRAM: Final = "Selo"


class Capacity(enum.StrEnum):
    """In which capacity a person signs; the order is the order of signing."""

    #: Certifies the document.
    LABORATORY = "laboratory"
    #: Approves what the laboratory certified.
    BUREAU = "bureau"

    @property
    def field(self) -> str:
        """The name of the box that this capacity fills."""
        return f"Selo-{self.value}"

    @property
    def timestamp_field(self) -> str:
        """The name of the unseen field of the timestamp over the whole document."""
        return f"Selo-{self.value}-timestamp"

    @property
    def earlier(self) -> tuple[Capacity, ...]:
        """Who must have signed before."""
        order = list(Capacity)
        return tuple(order[: order.index(self)])

    @classmethod
    def of(cls, field: str) -> Capacity | None:
        """Return the capacity whose box or timestamp `field` is."""
        for capacity in cls:
            if field in {capacity.field, capacity.timestamp_field}:
                return capacity
        return None


class Level(enum.StrEnum):
    """The baseline levels of PAdES (ETSI EN 319 142-1), each containing the one before."""

    #: A signature.
    B = "b-b"
    #: … with a timestamp on it.
    T = "b-t"
    #: … with everything that is needed to check it later.
    LT = "b-lt"
    #: … and a timestamp over all of that.
    LTA = "b-lta"

    def reaches(self, other: Level) -> bool:
        """Return whether this level is at least `other`."""
        order = list(Level)
        return order.index(self) >= order.index(other)


class SignatureStanding(enum.StrEnum):
    """What a signature is under Lei 5/2005."""

    ADVANCED = "advanced"
    #: Only where the operator named the root of the chain as one of qualified certificates.
    QUALIFIED = "qualified"
