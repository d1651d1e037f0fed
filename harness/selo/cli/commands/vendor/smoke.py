"""``selo smoke``: whether an adapter is sane, before its game is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.examine.adapter_tools import SmokeCheck
    from selo.vendors.faults import AdapterFault
    from selo.vendors.sandbox import Confinement

_MARKS = {
    "good": ("✓", "green"),
    "note": ("•", "yellow"),
    "wrong": ("✗", "bold red"),
    "skipped": ("–", "dim"),
}
_MAX_VALUE_LENGTH = 300


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo smoke``."""
    shared.add_vendor(parser)
    parser.add_argument("--out", default="selo-faults", metavar="DIR")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the smoke test and print the faults."""
    from selo.cli.resolved_options.vendor_options import folder_of, games_of, open_session
    from selo.examine.adapter_tools import (
        SmokeCheck,
        SmokeState,
        lacks_protection,
        run_smoke_checks,
    )
    from selo.law import load_law
    from selo.vendors import store_faults
    from selo.vendors.faults import VendorBroken
    from selo.vendors.vendor_address import describe_confinement

    law = load_law()
    games = games_of(arguments, law)
    out = None if arguments.json else console()
    checks: list[SmokeCheck] = []
    confinement: Confinement | None = None
    try:
        session = open_session(arguments)
    except VendorBroken as error:
        checks.append(SmokeCheck(name="answers", state=SmokeState.WRONG, faults=(error.fault,)))
        _print(out, checks[-1], arguments.lang)
    else:
        try:
            confinement = session.transport.confinement
            if out is not None:
                style = "yellow" if lacks_protection(session) else "dim"
                out.print(describe_confinement(session, arguments.lang), style=style)
            for check in run_smoke_checks(session, law, games, folder_of(arguments)):
                checks.append(check)
                _print(out, check, arguments.lang)
        finally:
            session.kill()
    faults = [fault for check in checks for fault in check.faults]
    kept = store_faults(Path(arguments.out), faults, arguments.vendor) if faults else None
    if out is None:
        print_json(_record(arguments.vendor, checks, kept, confinement))
    else:
        _print_conclusion(out, arguments.lang, checks, faults, kept)
    return Exit.VENDOR if faults else Exit.CONFORMS


def _print(out: Console | None, check: SmokeCheck, language: str) -> None:
    if out is None:
        return
    mark, style = _MARKS[check.state]
    slots = {name: escape_unseen(value, _MAX_VALUE_LENGTH) for name, value in check.slots.items()}
    out.print(f"{mark} {say(f'smoke.{check.name}', language, **slots)}", style=style)
    for fault in check.faults:
        first, *rest = fault.lines(language)
        out.print(f"    {first}", style="red")
        for line in rest:
            out.print(f"      {line}")


def _print_conclusion(
    out: Console,
    language: str,
    checks: list[SmokeCheck],
    faults: list[AdapterFault],
    kept: Path | None,
) -> None:
    if kept is not None:
        out.print(say("smoke.evidence", language, folder=kept.parent))
    key = "smoke.not-sane" if faults else "smoke.sane"
    count = len(faults) if faults else len(checks)
    out.print(say(key, language, count=count), style="bold red" if faults else "bold green")


def _record(
    vendor: str, checks: list[SmokeCheck], kept: Path | None, confinement: Confinement | None
) -> dict[str, Any]:
    from selo.cli.printers.settlement_results import record_fault
    from selo.examine.adapter_tools import SmokeState

    return {
        "vendor": vendor,
        "sane": all(check.state is not SmokeState.WRONG for check in checks),
        "evidence": None if kept is None else str(kept),
        "confinement": {
            "network": confinement is not None and confinement.network,
            "files": confinement is not None and confinement.files,
        },
        "checks": [
            {
                "check": check.name,
                "state": check.state,
                "slots": check.slots,
                "faults": [record_fault(fault) for fault in check.faults],
            }
            for check in checks
        ],
    }
