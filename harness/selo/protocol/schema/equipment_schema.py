"""JSON Schema of the outcomes that a game's equipment can show, and a check of them.

How many dice, cards and faces there are comes from the law files, through the kit of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.protocol.schema.json_schema import TEXT, Schema, closed_object, list_schema, ref
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment import CroupierAndPlaces, PlayerAndBanker
from selo.rules.equipment.kits import (
    EXPOSED,
    MOST_EXPOSED,
    BadOutcome,
    Duel,
    with_options,
)
from selo.rules.equipment.pack_and_dice import (
    PACK,
    RANKS,
    SUIT_NAMES,
    THROW_POSITIONS,
    UNREADABLE,
)
from selo.rules.equipment.piece_set import ANNOUNCED, LYING, PieceSet
from selo.rules.equipment.plain_dice import PlainDice
from selo.rules.equipment.played_hands import HANDS, HOUSE, MOST_HANDS, PlayedHands
from selo.rules.equipment.tile_set import TileSet
from selo.rules.settlement import ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from selo.law import Law
    from selo.rules.equipment.kits import Tables
    from selo.rules.settlement import Game
    from selo.table_values import Options, Outcome

_PAIR: Final = 2
#: The schema of one card, which several games share.
CARD: Final = "card"
_Hand = list[str]


def card_schema() -> Schema:
    """Return the schema of a card: rank and suit."""
    return {
        "title": "card",
        "description": "Rank and suit: "
        + ", ".join(f"{sign} for {suit}" for sign, suit in SUIT_NAMES.items())
        + ".",
        "enum": [f"{rank}{suit}" for rank in RANKS for suit in SUIT_NAMES],
        "examples": [f"{RANKS[0]}{next(iter(SUIT_NAMES))}"],
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class EquipmentSchema:
    """The schemas of an outcome and of a hand to compare, and a check of outcomes."""

    outcome: Schema | None
    hand: Schema | None
    #: Raises for an invalid outcome.
    read: Callable[[Any], None]
    #: Whether an outcome is a list of throws; a draw then gives one throw.
    throws: bool = False
    #: The pieces of one new pack or set, where there is something to shuffle.
    pieces: tuple[str, ...] = ()


def equipment_of(  # noqa: PLR0911 - one for each kind
    law: Law, compiled: Game | ThrowingGame, lying: list[str], options: Options
) -> EquipmentSchema:
    """Return the schema of a game's equipment; `options` are those needed to read outcomes."""
    game = compiled.game if isinstance(compiled, ThrowingGame) else compiled
    said = next(
        read_clause.clause
        for read_clause in read_clauses(law, game.name)
        if isinstance(read_clause.clause, c.Equipment)
    )
    kit, number = game.kit, said.dice or said.cards or 0
    if isinstance(kit, PieceSet):
        return _piece_schema(kit, game.tables, lying)
    if isinstance(kit, PlainDice):
        return _thrown_dice_schema(kit, game.tables, number)
    if isinstance(kit, CroupierAndPlaces):
        return _duel_schema(kit, game.tables, number, house="croupier", others="places")
    if isinstance(kit, Duel):
        return _duel_schema(kit, game.tables, number, house="banker", others="seats")
    if isinstance(kit, PlayedHands):
        return _played_hands_schema(kit, game.tables)
    if isinstance(kit, PlayerAndBanker):
        return _two_hands_schema(kit, game.tables, number, options)
    if isinstance(kit, TileSet):
        return _tile_schema(kit)
    msg = f"{game.name}: the protocol does not know the equipment '{said.equipment}'"
    raise LookupError(msg)


def _make_reader(
    fields: list[tuple[str, Any] | tuple[str, Any, Any]], *kits: Callable[[Outcome], Any]
) -> Callable[[Any], None]:
    # The kit expects well-formed outcomes only, so the schema is checked first.
    form = msgspec.defstruct("Outcome", fields, kw_only=True, forbid_unknown_fields=True)

    def read(outcome: Any) -> None:
        msgspec.convert(outcome, form)
        for kit in kits:
            kit(outcome)

    return read


def _piece_schema(kit: PieceSet, tables: Tables, lying: list[str]) -> EquipmentSchema:
    def some(items: list[Any]) -> Schema:
        return list_schema({"enum": items}, least=kit.count, most=kit.count)

    if not kit.has_positions:
        shown = {**some(list(tables.faces)), "description": "The face that each piece shows."}
        return EquipmentSchema(
            outcome=closed_object({kit.field: shown}, [kit.field]),
            hand=None,
            read=_make_reader([(kit.field, list[int | str])], lambda o: kit.read(o, tables)),
        )
    fields: dict[str, Schema] = {
        kit.field: {**some(list(tables.faces)), "description": "The figure of each die."}
    }
    if lying:
        # The field is left out where the law does not consider how a die lies.
        described = (
            f"How each die lies; all {lying[0]} if left out. "
            f"`{UNREADABLE}` only with `history` in `describe`: its figure then says nothing."
        )
        fields[LYING] = {**some([*lying, UNREADABLE]), "description": described}
    fields[ANNOUNCED] = {
        **some(list(tables.faces)),
        "description": "The figures announced, where they are not those of the dice. "
        "Only with `history` in `describe`.",
    }
    outcome = closed_object(fields, [kit.field])
    return EquipmentSchema(
        outcome=outcome,
        hand=None,
        read=_make_reader(
            [(kit.field, _Hand), (LYING, _Hand, []), (ANNOUNCED, _Hand, [])],
            lambda shown: kit.read(shown, tables),
        ),
    )


