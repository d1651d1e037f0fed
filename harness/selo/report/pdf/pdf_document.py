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

from selo.report.formats import as_json
from selo.report.model.report_model import DocumentKind
from selo.report.pdf.a3_container import About, Enclosed, pack
from selo.report.pdf.document_pages import html, pictures, styles, titles_of
from selo.report.pdf.sections import Box
from selo.report.pdf.weasyprint_layout import Place, typeset
from selo.text import wrong
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from selo.report.content import Enclosure
    from selo.report.model.report_model import Attachment, Report

    #: A folder, or what belongs to the document with its bytes, or the bytes by their names.
    Given = Path | Collection[Enclosure] | Mapping[str, bytes]

REPORT: Final = "report.json"
_LABORATORY: Final = "laboratory"
_ALTERNATIVE: Final = "Alternative"
#: What a file is to the document, by the beginning of its name.
_RELATIONSHIPS: Final = {
    "evidence": "Data", "draws": "Data", "result": "Data", "plan": "Source", "specs": "Source",
}  # fmt: skip
_OTHERWISE: Final = "Supplement"
_MOST: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A PDF, and where on it people sign, by their role."""

    pdf: bytes
    pages: int
    boxes: dict[str, Place]


def render(
    report: Report,
    attachments: Given,
    *,
    fields: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
) -> bytes:
    """Return `report` as PDF with the files that it names attached."""
    return draw(report, attachments, fields=fields, languages=languages).pdf


def draw(
    report: Report,
    attachments: Given,
    *,
    fields: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
) -> Document:
    """Return `report` as PDF, and where its signatures have room.

    `fields` are the roles that get room, otherwise those of the signatories; a pre-check has none.
    """
    # Printed is what report.json says, in its order: reports that are equal look equal.
    report = msgspec.json.decode(as_json(report), type=type(report))
    spoken = tuple(languages or report.languages)
    enclosed = _enclosed(report, attachments)
    boxes = boxes_of(report, fields)
    ids = {f"signature-{box.role}": box.role for box in boxes}
    laid = typeset(html(report, spoken, boxes), styles(report, spoken), pictures(), tuple(ids))
    return Document(
        pdf=pack(laid.pdf, _about(report, spoken), enclosed),
        pages=laid.pages,
        boxes={ids[name]: place for name, place in laid.places.items()},
    )


def boxes_of(report: Report, fields: Sequence[str] | None) -> list[Box]:
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
        Box(
            role=role,
            name=known[role].name if role in known else "",
            capacity=known[role].capacity if role in known else None,
        )
        for role in dict.fromkeys(fields)
    ]


def _about(report: Report, languages: Sequence[str]) -> About:
    return About(
        titles=titles_of(report, languages),
        author=visible(report.issuer.name, _MOST),
        subject=f"{visible(report.item.product, _MOST)} {visible(report.item.version, _MOST)}",
        keywords=f"{visible(report.number, _MOST)}, {report.evidence.root}",
        creator=f"Selo {report.method.selo}",
        day=report.dates.issued,
    )


def _enclosed(report: Report, attachments: Given) -> list[Enclosed]:
    """Return what is attached, each file with the digest that the report gives it."""
    whole = Enclosed(
        name=REPORT,
        description=REPORT,
        data=as_json(report),
        relationship=_ALTERNATIVE,
    )
    files = [
        Enclosed(
            name=attachment.name,
            description=f"{attachment.what.pt} · {attachment.what.zh}",
            data=_read(attachment, attachments),
            relationship=_RELATIONSHIPS.get(attachment.name.partition(".")[0], _OTHERWISE),
        )
        for attachment in report.attachments
        if attachment.attached
    ]
    return [whole, *files]


def _read(one: Attachment, attachments: Given) -> bytes:
    data = _found(one.name, attachments)
    if data is None:
        raise wrong("attachment-absent", name=one.name)
    if hashlib.sha256(data).hexdigest() != one.sha256:
        raise wrong("attachment-other", name=one.name)
    return data


def _found(name: str, attachments: Given) -> bytes | None:
    if isinstance(attachments, Mapping):
        return attachments.get(name)
    if isinstance(attachments, os.PathLike):
        path = attachments / name
        return path.read_bytes() if path.is_file() else None
    return next((attachment.read() for attachment in attachments if attachment.name == name), None)
