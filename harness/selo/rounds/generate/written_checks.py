"""Checks written rounds: what is read, is shown by a table of the game, and names what it has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from selo.errors import SpecError
from selo.law.files.chance_file import read_chance
from selo.law.files.round_file import read_written_rounds
from selo.protocol.schema import FORCE
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.pack_and_dice import PACK
from selo.rules.procedure import complete_options
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from selo.errors import Problem
    from selo.law import Law
    from selo.rounds.script import Script


def check_written_rounds(law: Law) -> Iterator[Problem]:
    """Yield the problem of each file of rounds that cannot be read or played."""
    for folder in law.folders:
        game, path = folder.instrument.game, folder.document.path.with_name("rounds.yaml")
        if not path.exists():
            continue
        try:
            scripts = read_written_scripts(law, game, specs=path.parent.parent)
        except SpecError as error:
            yield from error.problems
            continue
        yield from _check_table(law, game, path.parent.parent)
        if not scripts:
            yield folder.document.problem(
                "game",
                problem=f"{game} has written rounds and no events.yaml, so nobody can play them",
                hint="Name the events of its table in events.yaml, or remove rounds.yaml.",
            )
        else:
            yield from _check_outcomes(law, game, path, scripts)


def _check_outcomes(law: Law, game: str, path: Path, scripts: list[Script]) -> Iterator[Problem]:
    """Yield each forced outcome that no table of the game can show."""
    rounds_file = read_written_rounds(game, specs=path.parent.parent)
    if rounds_file is None:
        return
    rules = compile_game(law, game, Readings(law))
    document, rounds = rounds_file
    places = {written.name: at for at, written in enumerate(rounds.rounds)}
    forced = [(script, act) for script in scripts for act in script.acts if act["act"] == FORCE]
    for script, act in forced:
        try:
            rules.settle_plain(script.options, act["outcome"], [])
            _check_packs(law, game, script, act["outcome"])
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            at = places.get(script.name)
            yield document.problem(
                *(["rounds"] if at is None else ["rounds", at]),
                problem=f"{script.name}: no table shows this outcome: {error}",
                hint="Write an outcome of the game, or force any.",
            )


def _check_table(law: Law, game: str, specs: Path) -> Iterator[Problem]:
    """Yield what `table` names and no events file has."""
    read, file = read_written_rounds(game, specs=specs), find_events_file(law, game)
    if read is None or file is None or read[1].table is None:
        return
    document, moves = read[0], read[1].table
    said = [name for mishap in moves.mishaps for way in mishap.ways for name in way.says]
    chosen = [*moves.options, *(name for mishap in moves.mishaps for name in mishap.given)]
    for what, named, known in (
        ("event", moves.events(), file.events),
        ("field", said, file.fields),
        ("option", chosen, file.options),
    ):
        for name in sorted({*named} - {one.id for one in known}):
            yield document.problem(
                "table", problem=f"there is no {what} '{name}'", hint="Name what events.yaml has."
            )


def _check_packs(law: Law, game: str, script: Script, outcome: Any) -> None:
    """Refuse an outcome with a card more often than the packs of its table hold it."""
    file, stated = find_events_file(law, game), read_chance(game, specs=law.specs)
    options: Any = {**({} if file is None else complete_options(file, {})), **script.options}
    packs = options.get("packs") or (stated and stated.packs)
    for card, times in Counter(_cards_in(outcome)).items():
        if packs and times > packs:
            msg = f"'{card}' lies there {times} times, and there are {packs} packs"
            raise BadOutcome(msg)


def _cards_in(outcome: Any) -> Iterator[str]:
    if isinstance(outcome, dict):
        outcome = list(outcome.values())
    for one in outcome:
        if isinstance(one, str) and one in PACK:
            yield one
        elif isinstance(one, list | dict):
            yield from _cards_in(one)
