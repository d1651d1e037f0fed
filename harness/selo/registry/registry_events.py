"""The events of a registry of certificates, and the line of the log that holds one.

A line is canonical JSON: the event, and the signatures over its canonical form. An event names the
registry, its own number and the hash of the line before it, so that no line can be moved, left out,
repeated or put into another log.
"""

from __future__ import annotations

import base64
import datetime as dt
import enum
import hashlib
import re
import unicodedata
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from selo.errors import SeloError, UsageError
from selo.evidence.canonical_json import NotCanonical, decode_canonical, encode_canonical
from selo.evidence.merkle import leaf_hash

Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Sha1 = Annotated[str, Meta(pattern="^[0-9a-f]{40}$")]
#: The longest path of a file, or name of a person or product.
MAX_NAME: Final = 500
_Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
_Sentence = Annotated[str, Meta(min_length=1, max_length=4000)]
#: Stands for the line before the first one.
NO_LINE: Final = "0" * 64
#: The years in which a registry is kept: times near the ends of what can be counted overflow.
_YEARS: Final = range(1990, 3000)
#: Letters of Cyrillic and Greek that look like Latin ones, folded.
_LOOKALIKES: Final = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏёαβεζηικμνορτυχ", "abekmhopctyxijsdqwhleabezhikmvoptux"
)
_WORD: Final = re.compile(r"[^\W_]+")
#: No line of a log is longer; a reader may refuse a longer one unread.
MAX_LINE_BYTES: Final = 4 * 1024 * 1024


class EventKind(enum.StrEnum):
    """What happens in a registry."""

    OPEN = "open"
    #: Another policy holds from here on.
    POLICY = "policy"
    #: A commitment to a seed is published.
    COMMIT = "commit"
    ISSUE = "issue"
    SUSPEND = "suspend"
    REINSTATE = "reinstate"
    REVOKE = "revoke"
    SUPERSEDE = "supersede"
    WITHDRAW = "withdraw"


class EventStruct(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A closed part of an event."""


class EventReason(EventStruct, frozen=True):
    """Why it happens, in both official languages."""

    pt: _Sentence
    zh: _Sentence


class RegisteredProduct(EventStruct, frozen=True):
    """The product that a certificate is about."""

    vendor: _Name
    name: _Name
    version: _Name


class RegisteredFile(EventStruct, frozen=True):
    """A file of the product; field tools may have SHA-1 only."""

    path: _Name
    size: Annotated[int, Meta(ge=0)]
    sha256: Sha256
    sha1: Sha1


class RegisteredInstrument(EventStruct, frozen=True):
    """A legal act that the certificate covers, and how its text stood."""

    id: _Name
    status: _Name
    #: By the number of each article, the results of its provisions, each once.
    articles: dict[str, list[str]] = {}


class RegistryEvent(EventStruct, frozen=True):
    """One event."""

    registry: Sha256
    number: Annotated[int, Meta(ge=0)]
    previous: Sha256
    kind: EventKind
    #: In UTC, to the second.
    at: dt.datetime
    by: _Name
    #: The number of the certificate; blank where an event is about none.
    certificate: str = ""
    reason: EventReason | None = None
    document: Sha256 | None = None
    evidence_root: Sha256 | None = None
    product: RegisteredProduct | None = None
    files: list[RegisteredFile] = []
    instruments: list[RegisteredInstrument] = []
    #: By the id of each open point of the law, the reading that was adopted.
    readings: dict[str, str] = {}
    valid_until: dt.date | None = None
    #: The certificate that takes its place.
    successor: str = ""
    commitment: Sha256 | None = None
    #: Of an event that opens a registry or changes its policy: the SHA-256 of the policy.
    policy: Sha256 | None = None

    def __post_init__(self) -> None:
        """Refuse a time that cannot be one of a registry."""
        require_utc(self.at)

    def encode(self) -> bytes:
        """Return the canonical form, over which people sign."""
        return encode_canonical(self)


class LogLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event with the signatures over it, each a detached CMS in base64."""

    event: RegistryEvent
    signatures: list[str]

    def encode(self) -> bytes:
        """Return the line as it stands in the log."""
        return encode_canonical(self)

    def signature_bytes(self) -> list[bytes]:
        """Return the signatures in DER."""
        return [decode_signature(text) for text in self.signatures]


class RegistryTampered(UsageError):
    """A log that is not whole, or was changed."""

    code = "tampered"


class UnreadableLine(SeloError):
    """A line that is none of a registry."""

    code = "tampered"


def require_utc(*times: dt.datetime) -> None:
    """Refuse times that are not in UTC, to the second, in a year of which a registry can speak."""
    for at in times:
        if at.tzinfo is not dt.UTC or at.microsecond or at.year not in _YEARS:
            raise ValueError(f"{at.isoformat()} is not a time in UTC, to the second")


def fold_spelling(text: str) -> str:
    """Return the words of a name or a number as they are alike to whoever reads them.

    Case, accents, compatibility forms and letters that look like others make no difference, and
    between words a hyphen stands for whatever separates them.
    """
    plain = text.casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", text).casefold().translate(_LOOKALIKES)
        plain = "".join(one for one in plain if not unicodedata.combining(one))
    return "-".join(_WORD.findall(plain))


def decode_signature(text: str) -> bytes:
    """Return what base64 holds; of several spellings of the same bytes only one is accepted."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise UnreadableLine(f"a signature is not base64: {error}") from error
    if base64.b64encode(raw).decode("ascii") != text:
        raise UnreadableLine("a signature is not base64: the last letter has unused bits")
    return raw


def make_line(event: RegistryEvent, signatures: list[bytes]) -> LogLine:
    """Return the line of an event with its signatures in DER."""
    return LogLine(
        event=event, signatures=[base64.b64encode(one).decode("ascii") for one in signatures]
    )


def parse_line(raw: bytes) -> LogLine:
    """Return the line in `raw`; only its one canonical form is accepted."""
    if len(raw) > MAX_LINE_BYTES:
        raise UnreadableLine(f"longer than {MAX_LINE_BYTES} bytes")
    try:
        line = msgspec.convert(decode_canonical(raw), LogLine)
    except (NotCanonical, msgspec.ValidationError) as error:
        raise UnreadableLine(str(error)) from error
    if line.encode() != raw:
        raise UnreadableLine("the same event is written otherwise in canonical form")
    return line


def line_hash(raw: bytes) -> str:
    """Return the hash by which the next line names this one: that of its leaf."""
    return leaf_hash(raw).hex()


def registry_id(policy: bytes, nonce: bytes) -> str:
    """Return the name of a new registry."""
    return hashlib.sha256(b"selo registry\0" + nonce + hashlib.sha256(policy).digest()).hexdigest()
