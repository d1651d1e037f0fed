"""The equipment of games: cards, dice, tiles and places, and the facts that outcomes show."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.equipment.croupier_places import CroupierAndPlaces
    from selo.rules.equipment.drawing_rule import DrawingRule
    from selo.rules.equipment.piece_set import PieceSet
    from selo.rules.equipment.plain_dice import PlainDice, split_throw
    from selo.rules.equipment.player_and_banker import PlayerAndBanker
    from selo.rules.equipment.tile_set import TilePair, TileSet
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CroupierAndPlaces",
    "DrawingRule",
    "PieceSet",
    "PlainDice",
    "PlayerAndBanker",
    "TilePair",
    "TileSet",
    "kits",
    "pack_and_dice",
    "split_throw",
]
