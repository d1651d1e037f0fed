"""Facts in the attached report of a document that decide whether and how it may be signed."""

from __future__ import annotations

from typing import Final

import msgspec

from selo.signing.attached_files import EncryptedPdf, UnreadablePdf, read_attached_files
from selo.signing.signing_errors import SigningRefused
from selo.storage import decode_json
from selo.storage.limited_process import LimitExceeded
from selo.text import Words

_REPORT: Final = "report.json"
_PRE_CHECK: Final = "pre-check"


class SigningPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who is to sign."""

    capacity: Words
    role: str
    name: str = ""


class DocumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The few fields of the attached report that signing depends on."""

    kind: str
    demonstration: bool
    signatories: list[SigningPerson] = []

    def capacity_of(self, role: str) -> Words | None:
        """Return the capacity in which `role` signs, as the report names it."""
        return next(
            (signatory.capacity for signatory in self.signatories if signatory.role == role), None
        )

    def name_of(self, role: str) -> str | None:
        """Return the person who signs as `role`, as the report names them."""
        return next(
            (signatory.name for signatory in self.signatories if signatory.role == role), None
        )


def read_document_facts(document: bytes) -> DocumentFacts:
    """Return the facts of the report attached to `document`; refuse a document without one."""
    try:
        raw = read_attached_files(document).get(_REPORT)
    except EncryptedPdf as error:
        raise SigningRefused("encrypted") from error
    except (UnreadablePdf, LimitExceeded) as error:
        # pikepdf's message is English only.
        raise SigningRefused("not-pdf") from error
    if raw is None:
        raise SigningRefused("no-report")
    try:
        facts = decode_json(raw, DocumentFacts)
    except msgspec.MsgspecError as error:
        raise SigningRefused("no-report") from error
    if facts.kind == _PRE_CHECK:
        raise SigningRefused("pre-check")
    return facts
