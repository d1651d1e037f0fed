"""Outcomes of a vendor's own random source, held against the exact chances of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.draws.card_draws import Cards
    from selo.draws.dice_draws import Dice
    from selo.draws.random_equipment import equipment
else:
    __getattr__ = front_door(
        __name__,
        {
            "card_draws": ["Cards"],
            "dice_draws": ["Dice"],
            "random_equipment": ["equipment"],
        },
    )

__all__ = ["Cards", "Dice", "draw_verdict", "equipment"]
