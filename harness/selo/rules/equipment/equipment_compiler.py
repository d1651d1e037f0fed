"""Compiles what a game is played with: faces, tables, the kit, and the choices of its bets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from selo.rules.clauses import clause_models as c
from selo.rules.equipment.croupier_places import CroupierAndPlaces
from selo.rules.equipment.kits import Duel
from selo.rules.equipment.piece_set import DICE, PieceSet
from selo.rules.equipment.plain_dice import PlainDice
from selo.rules.equipment.played_hands import PlayedHands
from selo.rules.equipment.player_and_banker import PlayerAndBanker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selo.law import Law
    from selo.rules.equipment.kits import Kit, Tables

    ClausesByKind = Mapping[type[c.Clause], list[Any]]

_RANGE = "–"
#: How a bet is called on the wire, in commands and in file names.
_NAME = re.compile("[a-z0-9]+(?:-[a-z0-9]+)*")


def read_tables(
    law: Law,
    game: str,
    clauses: ClausesByKind,
    tables: Tables,
    add_table: Callable[[str, str], None],
) -> None:
    """Read faces and tables from the clauses, and lists of choices from ``equipment.yaml``.

    `add_table` is told each table and the provision in which it stands.
    """
    for located in clauses.get(c.FaceClause, ()):
        tables.faces[located.clause.face] = (located.clause.colour, located.clause.number)
    for located in clauses.get(c.FacesClause, ()):
        _read_faces(located.clause, tables)
    for located in clauses.get(c.TableClause, ()):
        name, rows = located.clause.table, located.clause.rows
        add_table(name, located.held.id)
        if isinstance(rows, dict):
            tables.values.setdefault(name, {}).update(rows)
        else:
            tables.orders[name] = [(row,) if isinstance(row, str) else tuple(row) for row in rows]
    for folder in law.folders:
        if folder.instrument.game == game and folder.equipment is not None:
            tables.choices = folder.equipment.choice_lists()


def _read_faces(clause: c.FacesClause, tables: Tables) -> None:
    """Add faces that are numbers; a later clause gives more to faces that stand already."""
    for number in clause.numbers():
        colour = tables.faces[number][0] if number in tables.faces else None
        tables.faces[number] = (clause.colour or colour, number)
        if clause.figure is not None:
            tables.figures[number] = clause.figure
    if clause.by is not None:
        tables.divisor = clause.by


def build_kit(game: str, clauses: ClausesByKind) -> Kit:  # noqa: PLR0911 - one for each kind
    """Return the kit that the equipment clause of a game names."""
    manners = [(one.clause.manner, one.clause.means) for one in clauses.get(c.MannerClause, ())]
    for located in clauses.get(c.Equipment, ()):
        clause = located.clause
        name, dice, cards = clause.equipment, clause.dice, clause.cards
        if name == "figure-dice" and dice is not None:
            announced = ("announcement", "prevails") in manners
            return PieceSet(count=dice, field=DICE, has_positions=True, announced=announced)
        if name == "pieces" and clause.pieces is not None:
            return PieceSet(count=clause.pieces)
        if name == "banker-and-seats" and cards is not None:
            return Duel(house="banker", seats="seats", place="seat", cards=cards)
        if name == "dice" and dice is not None:
            return PlainDice(dice)
        if name == "croupier-and-places" and cards is not None:
            return CroupierAndPlaces(cards)
        if name == "played-hands" and cards is not None and clause.packs is not None:
            return PlayedHands(cards=cards, packs=clause.packs)
        if name == "player-and-banker" and cards is not None:
            options = [option.clause for option in clauses.get(c.Option, ())]
            return PlayerAndBanker(cards, options)
        problem = f"there is no equipment '{name}'"
        raise located.error_at("equipment", problem, "See docs/rules.md.")
    msg = f"{game} has no rule that names its equipment"
    raise LookupError(msg)


def choices_of_bet(located: Any, kit: Kit, tables: Tables) -> tuple[Any, ...] | None:
    """Return what may be chosen with a bet; nothing if it has no choice."""
    name, choice = located.clause.bet, located.clause.choice
    if not _NAME.fullmatch(name):
        hint = "Write a to z, 0 to 9 and hyphens; what people read stands in words.yaml."
        raise located.error_at("bet", f"'{name}' is no name of a bet", hint)
    if choice is None:
        return None
    if isinstance(choice, list):
        return tuple(located.clause.listed_choices())
    first, dash, last = choice.partition(_RANGE)
    if dash:
        known = first.isdecimal() and last.isdecimal()
        numbers = tuple(range(int(first), int(last) + 1)) if known else ()
        if not numbers:
            problem = f"there is no number from '{first}' to '{last}' to choose"
            raise located.error_at("choice", problem, "Write the lower number first.")
        return numbers
    named = kit.domain(choice, tables)
    if named is None:
        problem = f"there is nothing called '{choice}' to choose"
        raise located.error_at("choice", problem, "Use a name or a range.")
    return tuple(named)
