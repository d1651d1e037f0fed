"""What a game is played with, as far as chance is concerned, out of its compiled rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.draws.card_draws import CardSource
from selo.draws.dice_draws import DiceSource
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.declarations.randomness import equipment_of
from selo.rules.equipment.kits import FigureDice
from selo.rules.odds import FACES, TABLES
from selo.rules.procedure.round_order import options_of
from selo.rules.procedure.step_reader import events_of
from selo.rules.settlement import compile_game
from selo.rules.settlement.throwing_game import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from selo.law.loader import Law
    from selo.rules.readings import Readings
    from selo.rules.settlement.game import Game

_THROWS, _DICE, _LYING, _PACKS = "throws", "dice", "lying", "packs"
_FLAT_FIELDS: Final = frozenset({_DICE, _LYING})


def equipment_of_game(
    law: Law, game: str, readings: Readings, options: Mapping[str, Any]
) -> DiceSource | CardSource:
    """Return the equipment of `game` at a table that declared `options`."""
    compiled = compile_game(law, game, readings)
    said = equipment_of(law, game)
    if isinstance(compiled, ThrowingGame):
        faces: dict[Any, tuple[str | None, int]] = {face: (None, face) for face in FACES}
        return DiceSource(
            faces=faces, dice=said.dice or 0, shown=_dice_of, thrown=lambda dice: {_THROWS: [dice]}
        )
    if isinstance(compiled.kit, FigureDice):
        shown = _figures(compiled.kit, compiled)
        return DiceSource(
            faces=dict(compiled.tables.faces),
            dice=said.dice or 0,
            shown=shown,
            thrown=lambda dice: {_DICE: dice},
        )
    table, order = TABLES[said.equipment], compiled.order
    if order is None:
        msg = f"{game}: hands have no order"
        raise LookupError(msg)
    file = events_of(law, game)
    declared = {} if file is None else options_of(file, options)
    return CardSource(
        house=table.house,
        seats=table.seats,
        hand=said.cards or 0,
        copies=declared.get(_PACKS, 1),
        line=lambda hand: order(hand)[0],
        lines=_lines(law, game, readings),
    )


def _lines(law: Law, game: str, readings: Readings) -> dict[int, str]:
    """Return what the lines of the order of hands are called, by their numbers."""
    found: dict[int, str] = {}
    ranks = [
        read_clause.clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Rank)
    ]
    for number, clause in enumerate((rank for rank in ranks if readings.allow(rank.under)), 1):
        found[int(clause.rank) if clause.rank.isdigit() else number] = clause.name or clause.rank
    return found


def _dice_of(outcome: dict[str, Any]) -> Sequence[Any]:
    """Return the dice of one throw; one that left the table shows nothing."""
    if outcome.keys() != {_THROWS}:
        msg = "it has other fields"
        raise ValueError(msg)
    (throw,) = outcome[_THROWS]
    if not all(type(die) is int for die in throw):
        msg = "a die shows a whole number"
        raise ValueError(msg)
    return list(throw)


def _figures(kit: FigureDice, game: Game) -> Callable[[dict[str, Any]], Sequence[Any]]:
    """Return what the dice of an outcome show, however they lie; each throw is read once."""
    known: set[tuple[Any, ...]] = set()

    def shown(outcome: dict[str, Any]) -> Sequence[Any]:
        if not outcome.keys() <= _FLAT_FIELDS:
            msg = "it has other fields"
            raise ValueError(msg)
        dice: Sequence[Any] = outcome[_DICE]
        at = (tuple(dice), tuple(outcome.get(_LYING, ())))
        if at not in known:
            kit.read(outcome, game.tables)
            known.add(at)
        return dice

    return shown
