"""What a game is played with: cards, dice and places, and what conditions may ask of them."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.equipment.croupier_places import CroupierAndPlaces
    from selo.rules.equipment.hand_order import comparisons, direction, ordering, remembered
    from selo.rules.equipment.plain_dice import THROW, Dice
    from selo.rules.equipment.player_and_banker import PlayerAndBanker, at_table
else:
    __getattr__ = front_door(
        __name__,
        {
            "croupier_places": ["CroupierAndPlaces"],
            "hand_order": ["comparisons", "direction", "ordering", "remembered"],
            "plain_dice": ["Dice", "THROW"],
            "player_and_banker": ["PlayerAndBanker", "at_table"],
        },
    )

__all__ = [
    "THROW",
    "CroupierAndPlaces",
    "Dice",
    "PlayerAndBanker",
    "at_table",
    "comparisons",
    "direction",
    "kits",
    "ordering",
    "remembered",
]
