"""``selo doctor``: what is installed, what is missing, what that costs, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.doctor import DoctorState
from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from selo.cli.doctor import DoctorCheck

_MARKS = {
    DoctorState.GOOD: ("✓", "green"),
    DoctorState.ABSENT: ("–", "yellow"),
    DoctorState.WRONG: ("✗", "bold red"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo doctor``."""
    # It reports faults of the settings, so such a fault must not keep it from running.
    parser.set_defaults(any_settings=True)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run all checks; only what Selo cannot work without is an error."""
    out = None if arguments.json else console()
    checks = []
    for check in run_checks(arguments.lang):
        checks.append(check)
        if out is None:
            continue
        mark, style = _MARKS[check.state]
        title = say(f"doctor.{check.name}", arguments.lang)
        detail = f"  {escape_unseen(check.found)}" if check.found else ""
        out.print(f"{mark} {title}{detail}", style=style, soft_wrap=True)
        if check.state is not DoctorState.GOOD:
            for part in ("cost", "mend"):
                out.print(f"    {say(f'doctor.{check.name}.{part}', arguments.lang)}")
    code = (
        Exit.USAGE if any(check.state is DoctorState.WRONG for check in checks) else Exit.CONFORMS
    )
    if out is None:
        print_json({"checks": [_record(check, arguments.lang) for check in checks], "exit": code})
        return code
    absent = sum(check.state is DoctorState.ABSENT for check in checks)
    key = "doctor.ill" if code else "doctor.well"
    out.print(say(key, arguments.lang, absent=absent), style="bold red" if code else "bold green")
    return code


def run_checks(language: str) -> Iterator[DoctorCheck]:
    """Yield the checks, those of what Selo cannot work without first."""
    from selo.cli.doctor import installation, machine

    yield installation.check_version()
    yield machine.check_python()
    yield from installation.check_packages()
    yield installation.check_law(language)
    yield installation.check_settings(language)
    yield machine.check_clock()
    yield machine.check_disk_space()
    yield machine.check_encoding()
    yield installation.check_sandbox(language)
    yield installation.check_fonts()
    yield from machine.check_libraries()
    yield from machine.check_programs()


def _record(check: DoctorCheck, language: str) -> dict[str, Any]:
    bad = check.state is not DoctorState.GOOD
    return {
        "check": check.name,
        "state": check.state,
        "found": check.found,
        "title": say(f"doctor.{check.name}", language),
        "cost": say(f"doctor.{check.name}.cost", language) if bad else None,
        "mend": say(f"doctor.{check.name}.mend", language) if bad else None,
    }
