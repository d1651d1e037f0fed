"""What a document says of itself, as far as whoever signs it must know."""

from __future__ import annotations

import io
from typing import Final

import msgspec
import pikepdf

from selo.signing.signing_errors import SigningRefused
from selo.text.multilingual import Words

_REPORT: Final = "report.json"
_PRE_CHECK: Final = "pre-check"
#: What a file that is no PDF, or is broken, makes its reader raise.
BROKEN: Final = (
    pikepdf.PdfError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RuntimeError,
)


class SigningPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who is to sign."""

    capacity: Words
    role: str


class DocumentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The few fields of the attached report that signing depends on."""

    kind: str
    demonstration: bool
    signatories: list[SigningPerson] = []

    def says(self, role: str) -> Words | None:
        """Return the capacity in which `role` signs, in the words of the report."""
        return next(
            (signatory.capacity for signatory in self.signatories if signatory.role == role), None
        )


def read_facts(document: bytes) -> DocumentFacts:
    """Return what the report inside `document` says; without one nothing is signed."""
    try:
        with pikepdf.open(io.BytesIO(document)) as pdf:
            attached = pdf.attachments.get(_REPORT)
            raw = None if attached is None else attached.get_file().read_bytes()
    except pikepdf.PasswordError as error:
        raise SigningRefused("encrypted") from error
    except BROKEN as error:
        # What the reader says of it is English, and names an address in memory instead of the file.
        raise SigningRefused("not-pdf") from error
    if raw is None:
        raise SigningRefused("no-report")
    try:
        found = msgspec.json.decode(raw, type=DocumentFacts)
    except msgspec.MsgspecError as error:
        raise SigningRefused("no-report") from error
    if found.kind == _PRE_CHECK:
        raise SigningRefused("pre-check")
    return found
