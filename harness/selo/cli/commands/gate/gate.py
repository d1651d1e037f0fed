"""``selo gate``: an examination, its documents, and whether the gate opens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cli.commands.examination.examine import examined
from selo.cli.options import unused
from selo.cli.output.tables import console, print_json
from selo.cli.printing import print_outcome
from selo.gate.deviations import deviations
from selo.gate.gate_decision import Failure, Gate, State, Waived, judge
from selo.law import today
from selo.law.loader import load
from selo.text.message_catalogue import say
from selo.text.sanitize import visible

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.examine.outcome import Outcome
    from selo.law.loader import Law

RESULT: Final = "gate.json"
_REPORT: Final = "report"
#: What a CI can show; the document for people takes longer and is asked for.
_FORMATS: Final = ("json", "junit", "sarif", "html")
_NONE: Final = "none"
_SAID: Final = 400


def run(arguments: argparse.Namespace) -> int:
    """Examine, write the documents, and open the gate or keep it closed."""
    law = load()
    if "out" in arguments.untyped:
        arguments.out = str(unused(Path(arguments.out)))
    # A list that cannot be used is told before anything runs.
    path = arguments.deviations
    entries = [] if path is None else deviations(Path(path), law)
    out = None if arguments.json else console()
    result = examined(arguments, law, out)
    documents = _documented(arguments, law)
    gate = judge(
        result,
        law,
        entries,
        fail_on=arguments.fail_on,
        at_least=arguments.at_least,
        day=arguments.on or today(),
    )
    record = _record(result, gate, Path(arguments.out), documents)
    _write(Path(arguments.out) / RESULT, record)
    if out is None:
        print_json(record)
        return gate.exit
    print_outcome(out, law, result, Path(arguments.out), arguments.lang)
    _print(out, result, gate, documents, arguments.lang)
    return gate.exit


def _documented(arguments: argparse.Namespace, law: Law) -> list[str]:
    """Write what a CI can show of the run, and return the files; the verdicts are as they are."""
    wanted = arguments.format or list(_FORMATS)
    if _NONE in wanted:
        return []
    from selo.cli.commands.document.report import documents  # noqa: PLC0415 - only where documents are wanted
    from selo.report.formats import FORMATS  # noqa: PLC0415 - the same
    from selo.report.model.dossier import Dossier  # noqa: PLC0415 - the same

    folder = Path(arguments.out)
    documents(
        folder,
        law,
        Dossier(),
        out=folder / _REPORT,
        forms=[Path(one) for one in arguments.witness or []],
        formats=wanted,
        language=arguments.lang,
    )
    return [str(folder / _REPORT / FORMATS[name].file) for name in FORMATS if name in wanted]


def _record(result: Outcome, gate: Gate, folder: Path, documents: list[str]) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(gate),
        "run": str(folder),
        "evidence_root": result.evidence_root,
        "overall": str(result.summary.overall.overall),
        "examination_exit": result.exit,
        "permissions": msgspec.to_builtins(result.header.permissions),
        "documents": documents,
    }


def _write(path: Path, record: dict[str, Any]) -> None:
    unfinished = path.with_suffix(".new")
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    unfinished.replace(path)


def _print(out: Console, result: Outcome, gate: Gate, documents: list[str], language: str) -> None:
    def told(mark: str, key: str, style: str, **slots: object) -> None:
        words = {name: visible(str(value), _SAID) for name, value in slots.items()}
        out.print(f"{mark} {say(f'gate.{key}', language, **words)}", style=style, soft_wrap=True)

    out.print()
    for permission in result.header.permissions:
        told(
            "•",
            "permission",
            "cyan",
            number=permission.number,
            issuer=permission.issuer,
            expires=permission.expires,
        )
    for failure in gate.failures:
        told(
            "✗", "failure", "bold red", provision=failure.provision,
            verdict=say(f"verdict.{failure.verdict}", language),
            about=" ".join(filter(None, (failure.finding, failure.cause)))
            or _why(failure, language),
        )  # fmt: skip
    for where, some in _by_entry(gate).items():
        known = some[0].deviation
        told(
            "–", "waived", "yellow", provision=known.provision, where=where,
            verdict=say(f"verdict.{known.verdict}", language),
            about=" ".join(one.failure.finding or _why(one.failure, language) for one in some),
            expires=known.expires, reason=known.reason, owner=known.owner,
            approver=known.approver, risk=say(f"gate.risk.{known.risk}", language),
        )  # fmt: skip
    for entry in gate.entries:
        if entry.state is State.IN_USE:
            continue
        quiet = entry.state is State.BESIDE
        told(
            "•" if quiet else "✗", f"entry.{entry.state}", "dim" if quiet else "bold red",
            provision=entry.deviation.provision, where=entry.where,
            expires=entry.deviation.expires,
        )  # fmt: skip
    if gate.verified < gate.at_least:
        told("✗", "too-few", "bold red", verified=gate.verified, at_least=gate.at_least)
    if gate.broken:
        told("✗", "broken", "bold red")
    if documents:
        told("•", "documents", "dim", files=", ".join(documents))
    told(
        "✓" if gate.passes else "✗", "opens" if gate.passes else "closed",
        "bold green" if gate.passes else "bold red", verified=gate.verified,
        waived=len(gate.waived), fail_on=say(f"verdict.{gate.fail_on}", language), exit=gate.exit,
    )  # fmt: skip


def _why(failure: Failure, language: str) -> str:
    """Return the reason in words, as part of a sentence."""
    return say(f"verdict.reason.{failure.reason}", language).rstrip(".。")


def _by_entry(gate: Gate) -> dict[str, list[Waived]]:
    found: dict[str, list[Waived]] = {}
    for one in gate.waived:
        found.setdefault(one.where, []).append(one)
    return found
