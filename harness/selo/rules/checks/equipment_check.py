"""Checks ``equipment.yaml`` and the tables of ``rounds.yaml`` against the rules and the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.errors import Problem
from selo.law.files.equipment_file import EQUIPMENT_FILE
from selo.law.files.events_file import EventOrigin
from selo.law.files.round_file import read_written_rounds
from selo.rules.equipment.piece_set import SHOWN, PieceSet, remainder_of
from selo.rules.readings import Readings
from selo.rules.settlement import Game, compile_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law import Law
    from selo.law.loader import InstrumentFolder
    from selo.rules.equipment.kits import Tables


def check_equipment(law: Law, folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield what is missing or impossible in the files about the equipment of one game."""
    compiled = compile_game(law, folder.instrument.game, Readings(law))
    game = compiled if isinstance(compiled, Game) else compiled.game
    has_pieces = isinstance(game.kit, PieceSet) and game.kit.field == SHOWN
    path = folder.document.path.with_name(EQUIPMENT_FILE)
    if has_pieces != (folder.equipment is not None):
        yield Problem(
            path=path if folder.equipment is not None else folder.document.path,
            line=1,
            problem=f"{folder.instrument.game} has pieces and no equipment.yaml"
            if has_pieces
            else f"{folder.instrument.game} has no pieces that equipment.yaml could describe",
            hint="Games with `equipment: pieces`, and no others, have an equipment.yaml.",
        )
    elif folder.equipment is not None:
        for problem in _impossible_numbers(folder, game.tables):
            hint = "Compare with the clauses `faces` of the articles."
            yield Problem(path=path, line=1, problem=problem, hint=hint)
    if has_pieces:
        yield from _check_table(law, folder)


def _impossible_numbers(folder: InstrumentFolder, tables: Tables) -> Iterator[str]:
    file = folder.equipment
    if file is None:
        return
    numbers = {number for _, number in tables.faces.values()}
    possible = numbers | {remainder_of(number, tables.divisor) for number in numbers}
    for name, choices in file.choice_lists().items():
        for choice, chosen in choices.items():
            strange = [str(number) for number in chosen if number not in possible]
            if strange or not chosen:
                yield f"the choice {choice} of {name} has numbers that never come: " + ", ".join(
                    strange or ["none"]
                )
    if file.order and sorted(file.order) != sorted(numbers):
        yield "the order does not name every face once"


def _check_table(law: Law, folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield events of the table of ``rounds.yaml`` that the game does not have."""
    written = read_written_rounds(folder.instrument.game, specs=law.specs)
    if written is None or folder.events is None:
        return
    document, rounds = written
    if rounds.table is None:
        yield document.problem(
            "rounds",
            problem="nothing says how tables are played at random",
            hint="Write table: with the events after which no bet is taken (docs/law-editors.md).",
        )
        return
    origins = {event.id: event.by for event in folder.events.events}
    for part, names, origin in (
        ("closing", rounds.table.closing, EventOrigin.TABLE),
        ("changes", rounds.table.changes, EventOrigin.ACT),
    ):
        for name in names:
            if origins.get(name) is not origin:
                yield document.problem(
                    "table",
                    part,
                    problem=f"'{name}' is no event by {origin.value} of this game",
                    hint="Compare with events.yaml.",
                )
