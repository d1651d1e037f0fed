"""``selo selftest``: whether known faults are found, and blamed on what they break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.progress import counting
from selo.cli.show import console, print_json
from selo.cli.vendors import games_of
from selo.examine.selftest import Examiner, Score, State, generated, planted, summed
from selo.law.reader import load
from selo.rules.check import games
from selo.words.messages import say

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Examine every faulty vendor; survivors and wrong blame are defects of the suite."""
    law = load()
    scores: list[Score] = []
    with counting("selftest") as told:
        for game in games_of(arguments, law) or games(law):
            examiner = Examiner(law, game)
            for one in planted(examiner):
                scores.append(one)
                told(1)
            if arguments.generated:
                for one in generated(examiner, every=arguments.every):
                    scores.append(one)
                    told(1)
    counts = summed(scores)
    bad = [one for one in scores if one.state is not State.KILLED]
    if arguments.json:
        print_json({"counts": counts, "scores": scores})
    else:
        out = console()
        for one in bad:
            slots = {"game": one.game, "fault": one.fault, "provision": one.provision}
            blamed = ", ".join(one.blamed) or "–"
            said = say(f"selftest.{one.state}", arguments.lang, **slots, blamed=blamed)
            out.print(f"✗ {said}", style="red")
        out.print(
            say(
                "selftest.score",
                arguments.lang,
                killed=counts[State.KILLED],
                total=len(scores),
                percent=100 * counts[State.KILLED] // max(1, len(scores)),
            ),
            style="bold red" if bad or not scores else "bold green",
        )
    return Exit.SUITE if bad or not scores else Exit.CONFORMS
