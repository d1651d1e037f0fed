"""Opens a document: the report inside, and the files that are attached or lie beside it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.examine.run.evidence_header import TOOL_DIGEST, compute_tool_digest
from selo.report.content.attachments import is_enclosure_name
from selo.report.formats import encode_report
from selo.report.model.report_model import REPORT_FORMAT, Report
from selo.signing.attached_files import UnreadablePdf, read_attached_files
from selo.storage import decode_json, read_bounded
from selo.storage.limited_process import LimitExceeded
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
        attached = read_attached_files(document)
    except (UnreadablePdf, LimitExceeded) as error:
        raise UnreadableDocument(str(error)) from error
    raw = attached.pop(REPORT, None)
    if raw is None:
        raise UnreadableDocument(REPORT)
    try:
        report = decode_json(raw, Report)
    except msgspec.MsgspecError as error:
        raise UnreadableDocument(f"{REPORT}: {error}") from error
    return DocumentParts(report=report, raw=raw, attached=attached)


def check_report(parts: DocumentParts) -> Iterator[DocumentCheck]:
    """Check that the report is in its canonical form."""
    if parts.report.format != REPORT_FORMAT:
        yield open_check("report", "report.format", format=parts.report.format)
    elif encode_report(parts.report) != parts.raw and not _is_written_by_another(parts):
        yield failed_check("report", "report.rewritten")
    else:
        yield passed_check("report", number=parts.report.number)


def _is_written_by_another(parts: DocumentParts) -> bool:
    """Return whether another version wrote a report, in the one form that it has."""
    is_ours = parts.report.method.tool.get(TOOL_DIGEST) == compute_tool_digest()
    return not is_ours and encode_canonical(msgspec.json.decode(parts.raw)) + b"\n" == parts.raw


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
        if data is not None and not attachment.attached:
            yield failed_check(f"attachment {attachment.name}", "attachment.unknown", **slots), None
            continue
        if data is None and attachment.attached:
            yield failed_check(f"attachment {attachment.name}", "attachment.gone", **slots), None
            continue
        if data is None:
            data = _read_beside(folder, attachment.name)
        if data is None:
            yield open_check(f"attachment {attachment.name}", "attachment.beside", **slots), None
            continue
        if (hashlib.sha256(data).hexdigest(), len(data)) != (attachment.sha256, attachment.size):
            yield failed_check(f"attachment {attachment.name}", "attachment.differs", **slots), None
        else:
            yield passed_check(f"attachment {attachment.name}", "attachment", **slots), data
    for name in sorted(parts.attached.keys() - named):
        yield failed_check(f"attachment {name}", "attachment.unknown", file=name), None


def _read_beside(folder: Path | None, name: str) -> bytes | None:
    """Return a file beside the document; None if there is none that can be read."""
    try:
        return None if folder is None else read_bounded(folder / name)
    except OSError:
        return None
