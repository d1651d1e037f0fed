"""Tallies of answers: counts, differences, and which readings they fit."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.tally.answer_difference import Difference, Points
    from selo.examine.tally.reading_fit import Point
    from selo.examine.tally.tally import PARTS, Count, Tally, raw_readings, settled_as
else:
    __getattr__ = front_door(
        __name__,
        {
            "answer_difference": ["Difference", "Points"],
            "reading_fit": ["Point"],
            "tally": ["Count", "PARTS", "Tally", "raw_readings", "settled_as"],
        },
    )

__all__ = ["PARTS", "Count", "Difference", "Point", "Points", "Tally", "raw_readings", "settled_as"]
