"""Statistical tests of a vendor's random source against the exact probabilities of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.draws.card_draws import CardSource
    from selo.draws.dice_draws import DiceSource
    from selo.draws.random_equipment import Equipment, equipment_of_game, whole_packs_of_game
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CardSource",
    "DiceSource",
    "Equipment",
    "chance_deviations",
    "chi_square",
    "dependence",
    "draw_verdict",
    "equipment_of_game",
    "stream_counts",
    "whole_packs_of_game",
]
