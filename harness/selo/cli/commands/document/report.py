"""``selo report``: the documents of an examination, in every format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage.atomic_write import next_free_folder
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse


#: Instead of the folder of a run: write an empty dossier.
_DOSSIER = "dossier"
_OUT = "selo-report"
#: The format that a browser opens.
_HTML = "html"


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
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--out", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the documents of a run, or an empty dossier."""
    from selo.cli.runs import write_documents
    from selo.law import load_law
    from selo.report.formats import available_formats, render_summary
    from selo.report.model.dossier import DocumentKind, Dossier, read_dossier

    if arguments.folder == _DOSSIER:
        return _write_blank_dossier(arguments)
    law = load_law()
    dossier = Dossier() if arguments.dossier is None else read_dossier(Path(arguments.dossier))
    formats = arguments.format or available_formats()
    if arguments.open and _HTML not in formats:
        formats = [*formats, _HTML]
    folder = Path(arguments.out) if arguments.out else next_free_folder(Path(_OUT))
    report = write_documents(
        Path(arguments.folder),
        law,
        dossier,
        out=folder,
        kind=None if arguments.kind is None else DocumentKind(arguments.kind),
        forms=[Path(path) for path in arguments.witness or []],
        languages=("pt", "zh", *(arguments.lang_add or [])),
        formats=formats,
        selftest=None if arguments.selftest is None else Path(arguments.selftest),
        language=arguments.lang,
    )
    if arguments.open:
        import webbrowser

        webbrowser.open((folder / "report.html").absolute().as_uri())
    if arguments.json:
        print_json(
            {
                "kind": report.kind,
                "number": report.number,
                "overall": report.overall,
                "exit": report.exit,
                "out": str(folder),
                "missing": report.missing,
            }
        )
    else:
        out = console()
        for line, style in render_summary(report, arguments.lang):
            out.print(line, style=style or None, soft_wrap=True)
        out.print(say("report.terminal.written", arguments.lang, folder=folder))
    return report.exit


def _write_blank_dossier(arguments: argparse.Namespace) -> int:
    from selo.cli.commands.document.dossier_new import write_dossier
    from selo.report.requirements import render_blank_dossier

    if arguments.out is None:
        raise user_error("dossier-file")
    path = Path(arguments.out)
    return write_dossier(path, render_blank_dossier(), arguments, key="dossier.written")
