"""Exact odds of every bet: nothing sampled, nothing rounded, every number out of the law files."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.odds.figures import Figure
    from selo.rules.odds.game_odds import Catalogue
    from selo.rules.odds.hand_vs_house import TABLES
    from selo.rules.odds.markov import EQUAL, FACES, WITHIN
    from selo.rules.odds.percentage import percent
    from selo.rules.odds.reading_odds import Change, changes
else:
    __getattr__ = front_door(
        __name__,
        {
            "figures": ["Figure"],
            "game_odds": ["Catalogue"],
            "hand_vs_house": ["TABLES"],
            "markov": ["EQUAL", "FACES", "WITHIN"],
            "percentage": ["percent"],
            "reading_odds": ["Change", "changes"],
        },
    )

__all__ = [
    "EQUAL",
    "FACES",
    "TABLES",
    "WITHIN",
    "Catalogue",
    "Change",
    "Figure",
    "changes",
    "pack_deals",
    "percent",
]
