"""Prints the results of cases: counts, differences with their law, faults of the adapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import inline_json
from selo.law import cite
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.tally import Difference, Tally
    from selo.law import Law
    from selo.rounds.judge import RoundDifference
    from selo.vendors.faults import AdapterFault

_MAX_DIFFERENCES = 20
_MAX_VALUE_LENGTH = 400


def exit_code_of_cases(tally: Tally) -> Exit:
    """Return the exit code of the cases alone, which never prove conformity."""
    if tally.faults:
        return Exit.VENDOR
    if tally.violates:
        return Exit.VIOLATES
    return Exit.VENDOR if tally.breaks_protocol else Exit.OPEN


def print_tally(out: Console, law: Law, tally: Tally, language: str) -> None:
    """Print counts, then every kind of difference, then faults of the adapter."""
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
    differences = sorted(
        tally.differences.items(), key=lambda item: (item[1].open, item[1].lawless)
    )
    for kind, difference in differences[:_MAX_DIFFERENCES]:
        _print_difference(out, law, difference, tally.times[kind], language)
    hidden = len(differences) - _MAX_DIFFERENCES
    if hidden > 0:
        out.print(say("trial.more", language, count=hidden), style="dim")
    for fault in tally.faults[:_MAX_DIFFERENCES]:
        first, *rest = fault.lines(language)
        out.print(f"✗ {first}", style="red")
        for line in rest:
            out.print(f"    {line}")


def _print_difference(
    out: Console, law: Law, difference: Difference, times: int, language: str
) -> None:
    style = "bold yellow" if difference.open or difference.lawless else "bold red"
    what = (
        difference.case.bets[difference.bet]
        if difference.bet is not None
        else {"a": difference.case.a, "b": difference.case.b}
    )
    out.print()
    head = (
        "trial.open"
        if difference.open
        else "trial.protocol"
        if difference.lawless
        else "trial.against"
    )
    out.print(
        say(head, language, game=difference.case.game, what=inline_json(what), times=times),
        style=style,
    )
    if difference.case.outcome:
        out.print(
            f"  {say('trial.outcome', language, outcome=inline_json(difference.case.outcome))}"
        )
    if difference.case.options:
        out.print(
            f"  {say('trial.options', language, options=inline_json(difference.case.options))}"
        )
    asks = "trial.protocol-asks" if difference.lawless else "trial.law"
    out.print(f"  {say(asks, language, expected=inline_json(difference.expected))}")
    observed = escape_unseen(inline_json(difference.observed), _MAX_VALUE_LENGTH)
    out.print(f"  {say('trial.vendor', language, observed=observed)}")
    print_grounds(out, law, difference, language)


def print_grounds(
    out: Console, law: Law, difference: Difference | RoundDifference, language: str
) -> None:
    """Print the provisions behind a difference, and the readings that would allow it."""
    for provision in difference.provisions:
        out.print(f"    {cite_provision(law, provision, language)}", style="dim")
    for divergence, reading in difference.readings:
        reading_note = say("trial.reading", language, divergence=divergence, reading=reading)
        out.print(f"    {reading_note}", style="yellow")


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
