"""Prints what came of live rounds that were answered in a file, and of the file as a whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output import Exit
from selo.cli.printing.settlement_results import cite_provision, exit_code_of_cases
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.live_rounds import RoundBreach, RoundTally
    from selo.examine.tally import Tally
    from selo.law.loader import Law

_MAX_DIFFERENCES: Final = 20
_MAX_VALUE_LENGTH: Final = 400
#: What counts first when cases and rounds do not agree, the worst first.
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


def worse_exit(one: Exit, other: Exit) -> Exit:
    """Return the exit code that counts for both."""
    return min(one, other, key=_SEVERITY.index)


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
    seen = [*rounds.kinds.values(), *rounds.lawless.values()]
    for one in seen[:_MAX_DIFFERENCES]:
        _print_difference(out, law, one, language)
    hidden = len(seen) - _MAX_DIFFERENCES
    if hidden > 0:
        out.print(say("trial.more", language, count=hidden), style="dim")


def _print_difference(out: Console, law: Law, one: RoundBreach, language: str) -> None:
    found = one.difference
    head = "trial.open" if found.open else "trial.protocol" if found.lawless else "trial.against"
    style = "bold yellow" if found.open or found.lawless else "bold red"
    acts = one.script.acts
    at = acts[found.act] if 0 <= found.act < len(acts) else {"act": one.script.name}
    out.print()
    out.print(
        say(head, language, game=one.script.game, what=_json(at), times=one.times), style=style
    )
    if found.required is not None:
        out.print(f"  {found.required.get(language)}")
    if found.expected:
        out.print(f"  {say('trial.law', language, expected=_json(found.expected))}")
    if found.observed:
        said = escape_unseen(_json(found.observed), _MAX_VALUE_LENGTH)
        out.print(f"  {say('trial.vendor', language, observed=said)}")
    for provision in found.provisions:
        out.print(f"    {cite_provision(law, provision, language)}", style="dim")
    for divergence, reading in found.readings:
        said = say("trial.reading", language, divergence=divergence, reading=reading)
        out.print(f"    {said}", style="yellow")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def record_rounds(rounds: RoundTally) -> dict[str, Any]:
    """Return everything that was counted, for machines."""
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
