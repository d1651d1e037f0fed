"""``selo smoke``: whether an adapter is sane, before its game is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from selo.cli.options.vendor_options import folder_of, games_of, session_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.examine.adapter import Check, State, caution, smoke
from selo.law.loader import load
from selo.text.message_catalogue import say
from selo.text.sanitize import visible
from selo.vendors import keep
from selo.vendors.faults import Fault, VendorBroken
from selo.vendors.vendor_address import care

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from selo.vendors.sandbox import Confinement

_MARKS = {
    State.GOOD: ("✓", "green"),
    State.NOTE: ("•", "yellow"),
    State.WRONG: ("✗", "bold red"),
    State.SKIPPED: ("–", "dim"),
}
_MOST = 300


def run(arguments: argparse.Namespace) -> int:
    """Run the smoke test and say what is wrong."""
    law = load()
    games = games_of(arguments, law)
    out = None if arguments.json else console()
    checks: list[Check] = []
    held: Confinement | None = None
    try:
        session = session_of(arguments)
    except VendorBroken as error:
        checks.append(Check(name="answers", state=State.WRONG, faults=(error.fault,)))
        _print(out, checks[-1], arguments.lang)
    else:
        try:
            held = session.transport.confinement
            if out is not None:
                style = "yellow" if caution(session) else "dim"
                out.print(care(session, arguments.lang), style=style)
            for check in smoke(session, law, games, folder_of(arguments)):
                checks.append(check)
                _print(out, check, arguments.lang)
        finally:
            session.kill()
    faults = [fault for check in checks for fault in check.faults]
    kept = keep(Path(arguments.out), faults, arguments.vendor) if faults else None
    if out is None:
        print_json(_record(arguments.vendor, checks, kept, held))
    else:
        _conclude(out, arguments.lang, checks, faults, kept)
    return Exit.VENDOR if faults else Exit.CONFORMS


def _print(out: Console | None, check: Check, language: str) -> None:
    if out is None:
        return
    mark, style = _MARKS[check.state]
    slots = {name: visible(value, _MOST) for name, value in check.slots.items()}
    out.print(f"{mark} {say(f'smoke.{check.name}', language, **slots)}", style=style)
    for fault in check.faults:
        first, *rest = fault.lines(language)
        out.print(f"    {first}", style="red")
        for line in rest:
            out.print(f"      {line}")


def _conclude(
    out: Console, language: str, checks: list[Check], faults: list[Fault], kept: Path | None
) -> None:
    if kept is not None:
        out.print(say("smoke.evidence", language, folder=kept.parent))
    key = "smoke.not-sane" if faults else "smoke.sane"
    count = len(faults) if faults else len(checks)
    out.print(say(key, language, count=count), style="bold red" if faults else "bold green")


def _record(
    vendor: str, checks: list[Check], kept: Path | None, held: Confinement | None
) -> dict[str, Any]:
    return {
        "vendor": vendor,
        "sane": all(check.state is not State.WRONG for check in checks),
        "evidence": None if kept is None else str(kept),
        "confinement": {
            "network": held is not None and held.network,
            "files": held is not None and held.files,
        },
        "checks": [
            {
                "check": check.name,
                "state": check.state,
                "slots": check.slots,
                "faults": [
                    {
                        "kind": fault.kind,
                        "told": fault.told(),
                        "hint": fault.remedy(),
                        "path": fault.path,
                    }
                    for fault in check.faults
                ],
            }
            for check in checks
        ],
    }
