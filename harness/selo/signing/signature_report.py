"""The result of validating the signatures of a document."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from selo.text import say

if TYPE_CHECKING:
    import datetime as dt

    from selo.signing.signing_enums import Capacity, Level, SignatureStanding, SignerIdentity


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureFault:
    """One fault of a signature or of the file; codes are stable."""

    code: str
    slots: dict[str, str] = field(default_factory=dict)

    def in_language(self, language: str) -> str:
        """Return the fault as a sentence in `language`."""
        return say(f"sign.fault.{self.code}", language, **self.slots)


def level_fault(field: str, level: Level) -> SignatureFault:
    """Return the fault of a signature that does not reach `level`."""
    return SignatureFault(code="level", slots={"field": field, "expected": level.value})


class SignatureCoverage(enum.StrEnum):
    """How much of the file a signature covers."""

    #: From the first byte to the last.
    FILE = "file"
    #: Everything up to the end of its own revision; later revisions follow.
    REVISION = "revision"
    #: Less, or unclear.
    PARTIAL = "partial"


class Changes(enum.StrEnum):
    """What changed in a document after a signature."""

    NONE = "none"
    #: Timestamps and validation data.
    TIMESTAMPS = "timestamps"
    #: Further signatures.
    SIGNATURES = "signatures"
    #: Anything else; never allowed.
    OTHER = "other"


class Revocation(enum.StrEnum):
    """Revocation status of a certificate chain."""

    #: No certificate of the chain was revoked.
    GOOD = "good"
    REVOKED = "revoked"
    #: Revocation lists are missing.
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignatureReport:
    """The validation result of one signature or document timestamp."""

    field: str
    #: Whether it is a document timestamp and not a person's signature.
    is_timestamp: bool
    #: Whether it is the certification signature.
    certifies: bool
    capacity: Capacity | None
    signer: str
    #: The distinguished name of the certificate.
    subject: str
    issuer: str
    serial: str
    identity: SignerIdentity
    #: Time on the signer's own clock.
    claimed_at: dt.datetime | None
    #: Time of a trusted time authority.
    stamped_at: dt.datetime | None
    level: Level | None
    standing: SignatureStanding
    #: The signed bytes are unchanged.
    intact: bool
    #: The signature verifies with the key of the certificate.
    valid: bool
    #: The certificate chained to a trusted root at the time of signing.
    trusted: bool
    revocation: Revocation
    valid_from: dt.datetime
    valid_until: dt.datetime
    #: Whether the certificate was within its validity period at the known time of signing.
    in_time: bool
    coverage: SignatureCoverage
    #: Whether the last signed byte is the last byte of the file.
    ends_file: bool
    changes: Changes
    demonstration: bool
    faults: tuple[SignatureFault, ...] = ()

    @property
    def good(self) -> bool:
        """Whether it has no faults."""
        return not self.faults


@dataclass(frozen=True, kw_only=True, slots=True)
class Inspection:
    """All signatures of a document in the order of signing, and the faults of the file."""

    signatures: tuple[SignatureReport, ...] = ()
    #: Signature fields that are still empty.
    empty: tuple[str, ...] = ()
    #: Faults of the file as a whole.
    faults: tuple[SignatureFault, ...] = ()

    @property
    def good(self) -> bool:
        """Whether there is a signature and no fault anywhere."""
        return (
            bool(self.signatures)
            and not self.faults
            and all(signature.good for signature in self.signatures)
        )

    @property
    def people(self) -> tuple[SignatureReport, ...]:
        """The signatures of people, without document timestamps."""
        return tuple(signature for signature in self.signatures if not signature.is_timestamp)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedSignatures:
    """Signatures that must be present: a file truncated to an earlier revision looks valid."""

    capacities: tuple[Capacity, ...] = ()
    level: Level | None = None
    #: Signatures of people, not timestamps.
    signatures: int | None = None
