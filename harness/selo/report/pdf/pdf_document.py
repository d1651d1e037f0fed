"""The document as PDF: pages, structure and attachments, the same bytes for the same report.

It is PDF/A-3a and PDF/UA-1 at once, uses no font of the machine, and looks at no clock.
``docs/decisions/0016-the-document.md`` says why it is made as it is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.report.formats import encode_report
from selo.report.model.report_model import DocumentKind
from selo.report.pdf.a3_container import DocumentInfo, EmbeddedFile, pack_document
from selo.report.pdf.document_pages import load_pictures, render_document_html, styles_of, titles_of
from selo.report.pdf.sections import SignatoryBox
from selo.report.pdf.weasyprint_layout import PageRectangle, typeset
from selo.text import user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from selo.report.content import Enclosure
    from selo.report.model.report_model import Attachment, Report

    #: A folder, or what belongs to the document with its bytes, or the bytes by their names.
    AttachmentSource = Path | Collection[Enclosure] | Mapping[str, bytes]

REPORT_FILE: Final = "report.json"
_LABORATORY: Final = "laboratory"
_ALTERNATIVE: Final = "Alternative"
#: What a file is to the document, by the beginning of its name.
_RELATIONSHIPS: Final = {
    "evidence": "Data", "draws": "Data", "result": "Data", "plan": "Source", "specs": "Source",
}  # fmt: skip
_DEFAULT_RELATIONSHIP: Final = "Supplement"
_MAX_INFO_TEXT: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class PdfDocument:
    """A PDF, and where on it people sign, by their role."""

    pdf: bytes
    pages: int
    boxes: dict[str, PageRectangle]


def render_pdf(
    report: Report,
    attachments: AttachmentSource,
    *,
    fields: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
) -> bytes:
    """Return `report` as PDF with the files that it names attached."""
    return render_document(report, attachments, fields=fields, languages=languages).pdf


def render_document(
    report: Report,
    attachments: AttachmentSource,
    *,
    fields: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
) -> PdfDocument:
    """Return `report` as PDF, and where its signatures have room.

    `fields` are the roles that get room, otherwise those of the signatories; a pre-check has none.
    """
    # Printed is what report.json says, in its order: reports that are equal look equal.
    report = msgspec.json.decode(encode_report(report), type=type(report))
    spoken = tuple(languages or report.languages)
    enclosed = _embedded_files(report, attachments)
    boxes = signature_boxes_of(report, fields)
    ids = {f"signature-{box.role}": box.role for box in boxes}
    laid = typeset(
        render_document_html(report, spoken, boxes),
        styles_of(report, spoken),
        load_pictures(),
        tuple(ids),
    )
    return PdfDocument(
        pdf=pack_document(laid.pdf, _document_info(report, spoken), enclosed),
        pages=laid.pages,
        boxes={ids[name]: place for name, place in laid.places.items()},
    )


def signature_boxes_of(report: Report, fields: Sequence[str] | None) -> list[SignatoryBox]:
    """Return who gets room for a signature."""
    known = {signatory.role: signatory for signatory in reversed(report.signatories)}
    if fields is None:
        asked = (
            []
            if report.kind is DocumentKind.PRE_CHECK
            else [signatory.role for signatory in report.signatories]
        )
        fields = asked or ([] if report.kind is DocumentKind.PRE_CHECK else [_LABORATORY])
    return [
        SignatoryBox(
            role=role,
            name=known[role].name if role in known else "",
            capacity=known[role].capacity if role in known else None,
        )
        for role in dict.fromkeys(fields)
    ]


def _document_info(report: Report, languages: Sequence[str]) -> DocumentInfo:
    return DocumentInfo(
        titles=titles_of(report, languages),
        author=escape_unseen(report.issuer.name, _MAX_INFO_TEXT),
        subject=f"{escape_unseen(report.item.product, _MAX_INFO_TEXT)} {escape_unseen(report.item.version, _MAX_INFO_TEXT)}",
        keywords=f"{escape_unseen(report.number, _MAX_INFO_TEXT)}, {report.evidence.root}",
        creator=f"Selo {report.method.selo}",
        day=report.dates.issued,
    )


def _embedded_files(report: Report, attachments: AttachmentSource) -> list[EmbeddedFile]:
    """Return what is attached, each file with the digest that the report gives it."""
    whole = EmbeddedFile(
        name=REPORT_FILE,
        description=REPORT_FILE,
        data=encode_report(report),
        relationship=_ALTERNATIVE,
    )
    files = [
        EmbeddedFile(
            name=attachment.name,
            description=f"{attachment.what.pt} · {attachment.what.zh}",
            data=_read_verified(attachment, attachments),
            relationship=_RELATIONSHIPS.get(
                attachment.name.partition(".")[0], _DEFAULT_RELATIONSHIP
            ),
        )
        for attachment in report.attachments
        if attachment.attached
    ]
    return [whole, *files]


def _read_verified(one: Attachment, attachments: AttachmentSource) -> bytes:
    data = _find_bytes(one.name, attachments)
    if data is None:
        raise user_error("attachment-absent", name=one.name)
    if hashlib.sha256(data).hexdigest() != one.sha256:
        raise user_error("attachment-other", name=one.name)
    return data


def _find_bytes(name: str, attachments: AttachmentSource) -> bytes | None:
    if isinstance(attachments, Mapping):
        return attachments.get(name)
    if isinstance(attachments, os.PathLike):
        path = attachments / name
        return path.read_bytes() if path.is_file() else None
    return next((attachment.read() for attachment in attachments if attachment.name == name), None)
