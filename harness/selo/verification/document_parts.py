"""Takes a document apart: the report in it, and the files that are attached or lie beside it."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
import pikepdf

from selo.report.formats import encode_report
from selo.report.model.report_model import REPORT_FORMAT, Report
from selo.signing.sign import BROKEN
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
#: A file inside of a document larger than this is not unpacked.
_MAX_ATTACHMENT_BYTES: Final = 64 << 20


#: What a file that was made to break a reader may raise.
_BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, RuntimeError)


#: How pikepdf names bytes that have no file; an address in memory tells nobody anything.
_STREAM_ADDRESS: Final = re.compile(r"^stream <[^>]*>: ")


class UnreadableDocument(ValueError):
    """A document that holds no report that can be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentParts:
    """A document taken apart."""

    report: Report
    #: The report as it is attached, byte for byte.
    raw: bytes
    attached: dict[str, bytes]


def open_document(document: bytes) -> DocumentParts:
    """Return what is inside of `document`; raise `Unreadable` if it is no document of Selo."""
    try:
        with pikepdf.open(io.BytesIO(document)) as pdf:
            attached = {
                name: spec.get_file().read_bytes()
                for name, spec in pdf.attachments.items()
                if int(spec.get_file().size or 0) <= _MAX_ATTACHMENT_BYTES
            }
    except BROKEN as error:
        raise UnreadableDocument(_STREAM_ADDRESS.sub("", str(error))) from error
    raw = attached.pop(REPORT, None)
    if raw is None:
        raise UnreadableDocument(REPORT)
    try:
        report = msgspec.json.decode(raw, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableDocument(f"{REPORT}: {error}") from error
    return DocumentParts(report=report, raw=raw, attached=attached)


def check_report(found: DocumentParts) -> Iterator[DocumentCheck]:
    """Yield whether the report is written in the one way in which reports are written."""
    if found.report.format != REPORT_FORMAT:
        yield open_check("report", "report.format", format=found.report.format)
    elif encode_report(found.report) != found.raw:
        yield failed_check("report", "report.rewritten")
    else:
        yield passed_check("report", number=found.report.number)


def check_attachments(
    found: DocumentParts, beside: Path | None
) -> Iterator[tuple[DocumentCheck, bytes | None]]:
    """Yield a check for each file that the report names, with its bytes if it is the right one."""
    named = {attachment.name for attachment in found.report.attachments}
    for attachment in found.report.attachments:
        data = found.attached.get(attachment.name)
        slots = {"file": attachment.name, "sha256": attachment.sha256}
        if data is None and attachment.attached:
            yield failed_check(f"attachment {attachment.name}", "attachment.gone", **slots), None
            continue
        if data is None:
            path = None if beside is None else beside / attachment.name
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
    for name in sorted(found.attached.keys() - named):
        yield failed_check(f"attachment {name}", "attachment.unknown", file=name), None
