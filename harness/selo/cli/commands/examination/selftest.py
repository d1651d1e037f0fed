"""``selo selftest``: whether known faults are found, and blamed on what they break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.options.vendor_options import games_of
from selo.cli.output import Exit, counting
from selo.cli.output.tables import console, print_json
from selo.examine.selftest import Examiner, Kills, edition, generated, write
from selo.examine.selftest.planted_selftest import (
    FAULTY,
    LAWFUL,
    Score,
    State,
    accusations,
    planted,
    summed,
)
from selo.law.loader import load
from selo.rules.checks.game_check import games
from selo.text.message_catalogue import say
from selo.verdict.rulings import adopt

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from rich.console import Console


def run(arguments: argparse.Namespace) -> int:
    """Examine every faulty vendor; survivors and wrong blame are defects of the suite."""
    law = load()
    scores: list[Score] = []
    changes: list[Score] = []
    accused: list[Score] = []
    wanted = games_of(arguments, law) or games(law)
    with counting("selftest") as told:

        def counted(some: Iterable[Score]) -> Iterable[Score]:
            for one in some:
                told(1)
                yield one

        for game in wanted:
            ruled, unruled = Examiner(law, game, adopt(law, defaults=True)), Examiner(law, game)
            # A vendor that breaks nothing is not accused of anything.
            accused += [accusation for each in (ruled, unruled) for accusation in accusations(each)]
            scores += counted(planted(ruled, unruled))
            if arguments.generated:
                changes += counted(generated(ruled, every=arguments.every))
    kills = Kills(
        editions={game: edition(law, game) for game in wanted}, counts=summed(scores),
        accused=accused, scores=scores, generated=changes,
    )  # fmt: skip
    bad = [*accused, *(score for score in (*scores, *changes) if score.state in FAULTY)]
    if arguments.json:
        print_json(kills)
    else:
        _tell(kills, bad, arguments.lang)
    if arguments.out is not None:
        write(arguments.out, kills)
    return Exit.SUITE if bad or not scores else Exit.CONFORMS


def _tell(kills: Kills, bad: list[Score], language: str) -> None:
    out = console()
    for one in bad:
        state = "accused" if one.fault == LAWFUL else one.state
        slots = {"game": one.game, "fault": one.fault, "provision": one.provision}
        blamed = ", ".join(one.blamed) or "–"
        out.print(f"✗ {say(f'selftest.{state}', language, **slots, blamed=blamed)}", style="red")
    for game in kills.editions:
        for source, scores in (("planted", kills.scores), ("generated", kills.generated)):
            _tell_game(
                out, source, game, [score for score in scores if score.game == game], language
            )
    counts = summed((*kills.scores, *kills.generated))
    killed = counts[State.KILLED]
    total = killed + sum(counts[state] for state in FAULTY)
    percent = 100 * killed // max(1, total)
    score = say("selftest.score", language, killed=killed, total=total, percent=percent)
    out.print(score, style="bold red" if bad or not total else "bold green")


def _tell_game(out: Console, source: str, game: str, scores: list[Score], language: str) -> None:
    """Print what became of the faults of one game that come from one source."""
    if scores:
        counts = {state.name.lower(): times for state, times in summed(scores).items()}
        out.print(say(f"selftest.{source}", language, game=game, **counts))
