"""``selo selftest``: whether known faults are found, and blamed on what they break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.progress import counting
from selo.cli.show import console, print_json
from selo.cli.vendors import games_of
from selo.examine.examiner import Examiner
from selo.examine.kills import Kills, edition, write
from selo.examine.selftest import LAWFUL, Score, State, generated, lawful, planted, scored, summed
from selo.law.reader import load
from selo.rules.check import games
from selo.words.messages import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def run(arguments: argparse.Namespace) -> int:
    """Examine every faulty vendor; survivors and wrong blame are defects of the suite."""
    law = load()
    scores: list[Score] = []
    accused: list[Score] = []
    wanted = games_of(arguments, law) or games(law)
    with counting("selftest") as told:
        for game in wanted:
            examiner = Examiner(law, game)
            found = lawful(examiner)
            # A vendor that breaks nothing is not accused of anything.
            accused += [scored(game, LAWFUL, "", found)] if found else []
            for one in _faulty(examiner, arguments):
                scores.append(one)
                told(1)
    counts = summed(scores)
    bad = [*accused, *(one for one in scores if one.state is not State.KILLED)]
    kills = Kills(
        editions={game: edition(law, game) for game in wanted}, counts=counts,
        accused=accused, scores=scores,
    )  # fmt: skip
    if arguments.json:
        print_json(kills)
    else:
        _tell(kills, bad, arguments.lang)
    if arguments.out is not None:
        write(arguments.out, kills)
    return Exit.SUITE if bad or not scores else Exit.CONFORMS


def _faulty(examiner: Examiner, arguments: argparse.Namespace) -> Iterator[Score]:
    yield from planted(examiner)
    if arguments.generated:
        yield from generated(examiner, every=arguments.every)


def _tell(kills: Kills, bad: list[Score], language: str) -> None:
    out = console()
    for one in bad:
        state = "accused" if one.fault == LAWFUL else one.state
        slots = {"game": one.game, "fault": one.fault, "provision": one.provision}
        blamed = ", ".join(one.blamed) or "–"
        out.print(f"✗ {say(f'selftest.{state}', language, **slots, blamed=blamed)}", style="red")
    killed, total = kills.counts[State.KILLED], len(kills.scores)
    percent = 100 * killed // max(1, total)
    score = say("selftest.score", language, killed=killed, total=total, percent=percent)
    out.print(score, style="bold red" if bad or not total else "bold green")
