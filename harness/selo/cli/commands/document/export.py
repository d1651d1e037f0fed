"""``selo export``: a result in formats of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

    from selo.law import Law
    from selo.report.model.report_model import Report
    from selo.signing.keys import SigningKey

_PDF: Final = b"%PDF-"
_FORMATS: Final = ("oscal", "in-toto", "cyclonedx", "earl", "akoma-ntoso", "csv")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo export``."""
    parser.add_argument("source", metavar="RESULT")
    parser.add_argument("--format", action="append", required=True, choices=_FORMATS)
    parser.add_argument("--out", required=True, metavar="DIR")
    shared.add_signing_key(parser, required=False)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the requested formats of a result into a folder."""
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.law import load_law
    from selo.report.interchange import render_export
    from selo.storage.atomic_write import write_new_files

    law = load_law()
    report = _read_result(Path(arguments.source), law)

    def render(key: SigningKey | None) -> list[tuple[str, bytes]]:
        names = dict.fromkeys(arguments.format)
        return [file for name in names for file in render_export(report, name, law, key)]

    if arguments.p12 or arguments.pkcs11_module:
        with open_signing_key(arguments) as key:
            files = render(key)
    else:
        files = render(None)
    folder = Path(arguments.out)
    write_new_files(folder, files)
    written = [name for name, _ in files]
    if arguments.json:
        print_json({"out": str(folder), "files": written, "number": report.number})
    else:
        text = say("export.written", arguments.lang, folder=folder, files=", ".join(written))
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS


def _read_result(path: Path, law: Law) -> Report:
    """Return the report of a run, of a document, or in a file of its own."""
    from selo.report.content import build_document
    from selo.report.formats import read_report
    from selo.report.model.dossier import Dossier
    from selo.storage import read_bounded
    from selo.verification.document_parts import UnreadableDocument, open_document

    if path.is_dir():
        return build_document(path, law, Dossier()).report
    if not path.is_file():
        raise user_error("export-source", path=path)
    content = read_bounded(path)
    if not content.startswith(_PDF):
        return read_report(path)
    try:
        return open_document(content).report
    except UnreadableDocument as error:
        raise user_error("report", path=path, error=error) from error
