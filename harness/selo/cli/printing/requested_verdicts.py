"""Prints the verdicts on the provisions that were asked for, and apart from them all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cli.printing.settlement_results import cited
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from selo.examine.outcome.result import Outcome
    from selo.law.loader import Law
    from selo.verdict.truth_tables import Verdict

_GIVEN: Final = "    "


def print_asked(
    out: Console, law: Law, result: Outcome, styles: Mapping[str, str], language: str
) -> None:
    """Print a line for each provision asked for, then those on which something came out besides."""
    if result.outside is None:
        return
    verdicts = {one.provision: one for one in result.summary.provisions}
    out.print(say("examine.asked", language, count=len(result.header.terms.provisions)))
    for name in result.header.terms.provisions:
        # A provision of a game that is not examined has no verdict, and so conforms to nothing.
        if name in verdicts:
            _print(out, law, verdicts[name], styles, language)
    if result.outside.provisions:
        count = len(result.outside.provisions)
        out.print(say("examine.outside", language, count=count), style="bold")
        for name in result.outside.provisions:
            _print(out, law, verdicts[name], styles, language)


def _print(out: Console, law: Law, one: Verdict, styles: Mapping[str, str], language: str) -> None:
    said = say(f"verdict.{one.result}", language)
    out.print(f"{_GIVEN}{said}  {cited(law, one.provision, language)}", style=styles[one.result])
    reason = say(f"verdict.reason.{one.reason}", language)
    out.print(f"{_GIVEN}{_GIVEN}{reason}", style="dim")
