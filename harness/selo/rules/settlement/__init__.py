"""Compiled games: settle bets, compare hands, and derive every result from provisions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.settlement.provenance import Meanings
    from selo.rules.settlement.reconstruction import Basis
    from selo.rules.settlement.rounding import REFUSE
else:
    __getattr__ = front_door(
        __name__,
        {
            "provenance": ["Meanings"],
            "reconstruction": ["Basis"],
            "rounding": ["REFUSE"],
        },
    )

__all__ = [
    "REFUSE",
    "Basis",
    "Meanings",
    "bet_lifetime",
    "bet_rules",
    "game",
    "jackpot",
    "joint_settlement",
    "neighbouring_bets",
    "table_options",
    "throwing_game",
    "tile_game",
]
