"""Prints what came of putting cases to a vendor: counts, differences with their law, faults."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.law import cite
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console

    from selo.examine.tally import Difference, Tally
    from selo.law.loader import Law

_MAX_DIFFERENCES = 20
_MAX_VALUE_LENGTH = 400


def exit_code_of_cases(tally: Tally) -> Exit:
    """Return the exit code; a trial never proves that all of the law is kept."""
    if tally.faults:
        return Exit.VENDOR
    if tally.violates:
        return Exit.VIOLATES
    return Exit.VENDOR if tally.breaks_protocol else Exit.OPEN


def print_tally(out: Console, law: Law, tally: Tally, language: str) -> None:
    """Print counts, then every kind of difference, then faults of the adapter."""
    for (game, method), count in tally.counts.items():
        good = count.right == count.cases - count.silent
        line = say(
            "trial.count", language, game=game, method=method, cases=count.cases,
            right=count.right, different=count.different, faults=count.faults,
        )  # fmt: skip
        if count.silent:
            line += say("trial.silent", language, count=count.silent)
        out.print(("✓ " if good else "✗ ") + line, style="green" if good else "bold red")
    if tally.not_offered:
        out.print(f"– {say('trial.not-offered', language, count=tally.not_offered)}", style="dim")
    shown = sorted(tally.differences.items(), key=lambda one: (one[1].open, one[1].lawless))
    for kind, one in shown[:_MAX_DIFFERENCES]:
        _print_difference(out, law, one, tally.times[kind], language)
    hidden = len(shown) - _MAX_DIFFERENCES
    if hidden > 0:
        out.print(say("trial.more", language, count=hidden), style="dim")
    for fault in tally.faults[:_MAX_DIFFERENCES]:
        first, *rest = fault.lines(language)
        out.print(f"✗ {first}", style="red")
        for line in rest:
            out.print(f"    {line}")


def _print_difference(out: Console, law: Law, one: Difference, times: int, language: str) -> None:
    style = "bold yellow" if one.open or one.lawless else "bold red"
    what = one.case.bets[one.bet] if one.bet is not None else {"a": one.case.a, "b": one.case.b}
    out.print()
    head = "trial.open" if one.open else "trial.protocol" if one.lawless else "trial.against"
    out.print(say(head, language, game=one.case.game, what=_json(what), times=times), style=style)
    if one.case.outcome:
        out.print(f"  {say('trial.outcome', language, outcome=_json(one.case.outcome))}")
    if one.case.options:
        out.print(f"  {say('trial.options', language, options=_json(one.case.options))}")
    asks = "trial.protocol-asks" if one.lawless else "trial.law"
    out.print(f"  {say(asks, language, expected=_json(one.expected))}")
    out.print(
        f"  {say('trial.vendor', language, observed=escape_unseen(_json(one.observed), _MAX_VALUE_LENGTH))}"
    )
    for provision in one.provisions:
        out.print(f"    {cite_provision(law, provision, language)}", style="dim")
    for divergence, reading in one.readings:
        said = say("trial.reading", language, divergence=divergence, reading=reading)
        out.print(f"    {said}", style="yellow")


def cite_provision(law: Law, provision: str, language: str) -> str:
    """Return a provision with its citation."""
    held = law.provisions.get(provision)
    if held is None:
        # What we reconstructed is no law and must not look like it.
        return f"{provision}  {say('reconstructed.banner', language)}"
    found = cite(law, held)
    chinese = f" · {found.zh}" if "zh" in held.instrument.languages.published else ""
    return f"{provision}  {found.pt}{chinese}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def record_tally(tally: Tally) -> dict[str, Any]:
    """Return everything that was counted, for machines."""
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
        "faults": [
            {"kind": fault.kind, "told": fault.told(), "hint": fault.remedy(), "path": fault.path}
            for fault in tally.faults
        ],
    }  # fmt: skip