def _thrown_dice_schema(kit: PlainDice, tables: Tables, dice: int) -> EquipmentSchema:
    def shows(face: int) -> bool:
        try:
            kit.read({"throw": [face] * dice}, tables)
        except BadOutcome:
            return False
        return True

    faces = list(takewhile(shows, count()))
    throw = {
        "type": "array",
        "prefixItems": [{"enum": faces}] * dice + [{"enum": list(THROW_POSITIONS)}],
        "minItems": dice,
        "maxItems": dice + 1,
    }
    outcome = closed_object(
        {
            "throws": list_schema(
                throw,
                description="Each throw in order, the first with no point set. "
                f"A die that left the table is written {faces[0]}. "
                "How the throw lies may follow the dice; it lies flat if nothing follows.",
            )
        },
        ["throws"],
    )

    def every(shown: Outcome) -> None:
        for one in shown["throws"]:
            kit.read({"throw": one}, tables)

    return EquipmentSchema(
        outcome=outcome,
        hand=None,
        read=_make_reader([("throws", list[list[int | str]])], every),
        throws=True,
    )


def _duel_schema(
    kit: Duel, tables: Tables, cards: int, *, house: str, others: str
) -> EquipmentSchema:
    one_pack = isinstance(kit, CroupierAndPlaces)
    unique = {"uniqueItems": True} if one_pack else {}
    full = list_schema(ref(CARD), least=cards, most=cards, **unique)
    # A hand of another size is a misdeal, for which the law has rules.
    dealt = list_schema(ref(CARD), **unique) if one_pack else full
    outcome = closed_object(
        {
            house: {**dealt, "description": f"The cards of the {house}."},
            others: {
                "type": "object",
                "propertyNames": TEXT,
                "additionalProperties": dealt,
                "description": f"The cards of each of the {others}, by its name.",
            },
        },
        [house],
    )
    if one_pack:
        outcome["description"] = (
            f"A hand has {cards} cards; one of more or fewer was misdealt. No card comes twice."
        )
    return EquipmentSchema(
        outcome=outcome,
        hand=full,
        read=_make_reader(
            [(house, _Hand), (others, dict[str, _Hand], {})], lambda shown: kit.read(shown, tables)
        ),
        pieces=PACK,
    )


def _played_hands_schema(kit: PlayedHands, tables: Tables) -> EquipmentSchema:
    hand = list_schema(
        ref(CARD),
        least=kit.cards,
        description="The cards of a hand, in the order in which they came.",
    )
    outcome = closed_object(
        {
            HOUSE: {**hand, "description": f"The cards of the {HOUSE}, in the order dealt."},
            HANDS: {
                "type": "object",
                "propertyNames": TEXT,
                "additionalProperties": list_schema(hand, least=1, most=MOST_HANDS),
                "description": "The hands of each place, by its name: "
                "the one dealt, and one more where it was divided.",
            },
        },
        [HOUSE],
    )
    outcome["description"] = (
        f"{kit.packs} packs: no card comes more than {kit.packs} times. "
        "In a draw, the first cards, before any decision."
    )
    return EquipmentSchema(
        outcome=outcome,
        hand=None,
        read=_make_reader(
            [(HOUSE, _Hand), (HANDS, dict[str, list[_Hand]], {})],
            lambda shown: kit.read(shown, tables),
        ),
        pieces=PACK * kit.packs,
    )


def _two_hands_schema(
    kit: PlayerAndBanker, tables: Tables, cards: int, options: Options
) -> EquipmentSchema:
    # Each hand may receive one additional card.
    hand = list_schema(ref(CARD), least=cards, most=cards + 1)
    names = ("player", "banker")
    outcome = closed_object(
        {
            **{
                name: {**hand, "description": f"The cards of the {name}, in the order dealt."}
                for name in names
            },
            EXPOSED: {
                **list_schema(ref(CARD), most=MOST_EXPOSED),
                "description": "Cards that lie open on the table and belong to neither hand.",
            },
        },
        names,
    )
    return EquipmentSchema(
        outcome=outcome,
        hand=None,
        read=_make_reader(
            [*[(name, _Hand) for name in names], (EXPOSED, _Hand, [])],
            lambda shown: kit.read(with_options(options, shown), tables),
        ),
        pieces=PACK,
    )


def _tile_schema(kit: TileSet) -> EquipmentSchema:
    # A tile that occurs once in the set cannot form a pair with itself.
    single = [[tile, tile] for tile, times in kit.supply.items() if times == 1]
    hand = list_schema({"enum": list(kit.supply)}, least=_PAIR, most=_PAIR)

    def read(outcome: Any) -> None:
        msg = f"no outcome is settled in this game: {outcome!r}"
        raise BadOutcome(msg)

    return EquipmentSchema(
        outcome=None,
        hand={**hand, "not": {"enum": single}},
        read=read,
        pieces=tuple(kit.supply.elements()),
    )
