"""``selo reproduce``: the exact plan of a document, run again against a build."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import show_progress
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.errors import SeloError
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from selo.examine.run.evidence_header import Header
    from selo.law import Law
    from selo.verification.document_parts import DocumentParts
    from selo.verification.reproduction import ReproductionResult

_MAX_NAME_LENGTH = 200


class DocumentBroken(SeloError):
    """A document whose plan cannot be read."""

    code = "tampered"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo reproduce``."""
    parser.add_argument("file", metavar="FILE")
    shared.add_vendor(parser)
    parser.add_argument("--out", default="selo-reproduced", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the plan of a document again and print the verdicts that changed."""
    from selo.cli.resolved_options.vendor_options import endpoint_of, games_of
    from selo.law import load_law
    from selo.storage import read_bounded
    from selo.vendors import store_faults
    from selo.vendors.faults import VendorBroken
    from selo.verification.document_parts import UnreadableDocument, open_document
    from selo.verification.reproduction import reproduce_examination

    law, path, folder = load_law(), Path(arguments.file), Path(arguments.out)
    try:
        document = open_document(read_bounded(path))
    except UnreadableDocument as error:
        raise DocumentBroken(say("verify.document.unreadable", "en", problem=error)) from error
    header = _read_header(document, law, path.parent)
    vendor = endpoint_of(arguments)
    try:
        with show_progress(
            escape_unseen(document.report.item.product, _MAX_NAME_LENGTH)
        ) as advance:
            result = reproduce_examination(
                document.report,
                header,
                law,
                vendor,
                folder,
                cores=os.cpu_count() or 1,
                games=games_of(arguments, law),
                on_progress=advance,
            )
    except VendorBroken as error:
        store_faults(folder / "faults", [error.fault], arguments.vendor)
        raise
    _print(result, document, arguments)
    return result.exit


def _read_header(document: DocumentParts, law: Law, beside: Path) -> Header:
    """Return the first line of the evidence of a document, which determines its plan.

    Evidence that does not follow its own plan is refused.
    """
    from selo.evidence import EvidenceReader
    from selo.evidence.merkle import Root
    from selo.examine.run.evidence_header import header_of, is_current
    from selo.examine.run.evidence_replay import replay_evidence
    from selo.examine.run.plan_comparison import with_plan_of
    from selo.verification import write_attachments
    from selo.verification.document_parts import check_attachments

    files = {}
    for check, data in check_attachments(document, beside):
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-reproduce-") as place:
        write_attachments(Path(place), files)
        try:
            header = header_of(Path(place), EvidenceReader(Path(place)).header())
        except FileNotFoundError as error:
            raise user_error("evidence-absent") from error
        if is_current(header, law):
            planned = with_plan_of(law, Path(place), header)
            replay_evidence(Path(place), planned, root=Root(document.report.evidence.root))
        return header


def _print(
    result: ReproductionResult, document: DocumentParts, arguments: argparse.Namespace
) -> None:
    if arguments.json:
        print_json(
            {
                "number": document.report.number,
                "exit": result.exit,
                "same": result.same,
                "witnessed": result.witnessed,
                "same_build": result.same_build,
                "changed": result.changed,
                "evidence_root": result.examination.evidence_root,
            }
        )
        return
    out, language = console(), arguments.lang
    build = "same" if result.same_build else "other"
    out.print(
        say(f"reproduce.build.{build}", language), style=None if result.same_build else "yellow"
    )
    for change in result.changed:
        before, after = (_verdict_name(name, language) for name in (change.before, change.after))
        slots = {"provision": change.provision, "before": before, "after": after}
        out.print(say("reproduce.changed", language, **slots), style="bold red")
    if result.witnessed:
        out.print(say("reproduce.witnessed", language, count=result.witnessed), style="dim")
    out.print(say("reproduce.unverified", language), style="dim")
    out.print(
        say("reproduce.conclusion", language, same=result.same, changed=len(result.changed)),
        style="green" if not result.changed else "bold red",
    )


def _verdict_name(name: str, language: str) -> str:
    return name if name == "–" else say(f"verdict.{name}", language)
