"""Prints the results of cases: counts and faults of the adapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.law import cite
from selo.text import say

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.tally import Tally
    from selo.law import Law
    from selo.vendors.faults import AdapterFault

_MAX_FAULTS = 20


def exit_code_of_cases(tally: Tally) -> Exit:
    """Return the exit code of the cases alone, which never prove conformity."""
    if tally.faults:
        return Exit.VENDOR
    if tally.violates:
        return Exit.VIOLATES
    return Exit.VENDOR if tally.breaks_protocol else Exit.OPEN


def print_tally(out: Console, tally: Tally, language: str) -> None:
    """Print counts, then faults of the adapter."""
    for (game, method), count in tally.counts.items():
        good = count.right == count.cases - count.silent - count.skipped
        line = say(
            "trial.count", language, game=game, method=method, cases=count.cases,
            right=count.right, different=count.different, faults=count.faults,
        )  # fmt: skip
        if count.silent:
            line += say("trial.silent", language, count=count.silent)
        if count.skipped:
            line += say("trial.skipped", language, count=count.skipped)
        out.print(("✓ " if good else "✗ ") + line, style="green" if good else "bold red")
    if tally.not_offered:
        out.print(f"– {say('trial.not-offered', language, count=tally.not_offered)}", style="dim")
    for fault in tally.faults[:_MAX_FAULTS]:
        first, *rest = fault.lines(language)
        out.print(f"✗ {first}", style="red")
        for line in rest:
            out.print(f"    {line}")


def cite_provision(law: Law, provision: str, language: str) -> str:
    """Return a provision with its citation."""
    held = law.provisions.get(provision)
    if held is None:
        # A reconstructed provision is not law and must not look like it.
        return f"{provision}  {say('reconstructed.banner', language)}"
    citation = cite(law, held)
    chinese = f" · {citation.zh}" if "zh" in held.instrument.languages.published else ""
    return f"{provision}  {citation.pt}{chinese}"


def record_tally(tally: Tally) -> dict[str, Any]:
    """Return the counts and differences for JSON output."""
    return {
        "cases": tally.cases,
        "counts": [
            {"game": game, "method": method, "cases": count.cases, "right": count.right,
             "different": count.different, "silent": count.silent, "faults": count.faults}
            for (game, method), count in tally.counts.items()
        ],
        "differences": [
            {
                "times": tally.times[kind],
                "open": difference.open,
                "lawless": difference.lawless,
                "case": {
                    "game": difference.case.game,
                    "method": difference.case.method,
                    **difference.case.params(),
                },
                "bet": difference.bet,
                "expected": difference.expected,
                "observed": difference.observed,
                "provisions": difference.provisions,
                "readings": dict(difference.readings),
            }
            for kind, difference in tally.differences.items()
        ],
        "not_offered": tally.not_offered,
        "differences_unlisted": tally.unlisted,
        "faults": [record_fault(fault) for fault in tally.faults],
    }  # fmt: skip


def record_fault(fault: AdapterFault) -> dict[str, Any]:
    """Return a fault of an adapter for JSON output."""
    return {
        "kind": fault.kind,
        "told": fault.describe(),
        "hint": fault.remedy(),
        "path": fault.path,
    }
