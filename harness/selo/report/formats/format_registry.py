"""Registry of the formats of a report: names, file names and renderers."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from selo.report.content.attachments import Enclosure
    from selo.report.model.report_model import Report


class ReportFormat(msgspec.Struct, frozen=True, kw_only=True):
    """A format: its file name, and the function that renders it."""

    name: str
    file: str
    module: str
    function: str


#: All formats, in the order in which they are written.
REPORT_FORMATS: Final = {
    one.name: one
    for one in (
        ReportFormat(
            name="terminal",
            file="report.txt",
            module="formats.terminal_summary",
            function="render_text",
        ),
        ReportFormat(
            name="json", file="report.json", module="formats.report_json", function="encode_report"
        ),
        ReportFormat(
            name="junit", file="report.junit.xml", module="formats.junit", function="render_junit"
        ),
        ReportFormat(
            name="sarif", file="report.sarif", module="formats.sarif", function="render_sarif"
        ),
        ReportFormat(
            name="html", file="report.html", module="formats.html_report", function="render_html"
        ),
        ReportFormat(
            name="pdf", file="report.pdf", module="pdf.pdf_document", function="render_pdf"
        ),
    )
}


def find_renderer(name: str) -> Callable[..., Any] | None:
    """Return the function that renders a format; nothing if this edition does not have it."""
    report_format = REPORT_FORMATS[name]
    try:
        module = importlib.import_module(f"selo.report.{report_format.module}")
    except ModuleNotFoundError as error:
        if error.name == f"selo.report.{report_format.module}":
            return None
        raise
    renderer: Callable[..., Any] = getattr(module, report_format.function)
    return renderer


def render_formats(
    report: Report,
    names: Iterable[str],
    *,
    language: str,
    enclosures: list[Enclosure],
    pdf: Callable[[Report, list[Enclosure]], bytes] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and the bytes of each requested format.

    `pdf` replaces the renderer of the PDF, for callers that add to its pages.
    """
    for name in names:
        renderer = find_renderer(name)
        if renderer is None:
            raise user_error("format", name=name, known=", ".join(available_formats()))
        if name in {"terminal", "junit"}:
            content = renderer(report, language)
        elif name == "pdf":
            content = (pdf or renderer)(report, enclosures)
        else:
            content = renderer(report)
        yield REPORT_FORMATS[name].file, content.encode() if isinstance(content, str) else content


def available_formats() -> list[str]:
    """Return the formats that this edition has."""
    return [name for name in REPORT_FORMATS if find_renderer(name) is not None]
