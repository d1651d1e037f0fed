"""Closed sets of signing: capacities of signers, PAdES levels, legal standing."""

from __future__ import annotations

import enum
from typing import Final, NamedTuple

#: The program name that our signatures carry.
PROGRAM: Final = "Selo"
#: A single letter stands in almost every name.
_SHORTEST_NAME: Final = 2


class Capacity(enum.StrEnum):
    """In which capacity a person signs; the order is the order of signing."""

    #: Certifies the document.
    LABORATORY = "laboratory"
    #: Approves what the laboratory certified.
    BUREAU = "bureau"

    @property
    def field(self) -> str:
        """The name of the signature field of this capacity."""
        return f"Selo-{self.value}"

    @property
    def timestamp_field(self) -> str:
        """The name of the invisible field of the document timestamp."""
        return f"Selo-{self.value}-timestamp"

    @property
    def earlier(self) -> tuple[Capacity, ...]:
        """The capacities that must have signed before."""
        order = list(Capacity)
        return tuple(order[: order.index(self)])

    @classmethod
    def of_field(cls, field: str) -> Capacity | None:
        """Return the capacity whose signature or timestamp field is `field`."""
        for capacity in cls:
            if field in {capacity.field, capacity.timestamp_field}:
                return capacity
        return None


class Level(enum.StrEnum):
    """The baseline levels of PAdES (ETSI EN 319 142-1); each includes the one before."""

    #: A signature.
    B = "b-b"
    #: … with a timestamp on it.
    T = "b-t"
    #: … with all data for long-term validation.
    LT = "b-lt"
    #: … and a timestamp over all of that.
    LTA = "b-lta"

    def reaches(self, other: Level) -> bool:
        """Return whether this level is at least `other`."""
        order = list(Level)
        return order.index(self) >= order.index(other)


class SignatureStanding(enum.StrEnum):
    """The legal standing of a signature under Lei 5/2005."""

    ADVANCED = "advanced"
    #: Only if the operator declared the root of the chain as an issuer of qualified certificates.
    QUALIFIED = "qualified"


class SignerIdentity(NamedTuple):
    """Who signed: digests of certificate and public key, and the name."""

    certificate: str
    key: str
    name: str

    def is_called(self, name: str) -> bool:
        """Return whether the name in the certificate contains `name`."""
        told = " ".join(name.split()).casefold()
        return len(told) >= _SHORTEST_NAME and told in " ".join(self.name.split()).casefold()
