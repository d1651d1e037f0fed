"""Writes the documents of a run into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.examine.run.run_log import encode_indented
from selo.report.content import build_document
from selo.report.formats import render_formats
from selo.report.requirements import require_allowed
from selo.storage.atomic_write import write_new_files
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from selo.law import Law
    from selo.report.content import BuiltDocument
    from selo.report.content.attachments import Enclosure
    from selo.report.model.dossier import DocumentKind, Dossier
    from selo.report.model.report_model import Report
    from selo.verdict.witness.form import Form

#: The files of a witness form.
FORM_FILE, PRINTED_FORM, TABLET_FORM = "witness.yaml", "witness.html", "witness-tablet.html"


def write_documents(  # noqa: PLR0913 - each is a choice of its own
    folder: Path,
    law: Law,
    dossier: Dossier,
    *,
    out: Path,
    kind: DocumentKind | None = None,
    forms: Sequence[Path] = (),
    languages: Sequence[str] = ("pt", "zh"),
    formats: Sequence[str] = (),
    selftest: Path | None = None,
    language: str = "en",
) -> Report:
    """Write the documents of a run into `out`; nothing if the requested kind is not allowed."""
    document = build_document(
        folder, law, dossier, kind=kind, forms=forms, languages=languages, selftest=selftest
    )
    report, enclosures = document.report, document.enclosures
    require_allowed(report, dossier, language)
    files = list(
        render_formats(
            report, formats, language=language, enclosures=enclosures, pdf=_render_signable_pdf
        )
    )
    _refuse_other_findings(out, report)
    write_new_files(out, [*files, *_referenced_files(document)])
    return report


def _render_signable_pdf(report: Report, enclosures: Sequence[Enclosure]) -> bytes:
    """Return the PDF that people sign."""
    from selo.report.pdf import render_signable_pdf  # noqa: PLC0415 - only a PDF needs its libraries

    return render_signable_pdf(report, enclosures)


def _refuse_other_findings(out: Path, report: Report) -> None:
    """Refuse a folder with findings of another document, which this one does not have."""
    known = {f"{finding.id}.json" for finding in report.findings}
    for path in sorted((out / "findings").glob("F-*.json")):
        if path.name not in known:
            raise user_error("other-findings", path=path)


def _referenced_files(document: BuiltDocument) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the documents name: findings to replay, and large evidence."""
    for finding in document.outcome.findings:
        yield f"findings/{finding.id}.json", encode_indented(finding)
    for attached, enclosure in zip(document.report.attachments, document.enclosures, strict=True):
        if not attached.attached:
            yield attached.name, enclosure.read()


def render_witness_files(form: Form, law: Law) -> dict[str, bytes]:
    """Return the files of a form: to edit, to print, and to fill in on a tablet."""
    from selo.report.formats.web_page import embed_chinese_font  # noqa: PLC0415 - only forms need it
    from selo.verdict.witness import form_html  # noqa: PLC0415 - the same
    from selo.verdict.witness.form import form_to_yaml  # noqa: PLC0415 - the same

    pages = {
        FORM_FILE: form_to_yaml(form),
        PRINTED_FORM: embed_chinese_font(form_html.form_page(form, law)),
        TABLET_FORM: embed_chinese_font(form_html.tablet_page(form, law)),
    }
    return {name: content.encode() for name, content in pages.items()}
