"""The document as PDF: pages, structure and attachments, the same bytes for the same report.

It conforms to PDF/A-3a and PDF/UA-1, and depends neither on fonts of the machine nor on the clock.
``docs/decisions/0016-the-document.md`` gives the reasons.
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
from selo.report.pdf.first_page import MAX_DENSITY, first_density
from selo.report.pdf.sections import SignatoryBox
from selo.report.pdf.weasyprint_layout import PageRectangle, typeset
from selo.storage import read_bounded
from selo.text import user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from selo.report.content.attachments import Enclosure
    from selo.report.model.report_model import Attachment, Report

    #: Where the bytes of attachments are: a folder, enclosures, or bytes by file name.
    AttachmentSource = Path | Collection[Enclosure] | Mapping[str, bytes]

REPORT_FILE: Final = "report.json"
_LABORATORY: Final = "laboratory"
#: What stands behind the first page.
_SECOND_PAGE: Final = "contents"
_ALTERNATIVE: Final = "Alternative"
#: The relationship of an attached file to the document, by the beginning of its name.
_RELATIONSHIPS: Final = {
    "evidence": "Data", "draws": "Data", "result": "Data", "plan": "Source", "specs": "Source",
}  # fmt: skip
_DEFAULT_RELATIONSHIP: Final = "Supplement"
_MAX_INFO_TEXT: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class PdfDocument:
    """A PDF, and the boxes for signatures by role."""

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
    """Return `report` as PDF, with its attachments."""
    return render_document(report, attachments, fields=fields, languages=languages).pdf


def render_document(
    report: Report,
    attachments: AttachmentSource,
    *,
    fields: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
) -> PdfDocument:
    """Return `report` as PDF, and the boxes for its signatures.

    `fields` are the roles that sign, by default those of the signatories; a pre-check has none.
    """
    # Pages are rendered from report.json and in its order, so that equal reports look equal.
    report = msgspec.json.decode(encode_report(report), type=type(report))
    layout_languages = tuple(languages or report.languages)
    enclosed = _embedded_files(report, attachments)
    boxes = signature_boxes_of(report, fields)
    ids = {f"signature-{box.role}": box.role for box in boxes}
    # The first page is set closer until it is one page.
    for density in range(first_density(report, layout_languages), MAX_DENSITY + 1):
        typeset_pages = typeset(
            render_document_html(report, layout_languages, boxes, density=density),
            styles_of(report, layout_languages),
            load_pictures(),
            (*ids, _SECOND_PAGE),
        )
        second = typeset_pages.places.pop(_SECOND_PAGE, None)
        if second is None or second.page <= 1:
            break
    return PdfDocument(
        pdf=pack_document(typeset_pages.pdf, _document_info(report, layout_languages), enclosed),
        pages=typeset_pages.pages,
        boxes={ids[name]: place for name, place in typeset_pages.places.items()},
    )


def signature_boxes_of(report: Report, fields: Sequence[str] | None) -> list[SignatoryBox]:
    """Return the boxes for signatures."""
    signatories = {signatory.role: signatory for signatory in reversed(report.signatories)}
    if fields is None:
        roles = [signatory.role for signatory in report.signatories] or [_LABORATORY]
        fields = [] if report.kind is DocumentKind.PRE_CHECK else roles
    return [
        SignatoryBox(
            role=role,
            name=signatories[role].name if role in signatories else "",
            capacity=signatories[role].capacity if role in signatories else None,
        )
        for role in dict.fromkeys(fields)
    ]


def _document_info(report: Report, languages: Sequence[str]) -> DocumentInfo:
    author, product, version, number = (
        escape_unseen(text, _MAX_INFO_TEXT)
        for text in (report.issuer.name, report.item.product, report.item.version, report.number)
    )
    return DocumentInfo(
        titles=titles_of(report, languages),
        author=author,
        subject=f"{product} {version}",
        keywords=f"{number}, {report.evidence.root}",
        creator=f"Selo {report.method.selo}",
        day=report.dates.issued,
    )


def _embedded_files(report: Report, attachments: AttachmentSource) -> list[EmbeddedFile]:
    """Return the attached files, each checked against the digest in the report."""
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


def _read_verified(attachment: Attachment, attachments: AttachmentSource) -> bytes:
    data = _find_bytes(attachment.name, attachments)
    if data is None:
        raise user_error("attachment-absent", name=attachment.name)
    if hashlib.sha256(data).hexdigest() != attachment.sha256:
        raise user_error("attachment-other", name=attachment.name)
    return data


def _find_bytes(name: str, attachments: AttachmentSource) -> bytes | None:
    if isinstance(attachments, Mapping):
        return attachments.get(name)
    if isinstance(attachments, os.PathLike):
        path = attachments / name
        return read_bounded(path) if path.is_file() else None
    return next((attachment.read() for attachment in attachments if attachment.name == name), None)
