"""Generators of cases, one module for each kind of equipment."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.generate.draw_rule import MOST, Drawing
    from selo.cases.generate.sample_hands import CARDS, PACK, RANKS, SUITS
    from selo.cases.generate.situation_cases import SITUATIONS
else:
    __getattr__ = front_door(
        __name__,
        {
            "draw_rule": ["Drawing", "MOST"],
            "sample_hands": ["CARDS", "PACK", "RANKS", "SUITS"],
            "situation_cases": ["SITUATIONS"],
        },
    )

__all__ = ["CARDS", "MOST", "PACK", "RANKS", "SITUATIONS", "SUITS", "Drawing", "case_stream"]
