"""Generators of cases, one module for each kind of equipment."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.generate.draw_rule import MAX_ROUND_CARDS, DrawRule
    from selo.cases.generate.sample_hands import HAND_SIZE, PACK, RANKS, SUITS
    from selo.cases.generate.situation_cases import SITUATION_GROUP
else:
    __getattr__ = front_door(
        __name__,
        {
            "draw_rule": ["DrawRule", "MAX_ROUND_CARDS"],
            "sample_hands": ["HAND_SIZE", "PACK", "RANKS", "SUITS"],
            "situation_cases": ["SITUATION_GROUP"],
        },
    )

__all__ = [
    "HAND_SIZE",
    "MAX_ROUND_CARDS",
    "PACK",
    "RANKS",
    "SITUATION_GROUP",
    "SUITS",
    "DrawRule",
    "case_stream",
]
