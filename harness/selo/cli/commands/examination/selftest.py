"""``selo selftest``: whether planted faults are found and attributed to the right provision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit, show_progress
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from rich.console import Console

    from selo.examine.selftest import KillScore
    from selo.examine.selftest.planted_selftest import Score
    from selo.law import Law


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo selftest``."""
    shared.add_games(parser)
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--provisions", action="store_true")
    for name in ("--pairs", "--triples", "--readings"):
        parser.add_argument(name, type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--missing", action="store_true")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine vendors whose faults are known; what is misjudged is a defect of Selo."""
    by_provision = arguments.provisions or arguments.pairs or arguments.triples
    if by_provision or arguments.readings:
        return _score_provisions(arguments)
    return _score_faults(arguments)


def _score_provisions(arguments: argparse.Namespace) -> int:
    """Score single faults, combinations and lawful vendors by provision."""
    from selo.cli.resolved_options.vendor_options import games_of
    from selo.examine.selftest import KillScore, write_kill_score
    from selo.examine.selftest.provision_selftest import ProvisionSample, score_games
    from selo.law import load_law
    from selo.rules.checks import list_games

    law = load_law()
    sample = ProvisionSample(
        pairs=arguments.pairs, triples=arguments.triples, readings=arguments.readings,
        generated=arguments.every if arguments.generated else 0, seed=arguments.seed,
    )  # fmt: skip
    chosen = games_of(arguments, law) or list_games(law)
    games = games_left(arguments, law, chosen, by_provision=True)
    scored = []
    with show_progress("selftest") as advance:
        for game in games:
            # Each game is written as soon as it is scored: whoever is interrupted goes on from it.
            scored.append(
                score_games(law, [game], sample, processes=arguments.processes, advance=advance)
            )
            if arguments.out is not None:
                write_kill_score(arguments.out, scored[-1])
            if not arguments.json:
                _print_provisions(scored[-1], arguments.lang)
    kills = KillScore(
        editions={}, counts={}, accused=[], scores=[],
        sums=[row for each in scored for row in each.sums],
        misjudged=[one for each in scored for one in each.misjudged],
    )  # fmt: skip
    if arguments.json:
        print_json(kills)
    else:
        print_unscored(arguments, law)
    return Exit.SUITE if kills.misjudged or not (kills.sums or not games) else Exit.CONFORMS


def games_left(
    arguments: argparse.Namespace, law: Law, games: Iterable[str], *, by_provision: bool
) -> list[str]:
    """Return the games to score: with ``--missing``, those without a current score in the file."""
    if not arguments.missing or arguments.out is None or not arguments.out.is_file():
        return [*games]
    unscored = _unscored_games(arguments.out, law, by_provision=by_provision)
    return [game for game in games if game in unscored]


def _unscored_games(path: Path, law: Law, *, by_provision: bool) -> list[str]:
    """Return the games of which a file has no score of the present edition."""
    from selo.examine.selftest import game_edition, read_kill_score
    from selo.examine.selftest.provision_selftest import current_sums
    from selo.rules.checks import list_games

    kills = read_kill_score(path)
    if by_provision:
        scored = {row.game for row in current_sums(law, kills)}
    else:
        scored = {
            game for game, edition in kills.editions.items() if game_edition(law, game) == edition
        }
    return [game for game in list_games(law) if game not in scored]


def print_unscored(arguments: argparse.Namespace, law: Law) -> None:
    """Name the games of which the file that was written still has no current score."""
    if arguments.out is None or not arguments.out.is_file():
        return
    for by_provision, key in ((False, "planted"), (True, "provisions")):
        games = _unscored_games(arguments.out, law, by_provision=by_provision)
        if games:
            words = say(f"selftest.unscored.{key}", arguments.lang, games=", ".join(games))
            console().print(words, style="yellow")


def _print_provisions(kills: KillScore, language: str) -> None:
    """Print what was cleared and accused wrongly, and the sums of each game and kind."""
    out = console()
    for one in kills.misjudged:
        words = say(
            f"selftest.provision.{one.judged}", language, game=one.game, provision=one.provision,
            faults=", ".join(one.faults),
        )  # fmt: skip
        out.print(f"✗ {words}", style="red")
    for row in kills.sums:
        key = "readings" if row.kind == "readings" else "sums"
        slots = {
            name: getattr(row, name)
            for name in row.__struct_fields__
            if name not in {"kind", "edition"}
        }
        kind = say(f"selftest.kind.{row.kind}", language)
        out.print(say(f"selftest.provision.{key}", language, kind=kind, **slots))


def _score_faults(arguments: argparse.Namespace) -> int:
    """Examine every faulty vendor; surviving faults and wrong attributions are defects of Selo."""
    from selo.cli.resolved_options.vendor_options import games_of
    from selo.examine.selftest import (
        Examiner,
        KillScore,
        game_edition,
        score_mutants,
        write_kill_score,
    )
    from selo.examine.selftest.planted_selftest import (
        FAILED_STATES,
        count_states,
        score_lawful_vendor,
        score_planted_faults,
    )
    from selo.law import load_law
    from selo.rules.checks import list_games
    from selo.verdict.rulings import adopt_rulings

    law = load_law()
    scores: list[Score] = []
    changes: list[Score] = []
    accused: list[Score] = []
    chosen = games_of(arguments, law) or list_games(law)
    chosen = games_left(arguments, law, chosen, by_provision=False)
    with show_progress("selftest") as advance:

        def count(scores: Iterable[Score]) -> Iterable[Score]:
            for score in scores:
                advance(1)
                yield score

        for game in chosen:
            ruled, unruled = (
                Examiner(law, game, adopt_rulings(law, defaults=True)),
                Examiner(law, game),
            )
            # A lawful vendor must not be accused of anything.
            own_accused = [
                accusation for each in (ruled, unruled) for accusation in score_lawful_vendor(each)
            ]
            own = [*count(score_planted_faults(ruled, unruled))]
            if arguments.out is not None:
                write_kill_score(
                    arguments.out,
                    KillScore(
                        editions={game: game_edition(law, game)}, counts=count_states(own),
                        accused=own_accused, scores=own,
                    ),
                )  # fmt: skip
            accused += own_accused
            scores += own
            if arguments.generated:
                changes += count(score_mutants(ruled, every=arguments.every))
    kills = KillScore(
        editions={game: game_edition(law, game) for game in chosen}, counts=count_states(scores),
        accused=accused, scores=scores, generated=changes,
    )  # fmt: skip
    bad = [*accused, *(score for score in (*scores, *changes) if score.state in FAILED_STATES)]
    if arguments.json:
        print_json(kills)
    else:
        _print(kills, bad, arguments.lang)
        print_unscored(arguments, law)
    return Exit.SUITE if bad or not (scores or not chosen) else Exit.CONFORMS


def _print(kills: KillScore, bad: list[Score], language: str) -> None:
    from selo.examine.selftest.planted_selftest import (
        FAILED_STATES,
        LAWFUL,
        FaultState,
        count_states,
    )

    out = console()
    for score in bad:
        state = "accused" if score.fault == LAWFUL else score.state
        slots = {
            "game": score.game,
            "fault": score.fault,
            "provision": score.provision,
        }
        blamed = ", ".join(score.blamed) or "–"
        out.print(f"✗ {say(f'selftest.{state}', language, **slots, blamed=blamed)}", style="red")
    for game in kills.editions:
        for source, scores in (("planted", kills.scores), ("generated", kills.generated)):
            _print_game(
                out, source, game, [score for score in scores if score.game == game], language
            )
    counts = count_states((*kills.scores, *kills.generated))
    killed = counts[FaultState.KILLED]
    total = killed + sum(counts[state] for state in FAILED_STATES)
    percent = 100 * killed // max(1, total)
    summary = say("selftest.score", language, killed=killed, total=total, percent=percent)
    out.print(summary, style="bold red" if bad or not total else "bold green")


def _print_game(out: Console, source: str, game: str, scores: list[Score], language: str) -> None:
    """Print the counts of a game for planted or generated faults."""
    from selo.examine.selftest.planted_selftest import count_states

    if scores:
        counts = {state.name.lower(): times for state, times in count_states(scores).items()}
        out.print(say(f"selftest.{source}", language, game=game, **counts))
