"""Prints the results of live rounds in a file of answers, and the conclusion about the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit
from selo.cli.printers.settlement_results import exit_code_of_cases
from selo.text import say

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.live_rounds import RoundTally
    from selo.examine.tally import Tally

#: The worst exit code first: it counts where cases and rounds differ.
_SEVERITY: Final = (Exit.VENDOR, Exit.VIOLATES, Exit.OPEN)


def exit_code_of_rounds(rounds: RoundTally) -> Exit:
    """Return the exit code of the rounds alone."""
    if (
        rounds.broken
        or rounds.declined
        or any(not one.difference.open for one in rounds.lawless.values())
    ):
        return Exit.VENDOR
    if any(not kind.difference.open for kind in rounds.kinds.values()):
        return Exit.VIOLATES
    return Exit.OPEN


def worse_exit(first: Exit, second: Exit) -> Exit:
    """Return the worse of two exit codes."""
    return min(first, second, key=_SEVERITY.index)


def print_rounds(out: Console, rounds: RoundTally, language: str) -> None:
    """Print how many rounds were played."""
    if not rounds.played:
        return
    good = rounds.right == rounds.played
    line = say(
        "trial.rounds", language, played=rounds.played, right=rounds.right,
        declined=rounds.declined, broken=rounds.broken,
    )  # fmt: skip
    out.print(("✓ " if good else "✗ ") + line, style="green" if good else "bold red")


def record_rounds(rounds: RoundTally) -> dict[str, Any]:
    """Return the counts and differences for JSON output."""
    return {
        "played": rounds.played,
        "right": rounds.right,
        "declined": rounds.declined,
        "broken": rounds.broken,
        "differences": [
            {
                "times": kind.times,
                "open": kind.difference.open,
                "lawless": kind.difference.lawless,
                "script": kind.script,
                "difference": kind.difference,
            }
            for kind in [*rounds.kinds.values(), *rounds.lawless.values()]
        ],
    }


def print_conclusion(out: Console, tally: Tally, rounds: RoundTally, language: str) -> None:
    """Print one sentence about the whole."""
    code = worse_exit(exit_code_of_cases(tally), exit_code_of_rounds(rounds))
    if tally.faults or rounds.broken:
        key, style = "trial.broken", "bold red"
    elif code is Exit.VIOLATES:
        key, style = "trial.violates", "bold red"
    elif code is Exit.VENDOR:
        key, style = "trial.breaks-protocol", "bold red"
    elif tally.differences or rounds.kinds or rounds.lawless:
        key, style = "trial.inconclusive", "bold yellow"
    elif not tally.cases and not rounds.right:
        key, style = "trial.nothing", "bold yellow"
    else:
        key = "trial.as-far-with-rounds" if rounds.right else "trial.as-far"
        style = "bold green"
    out.print()
    out.print(say(key, language, cases=tally.cases, rounds=rounds.right), style=style)
