"""``selo report``: the documents of an examination, in every format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from selo.law.loader import Law
    from selo.report.content import Enclosure
    from selo.report.model.dossier import DocumentKind, Dossier
    from selo.report.model.report_model import Report

#: Instead of the folder of a run: write an empty dossier.
_DOSSIER = "dossier"
_OUT = "selo-report"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo report``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--dossier", metavar="FILE")
    parser.add_argument("--kind", choices=["pre-check", "test-report", "certificate"])
    parser.add_argument("--witness", action="append", metavar="FORM")
    parser.add_argument(
        "--format",
        action="append",
        choices=["terminal", "json", "junit", "sarif", "html", "pdf"],
    )
    parser.add_argument("--lang-add", action="append", choices=["en"])
    parser.add_argument("--selftest", metavar="FILE")
    parser.add_argument("--out", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the documents of a run, or an empty dossier."""
    from selo.law.loader import load_law
    from selo.report.formats import available_formats, render_summary
    from selo.report.model.dossier import DocumentKind, Dossier, read_dossier

    if arguments.folder == _DOSSIER:
        return _write_blank_dossier(arguments)
    law = load_law()
    dossier = Dossier() if arguments.dossier is None else read_dossier(Path(arguments.dossier))
    formats = arguments.format or available_formats()
    report = write_documents(
        Path(arguments.folder),
        law,
        dossier,
        out=Path(arguments.out or _OUT),
        kind=None if arguments.kind is None else DocumentKind(arguments.kind),
        forms=[Path(one) for one in arguments.witness or []],
        languages=("pt", "zh", *(arguments.lang_add or [])),
        formats=formats,
        selftest=None if arguments.selftest is None else Path(arguments.selftest),
        language=arguments.lang,
    )
    if arguments.json:
        print_json(
            {
                "kind": report.kind,
                "number": report.number,
                "overall": report.overall,
                "exit": report.exit,
                "out": arguments.out or _OUT,
                "missing": report.missing,
            }
        )
    else:
        out = console()
        for line, style in render_summary(report, arguments.lang):
            out.print(line, style=style or None)
        out.print(say("report.terminal.written", arguments.lang, folder=arguments.out or _OUT))
    return report.exit


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
    """Write the documents of a run into `out`; nothing if the kind asked for is not possible."""
    from selo.report.content import build_report, collect_enclosures
    from selo.report.formats import render_formats, write_files
    from selo.report.requirements import require_allowed

    report = build_report(
        folder, law, dossier, kind=kind, forms=forms, languages=languages, selftest=selftest
    )
    require_allowed(report, dossier, language)
    enclosures = collect_enclosures(folder, law, report, forms)
    files = list(
        render_formats(
            report, formats, language=language, enclosures=enclosures, pdf=_render_signable_pdf
        )
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_files(out, [*files, *_referenced_files(folder, report)])
        _remove_old_findings(out, report)
    except OSError as error:
        raise user_error("unwritten", path=out, error=error.strerror) from error
    return report


def _render_signable_pdf(report: Report, enclosures: Sequence[Enclosure]) -> bytes:
    """Return the PDF that people sign."""
    from selo.report.pdf import render_signable_pdf

    return render_signable_pdf(report, enclosures)


def _remove_old_findings(out: Path, report: Report) -> None:
    """Take away findings that an earlier document left there and this one does not have."""
    known = {f"{finding.id}.json" for finding in report.findings}
    for path in (out / "findings").glob("F-*.json"):
        if path.name not in known:
            path.unlink()


def _referenced_files(folder: Path, report: Report) -> Iterator[tuple[str, bytes]]:
    """Yield what the documents refer to by its path: findings to replay, and large evidence."""
    for finding in report.findings:
        path = folder / "findings" / f"{finding.id}.json"
        if path.is_file():
            yield f"findings/{finding.id}.json", path.read_bytes()
    for attached in report.attachments:
        if not attached.attached:
            yield attached.name, (folder / attached.name).read_bytes()


def _write_blank_dossier(arguments: argparse.Namespace) -> int:
    from selo.report.requirements import render_blank_dossier

    if arguments.out is None:
        raise user_error("dossier-file")
    path = Path(arguments.out)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(render_blank_dossier())
    except OSError as error:
        raise user_error("dossier-unwritten", path=path, error=error.strerror) from error
    if arguments.json:
        print_json({"dossier": str(path)})
    else:
        print(say("dossier.written", arguments.lang, path=path))
    return Exit.CONFORMS
