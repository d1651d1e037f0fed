"""All formats of one report: their names, their files, and who writes each of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.text import wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from selo.report.content import Enclosure
    from selo.report.model.report_model import Report


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format: the file it is written to, and the function that makes its bytes."""

    name: str
    file: str
    module: str
    function: str


#: All formats, in the order in which they are written.
FORMATS: Final = {
    one.name: one
    for one in (
        Format(
            name="terminal",
            file="report.txt",
            module="formats.terminal_summary",
            function="as_text",
        ),
        Format(name="json", file="report.json", module="formats.report_json", function="as_json"),
        Format(name="junit", file="report.junit.xml", module="formats.junit", function="as_junit"),
        Format(name="sarif", file="report.sarif", module="formats.sarif", function="as_sarif"),
        Format(name="html", file="report.html", module="formats.html_report", function="render"),
        Format(name="pdf", file="report.pdf", module="pdf.pdf_document", function="render"),
    )
}


def maker(name: str) -> Callable[..., Any] | None:
    """Return the function that writes a format; nothing if this edition does not have it."""
    one = FORMATS[name]
    try:
        module = importlib.import_module(f"selo.report.{one.module}")
    except ModuleNotFoundError as error:
        if error.name == f"selo.report.{one.module}":
            return None
        raise
    made: Callable[..., Any] = getattr(module, one.function)
    return made


def made(
    report: Report,
    names: Iterable[str],
    *,
    language: str,
    enclosures: list[Enclosure],
    pdf: Callable[[Report, list[Enclosure]], bytes] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and the bytes of each format that was asked for.

    `pdf` makes the PDF instead of us, for whoever has more to add to its pages.
    """
    for name in names:
        make = maker(name)
        if make is None:
            raise wrong("format", name=name, known=", ".join(available()))
        if name in {"terminal", "junit"}:
            content = make(report, language)
        elif name == "pdf":
            content = (pdf or make)(report, enclosures)
        else:
            content = make(report)
        yield FORMATS[name].file, content.encode() if isinstance(content, str) else content


def available() -> list[str]:
    """Return the formats that this edition has."""
    return [name for name in FORMATS if maker(name) is not None]


def written(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Write all files, each whole, and none of them if one cannot be made."""
    ready = list(files)
    paths = []
    for name, content in ready:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        unfinished = path.with_name(f"{path.name}.new")
        unfinished.write_bytes(content)
        unfinished.replace(path)
        paths.append(path)
    return paths
