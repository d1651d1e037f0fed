"""The random equipment of a game, from its compiled rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from selo.draws.card_draws import CardSource
from selo.draws.dice_draws import DiceSource
from selo.draws.two_hand_draws import TwoHandSource
from selo.draws.whole_packs import WholePackSource
from selo.law.files.chance_file import read_chance
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import find_equipment, read_clauses
from selo.rules.equipment import DrawingRule, PlayerAndBanker
from selo.rules.equipment.kits import HAND_LAYOUTS, Tables
from selo.rules.equipment.pack_and_dice import PACK, PIPS
from selo.rules.equipment.piece_set import LYING, PieceSet, remainder_of
from selo.rules.equipment.played_hands import HANDS, HOUSE, PlayedHands
from selo.rules.equipment.tile_set import TileSet
from selo.rules.procedure import complete_options
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.settlement import ThrowingGame, compile_game

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.law import Law
    from selo.rules.readings import Readings
    from selo.table_values import Options, Outcome

#: What outcomes are drawn from.
Equipment = DiceSource | CardSource | TwoHandSource | WholePackSource

_THROWS: Final = "throws"
_PACKS: Final = "packs"
_FIRST_PLACE: Final = "1"


def equipment_of_game(law: Law, game: str, readings: Readings, options: Options) -> Equipment:
    """Return the equipment of `game` at a table that declared `options`."""
    compiled = compile_game(law, game, readings)
    equipment = find_equipment(law, game)
    if isinstance(compiled, ThrowingGame):
        faces: dict[Any, tuple[str | None, int]] = {face: (None, face) for face in PIPS}
        return DiceSource(
            faces=faces,
            dice=equipment.dice or 0,
            read_faces=_dice_of,
            make_outcome=lambda dice: {_THROWS: [dice]},
        )
    if isinstance(compiled.kit, PieceSet):
        return _piece_source(compiled.kit, compiled.tables)
    if isinstance(compiled.kit, PlayerAndBanker):
        rule = DrawingRule.of(law, readings.of(DrawingRule.POINT))
        return TwoHandSource(hands=PlayerAndBanker.hands, rule=rule)
    if isinstance(compiled.kit, PlayedHands):
        return _played_hand_source(compiled.kit)
    table, order = HAND_LAYOUTS[equipment.equipment], compiled.order
    if order is None:
        msg = f"{game}: hands have no order"
        raise LookupError(msg)
    file = find_events_file(law, game)
    declared: Options = {} if file is None else complete_options(file, options)
    return CardSource(
        house=table.house,
        seats=table.seats,
        hand=equipment.cards or 0,
        copies=cast("int", declared.get(_PACKS, 1)),
        line=lambda hand: order(hand)[0],
        lines=_line_names(law, game, readings),
    )


def whole_packs_of_game(
    law: Law, game: str, readings: Readings, options: Options
) -> WholePackSource | None:
    """Return the whole packs of `game` at a table that declared `options`; nothing of dice."""
    compiled = compile_game(law, game, readings)
    if isinstance(compiled, ThrowingGame) or isinstance(compiled.kit, PieceSet):
        return None
    if isinstance(compiled.kit, TileSet):
        return WholePackSource(new_pack=tuple(compiled.kit.supply.elements()))
    if isinstance(compiled.kit, PlayedHands):
        return WholePackSource(new_pack=PACK * compiled.kit.packs)
    file, stated = find_events_file(law, game), read_chance(game, specs=law.specs)
    declared: Options = {} if file is None else complete_options(file, options)
    # Where no option says how many packs there are, the number that is measured does.
    packs = declared.get(_PACKS) or (stated and stated.packs) or 1
    return WholePackSource(new_pack=PACK * cast("int", packs))


def _line_names(law: Law, game: str, readings: Readings) -> dict[int, str]:
    """Return the names of the lines of the order of hands by their numbers."""
    names: dict[int, str] = {}
    ranks = [
        read_clause.clause
        for read_clause in read_clauses(law, game)
        if isinstance(read_clause.clause, c.Rank)
    ]
    for number, clause in enumerate((rank for rank in ranks if readings.allows(rank.under)), 1):
        names[int(clause.rank) if clause.rank.isdigit() else number] = clause.name or clause.rank
    return names


def _dice_of(outcome: Outcome) -> Sequence[Any]:
    """Return the dice of one throw; a die that left the table shows 0."""
    if outcome.keys() != {_THROWS}:
        msg = "it has other fields"
        raise ValueError(msg)
    (throw,) = outcome[_THROWS]
    if not all(type(die) is int for die in throw):
        msg = "a die shows a whole number"
        raise ValueError(msg)
    return list(throw)


def _played_hand_source(kit: PlayedHands) -> TwoHandSource:
    """Return the first cards of the house and of one place, before any decision."""

    def read_hands(outcome: Mapping[str, Any]) -> Mapping[str, Any]:
        kit.read(cast("Outcome", outcome), Tables())
        ((dealt,),) = outcome[HANDS].values()
        return {**outcome, HANDS: dealt}

    def make_outcome(dealt: Mapping[str, Any]) -> Mapping[str, Any]:
        return kit.build_outcome(dealt[HOUSE], {_FIRST_PLACE: [dealt[HANDS]]})

    return TwoHandSource(hands=(HOUSE, HANDS), read_hands=read_hands, make_outcome=make_outcome)


def _piece_source(kit: PieceSet, tables: Tables) -> DiceSource:
    """Return pieces of which all faces are equally likely.

    Where a face is a number that is counted off, what is left of it is what must be equally likely:
    nobody says how many beads a heap has.
    """
    read = _piece_reader(kit, tables)
    if tables.divisor is None:
        return DiceSource(
            faces=dict(tables.faces),
            dice=kit.count,
            read_faces=read,
            make_outcome=lambda faces: cast("Outcome", {kit.field: faces}),
        )
    # The first face with each remainder stands for all of them.
    remainders: dict[Any, Any] = {}
    for face, (_, number) in tables.faces.items():
        remainders.setdefault(remainder_of(number, tables.divisor), face)
    numbers = {face: number for face, (_, number) in tables.faces.items()}
    return DiceSource(
        faces={left: (None, left) for left in sorted(remainders)},
        dice=kit.count,
        read_faces=lambda outcome: [
            remainder_of(numbers[face], tables.divisor) for face in read(outcome)
        ],
        make_outcome=lambda left: cast("Outcome", {kit.field: [remainders[one] for one in left]}),
    )


def _piece_reader(kit: PieceSet, tables: Tables) -> Callable[[Outcome], Sequence[Any]]:
    """Return a function that reads the faces of an outcome and checks each outcome once."""
    checked: set[Hashable] = set()
    fields = {kit.field, LYING} if kit.has_positions else {kit.field}

    def shown(outcome: Outcome) -> Sequence[Any]:
        plain: Mapping[str, Any] = outcome
        if not plain.keys() <= fields:
            msg = "it has other fields"
            raise ValueError(msg)
        faces: Sequence[Any] = plain[kit.field]
        throw: Hashable = (tuple(faces), tuple(plain.get(LYING, ())))
        if not kit.has_positions:
            # `1` and `true` are equal keys, and only one of them is a face.
            throw = tuple(map(repr, faces))
        if throw not in checked:
            kit.read(outcome, tables)
            checked.add(throw)
        return faces

    return shown
