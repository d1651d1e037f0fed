"""Opens a document: the report inside, and the files that are attached or lie beside it."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
import pikepdf

from selo.report.content.attachments import is_enclosure_name
from selo.report.formats import encode_report
from selo.report.model.report_model import REPORT_FORMAT, Report
from selo.signing.sign import PDF_READ_ERRORS
from selo.verification.verification_report import (
    DocumentCheck,
    failed_check,
    open_check,
    passed_check,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPORT: Final = "report.json"
#: Larger attachments are not unpacked.
_MAX_ATTACHMENT_BYTES: Final = 64 << 20


#: What a file that was made to break a reader may raise.
_BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)


#: pikepdf names a stream by its address in memory, which is of no use to anybody.
_STREAM_ADDRESS: Final = re.compile(r"^stream <[^>]*>: ")


class UnreadableDocument(ValueError):
    """A document without a readable report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentParts:
    """The report of a document and the files attached to it."""

    report: Report
    #: The bytes of the attached report.
    raw: bytes
    attached: dict[str, bytes]


def open_document(document: bytes) -> DocumentParts:
    """Return the parts of `document`; raise `UnreadableDocument` if it is not one of Selo's."""
    try:
        with pikepdf.open(io.BytesIO(document)) as pdf:
            attached = {
                name: spec.get_file().read_bytes()
                for name, spec in pdf.attachments.items()
                if int(spec.get_file().size or 0) <= _MAX_ATTACHMENT_BYTES
            }
    except PDF_READ_ERRORS as error:
        raise UnreadableDocument(_STREAM_ADDRESS.sub("", str(error))) from error
    raw = attached.pop(REPORT, None)
    if raw is None:
        raise UnreadableDocument(REPORT)
    try:
        report = msgspec.json.decode(raw, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableDocument(f"{REPORT}: {error}") from error
    return DocumentParts(report=report, raw=raw, attached=attached)


def check_report(parts: DocumentParts) -> Iterator[DocumentCheck]:
    """Check that the report is in its canonical form."""
    if parts.report.format != REPORT_FORMAT:
        yield open_check("report", "report.format", format=parts.report.format)
    elif encode_report(parts.report) != parts.raw:
        yield failed_check("report", "report.rewritten")
    else:
        yield passed_check("report", number=parts.report.number)


def check_attachments(
    parts: DocumentParts, folder: Path | None
) -> Iterator[tuple[DocumentCheck, bytes | None]]:
    """Check each file that the report names; yield its bytes too if its digest is right."""
    named = {attachment.name for attachment in parts.report.attachments}
    for attachment in parts.report.attachments:
        data = parts.attached.get(attachment.name)
        slots = {"file": attachment.name, "sha256": attachment.sha256}
        if not is_enclosure_name(attachment.name):
            yield failed_check("attachment", "attachment.unknown", **slots), None
            continue
        if data is None and attachment.attached:
            yield failed_check(f"attachment {attachment.name}", "attachment.gone", **slots), None
            continue
        if data is None:
            path = None if folder is None else folder / attachment.name
            if path is None or not path.is_file():
                yield (
                    open_check(f"attachment {attachment.name}", "attachment.beside", **slots),
                    None,
                )
                continue
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != attachment.sha256:
            yield failed_check(f"attachment {attachment.name}", "attachment.differs", **slots), None
        else:
            yield passed_check(f"attachment {attachment.name}", "attachment", **slots), data
    for name in sorted(parts.attached.keys() - named):
        yield failed_check(f"attachment {name}", "attachment.unknown", file=name), None
