"""Prints the results of live rounds in a file of answers, and the conclusion about the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit
from selo.cli.output.console import inline_json
from selo.cli.printers.settlement_results import exit_code_of_cases, print_grounds
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.live_rounds import RoundBreach, RoundTally
    from selo.examine.tally import Tally
    from selo.law import Law

_MAX_DIFFERENCES: Final = 20
_MAX_VALUE_LENGTH: Final = 400
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


def print_rounds(out: Console, law: Law, rounds: RoundTally, language: str) -> None:
    """Print how many rounds were played, then every kind of difference."""
    if not rounds.played:
        return
    good = rounds.right == rounds.played
    line = say(
        "trial.rounds", language, played=rounds.played, right=rounds.right,
        declined=rounds.declined, broken=rounds.broken,
    )  # fmt: skip
    out.print(("✓ " if good else "✗ ") + line, style="green" if good else "bold red")
    breaches = [*rounds.kinds.values(), *rounds.lawless.values()]
    for breach in breaches[:_MAX_DIFFERENCES]:
        _print_difference(out, law, breach, language)
    hidden = len(breaches) - _MAX_DIFFERENCES
    if hidden > 0:
        out.print(say("trial.more", language, count=hidden), style="dim")


def _print_difference(out: Console, law: Law, breach: RoundBreach, language: str) -> None:
    difference = breach.difference
    head = (
        "trial.open"
        if difference.open
        else "trial.protocol"
        if difference.lawless
        else "trial.against"
    )
    style = "bold yellow" if difference.open or difference.lawless else "bold red"
    acts = breach.script.acts
    at = acts[difference.act] if 0 <= difference.act < len(acts) else {"act": breach.script.name}
    out.print()
    out.print(
        say(head, language, game=breach.script.game, what=inline_json(at), times=breach.times),
        style=style,
    )
    if difference.required is not None:
        out.print(f"  {difference.required.get(language)}")
    if difference.expected:
        out.print(f"  {say('trial.law', language, expected=inline_json(difference.expected))}")
    if difference.observed:
        observed = escape_unseen(inline_json(difference.observed), _MAX_VALUE_LENGTH)
        out.print(f"  {say('trial.vendor', language, observed=observed)}")
    print_grounds(out, law, difference, language)


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
