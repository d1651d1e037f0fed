"""The equipment of games: cards, pieces, tiles and places, and the facts that outcomes show."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.equipment.croupier_places import CroupierAndPlaces
    from selo.rules.equipment.drawing_rule import DrawingRule
    from selo.rules.equipment.player_and_banker import PlayerAndBanker
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CroupierAndPlaces",
    "DrawingRule",
    "PlayerAndBanker",
    "equipment_compiler",
    "kits",
    "pack_and_dice",
    "piece_set",
    "plain_dice",
    "played_hands",
    "tile_set",
]
