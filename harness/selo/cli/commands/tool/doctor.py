"""``selo doctor``: what is installed, what is missing, what that costs, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.doctor import State
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from selo.cli.doctor import Check

_MARKS = {
    State.GOOD: ("✓", "green"),
    State.ABSENT: ("–", "yellow"),
    State.WRONG: ("✗", "bold red"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo doctor``."""
    # It reports faults of the settings, so such a fault must not keep it from running.
    parser.set_defaults(any_settings=True)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look at everything; only what Selo cannot do without is an error."""
    out = None if arguments.json else console()
    checks = []
    for check in looked(arguments.lang):
        checks.append(check)
        if out is None:
            continue
        mark, style = _MARKS[check.state]
        title = say(f"doctor.{check.name}", arguments.lang)
        found = f"  {escape_unseen(check.found)}" if check.found else ""
        out.print(f"{mark} {title}{found}", style=style, soft_wrap=True)
        if check.state is not State.GOOD:
            for part in ("cost", "mend"):
                out.print(f"    {say(f'doctor.{check.name}.{part}', arguments.lang)}")
    code = Exit.USAGE if any(check.state is State.WRONG for check in checks) else Exit.CONFORMS
    if out is None:
        print_json({"checks": [_record(check, arguments.lang) for check in checks], "exit": code})
        return code
    absent = sum(check.state is State.ABSENT for check in checks)
    key = "doctor.ill" if code else "doctor.well"
    out.print(say(key, arguments.lang, absent=absent), style="bold red" if code else "bold green")
    return code


def looked(language: str) -> Iterator[Check]:
    """Yield one check after the other, what Selo cannot do without first."""
    from selo.cli.doctor import installation, machine

    yield installation.place()
    yield machine.python()
    yield from installation.packages()
    yield installation.law(language)
    yield installation.settings(language)
    yield machine.clock()
    yield machine.room()
    yield machine.letters()
    yield installation.sandbox()
    yield installation.fonts()
    yield from machine.libraries()
    yield from machine.programs()


def _record(check: Check, language: str) -> dict[str, Any]:
    bad = check.state is not State.GOOD
    return {
        "check": check.name,
        "state": check.state,
        "found": check.found,
        "title": say(f"doctor.{check.name}", language),
        "cost": say(f"doctor.{check.name}.cost", language) if bad else None,
        "mend": say(f"doctor.{check.name}.mend", language) if bad else None,
    }
