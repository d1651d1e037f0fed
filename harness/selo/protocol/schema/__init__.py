"""JSON Schemas of each game on the wire, and readers that validate against them."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.protocol.schema.declaration_schema import DeclarationWords
    from selo.protocol.schema.equipment_schema import CARD, card_schema
    from selo.protocol.schema.event_schema import FORCE, GO_ON, HAPPEN
    from selo.protocol.schema.game_schema import GameWords, game_words
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CARD",
    "FORCE",
    "GO_ON",
    "HAPPEN",
    "DeclarationWords",
    "GameWords",
    "card_schema",
    "game_words",
    "json_schema",
]
