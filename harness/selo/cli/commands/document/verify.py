"""``selo verify``: is a document what it says? Signature, evidence and verdicts, offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.options.vendor_options import folder_of, limits_of
from selo.cli.output.tables import console, print_json
from selo.examine.exchange.workers import Reached
from selo.law.loader import load
from selo.signing import read
from selo.signing.keys.certificates import certificates, revocations
from selo.signing.verify import Known
from selo.text.message_catalogue import say
from selo.text.sanitize import visible
from selo.verification import Asked, Check, State, exit_of, verified

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

_SIGNS = {
    State.HOLDS: ("✓", "green"),
    State.WARNING: ("!", "bold yellow"),
    State.OPEN: ("?", "yellow"),
    State.FAILED: ("✗", "bold red"),
}
_MOST = 400


def run(arguments: argparse.Namespace) -> int:
    """Verify a document and print a line for everything that was looked at."""
    path = Path(arguments.file)
    asked = Asked(
        trust=tuple(
            certificate for file in arguments.trust for certificate in certificates(Path(file))
        ),
        known=Known(revocations=tuple(revocations(Path(file)) for file in arguments.crl)),
        beside=Path(arguments.beside) if arguments.beside else path.parent,
        installation=folder_of(arguments) if arguments.folder or arguments.vendor else None,
        vendor=Reached(arguments.vendor, limits_of(arguments), folder_of(arguments))
        if arguments.vendor
        else None,
        pages=arguments.pages,
    )
    out = None if arguments.json else console()
    checks: list[Check] = []
    for check in verified(read(path), load(), asked):
        checks.append(check)
        if out is not None:
            _print(out, check, arguments.lang)
    code = exit_of(checks)
    if out is None:
        told = [{"name": check.name, "state": check.state, "told": check.told(arguments.lang),
                 "key": check.key, "slots": check.slots} for check in checks]  # fmt: skip
        print_json({"file": str(path), "exit": code, "checks": told})
    else:
        style = {0: "bold green", 2: "bold yellow"}.get(code, "bold red")
        out.print(say(f"verify.conclusion.{code}", arguments.lang), style=style)
    return code


def _print(out: Console, check: Check, language: str) -> None:
    sign, style = _SIGNS[check.state]
    out.print(f"{sign} {visible(check.told(language), _MOST)}", style=style)
