"""``selo gate``: an examination, its documents, and whether the gate opens."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cli.output.console import console, print_json
from selo.cli.parser import Default
from selo.cli.parser import shared_arguments as shared
from selo.storage.atomic_write import write_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from selo.examine.conclusion import ExaminationResult
    from selo.gate.deviations import DeviationEntry
    from selo.gate.gate_decision import GateDecision
    from selo.gate.run_answers import RunAnswers
    from selo.law import Law

RESULT: Final = "gate.json"
_REPORT: Final = "report"
_PROPOSAL: Final = "deviations.proposed.yaml"
#: Formats that a CI can show; the PDF takes longer and must be requested.
_FORMATS: Final = ("json", "junit", "sarif", "html")
_NONE: Final = "none"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo gate``."""
    shared.add_examination(parser)
    parser.add_argument("--deviations", metavar="FILE", default=Default(key="deviations"))
    parser.add_argument(
        "--fail-on",
        choices=["violates", "inconclusive", "not-examined", "to-be-witnessed"],
        default=Default(key="gate.fail-on", fallback="inconclusive"),
    )
    parser.add_argument(
        "--at-least", type=int, metavar="N", default=Default(key="gate.at-least", fallback=1)
    )
    parser.add_argument(
        "--format",
        action="append",
        choices=["none", "terminal", "json", "junit", "sarif", "html", "pdf"],
    )
    parser.add_argument("--on", type=shared.parse_day, metavar="DATE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine, write the documents, and open the gate or keep it closed."""
    from selo.cli.printers.examination_outcome import print_outcome
    from selo.cli.printers.gate_result import GateFiles, print_gate
    from selo.cli.resolved_options.vendor_options import read_rulings
    from selo.cli.runs import examine_vendor
    from selo.gate.deviations import read_deviations
    from selo.gate.gate_decision import judge_gate
    from selo.gate.run_answers import RecordedAnswers
    from selo.law import load_law
    from selo.law.status import macau_today

    law = load_law()
    # An unusable list is reported before anything runs.
    path = arguments.deviations
    entries = []
    if path is not None:
        rulings = read_rulings(arguments, law).followed
        entries = read_deviations(Path(path), law, rulings)
        _warn_of_sentences(entries, arguments.lang)
    out = None if arguments.json else console()
    result = examine_vendor(arguments, law, out)
    documents = _write_documents(arguments, law)
    answers = RecordedAnswers(folder=Path(arguments.out), law=law, terms=result.header.terms)
    gate = judge_gate(
        result,
        answers,
        entries,
        fail_on=arguments.fail_on,
        at_least=arguments.at_least,
        day=arguments.on or macau_today(),
    )
    proposal = _write_proposal(arguments, answers, result, gate)
    record = _record(result, gate, Path(arguments.out), documents)
    _write(Path(arguments.out) / RESULT, record)
    if out is None:
        print_json(record)
        return gate.exit
    print_outcome(out, law, result, Path(arguments.out), arguments.lang)
    files = GateFiles(documents=documents, proposal=proposal)
    print_gate(out, result, gate, files, arguments.lang)
    return gate.exit


def _write_proposal(
    arguments: argparse.Namespace,
    answers: RunAnswers,
    result: ExaminationResult,
    gate: GateDecision,
) -> str | None:
    """Write the entries that would cover what is not listed, and return the path of the file."""
    if not gate.failures:
        return None
    from selo.gate.deviation_proposal import propose_entries, render_proposal

    entries = propose_entries(answers, result.findings, gate.failures)
    path = Path(arguments.out) / _PROPOSAL
    # The folder is that of the run, which is this gate's own.
    write_file(path, render_proposal(entries, arguments.lang).encode(), replace=True)
    return str(path)


def _warn_of_sentences(entries: Iterable[DeviationEntry], language: str) -> None:
    """Say which entries name a cause by the sentence of former editions, and its code."""
    from selo.examine.findings.draw_findings import DRAW_CODES
    from selo.text import say

    for entry in entries:
        if entry.is_former:
            code = " | ".join(sorted(entry.codes)) or f"{DRAW_CODES}…"
            print(say("gate.former-cause", language, where=entry.where, code=code), file=sys.stderr)


def _write_documents(arguments: argparse.Namespace, law: Law) -> list[str]:
    """Write the documents that a CI can show, and return their paths."""
    formats = arguments.format or list(_FORMATS)
    if _NONE in formats:
        return []
    from selo.cli.runs import write_documents
    from selo.report.formats import REPORT_FORMATS
    from selo.report.model.dossier import Dossier

    folder = Path(arguments.out)
    write_documents(
        folder,
        law,
        Dossier(),
        out=folder / _REPORT,
        forms=[Path(path) for path in arguments.witness or []],
        formats=formats,
        language=arguments.lang,
    )
    return [
        str(folder / _REPORT / REPORT_FORMATS[name].file)
        for name in REPORT_FORMATS
        if name in formats
    ]


def _record(
    result: ExaminationResult, gate: GateDecision, folder: Path, documents: list[str]
) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(gate),
        "run": str(folder),
        "evidence_root": result.evidence_root,
        "texts": msgspec.to_builtins(result.texts),
        "overall": str(result.summary.overall.overall),
        "examination_exit": result.exit,
        "permissions": msgspec.to_builtins(result.header.permissions),
        "recorded": msgspec.to_builtins(result.recorded),
        "documents": documents,
    }


def _write(path: Path, record: dict[str, Any]) -> None:
    text = msgspec.json.format(msgspec.json.encode(record), indent=2)
    write_file(path, text + b"\n", replace=True)
