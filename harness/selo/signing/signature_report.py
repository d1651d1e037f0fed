"""What an inspection says of the signatures in a document."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import datetime as dt

    from selo.signing.signing_enums import Capacity, Level, SignatureStanding


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureFault:
    """One thing that is wrong; its code never changes."""

    code: str
    slots: dict[str, str] = field(default_factory=dict)

    def told(self, language: str) -> str:
        """Return what is wrong, in `language`."""
        return say(f"sign.fault.{self.code}", language, **self.slots)


def level_fault(field: str, level: Level) -> SignatureFault:
    """Return the fault of a signature that does not reach `level`."""
    return SignatureFault(code="level", slots={"field": field, "expected": level.value})


class SignatureCoverage(enum.StrEnum):
    """How much of the file a signature covers."""

    #: From the first byte to the last.
    FILE = "file"
    #: Everything up to the end of its own revision; more was added later.
    REVISION = "revision"
    #: Less, or in a way that cannot be told.
    PARTIAL = "partial"


class Changes(enum.StrEnum):
    """What was done to a document after a signature."""

    NONE = "none"
    #: Timestamps and data for checking it later.
    TIMESTAMPS = "timestamps"
    #: Further signatures.
    SIGNATURES = "signatures"
    #: Anything else; never allowed.
    OTHER = "other"


class Revocation(enum.StrEnum):
    """What is known of the certificate being withdrawn."""

    #: Every certificate on the way to the root was still good.
    GOOD = "good"
    REVOKED = "revoked"
    #: Nothing is at hand that says so.
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureReport:
    """One signature, or one timestamp over the whole document."""

    field: str
    #: Whether it is a timestamp over the document and not somebody's signature.
    is_timestamp: bool
    #: Whether it is the one that certifies the document.
    certifies: bool
    capacity: Capacity | None
    signer: str
    #: The whole name, as certificates write it.
    subject: str
    issuer: str
    serial: str
    #: What the signer's own clock said.
    claimed_at: dt.datetime | None
    #: What a trusted time authority said.
    stamped_at: dt.datetime | None
    level: Level | None
    standing: SignatureStanding
    #: The signed bytes are those that were signed.
    intact: bool
    #: The signature belongs to the key of the certificate.
    valid: bool
    #: The certificate led to a trusted root at the time of signing.
    trusted: bool
    revocation: Revocation
    valid_from: dt.datetime
    valid_until: dt.datetime
    #: Whether the certificate held at the time of signing, as far as that is known.
    in_time: bool
    coverage: SignatureCoverage
    #: Whether the last signed byte is the last byte of the file.
    ends_file: bool
    changes: Changes
    demonstration: bool
    faults: tuple[SignatureFault, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing at all is wrong with it."""
        return not self.faults


@dataclass(frozen=True, kw_only=True, slots=True)
class Inspection:
    """All signatures of a document, in the order of signing, and what is wrong with the whole."""

    signatures: tuple[SignatureReport, ...] = ()
    #: Prepared fields in which nobody signed.
    empty: tuple[str, ...] = ()
    #: What is wrong with the file as a whole.
    faults: tuple[SignatureFault, ...] = ()

    @property
    def good(self) -> bool:
        """Whether there is a signature, and nothing is wrong anywhere."""
        return (
            bool(self.signatures)
            and not self.faults
            and all(signature.good for signature in self.signatures)
        )

    @property
    def people(self) -> tuple[SignatureReport, ...]:
        """The signatures that are somebody's."""
        return tuple(signature for signature in self.signatures if not signature.is_timestamp)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedSignatures:
    """What somebody knows beforehand; a file cut back to an earlier revision is valid by itself."""

    capacities: tuple[Capacity, ...] = ()
    level: Level | None = None
    #: Signatures of people, not timestamps.
    signatures: int | None = None
