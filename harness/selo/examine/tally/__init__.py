"""Tallies of answers: counts, kinds of differences, and the readings that they fit."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.tally.answer_count import AnswerCount
    from selo.examine.tally.answer_difference import (
        COMPARE,
        SETTLEMENT_PARTS,
        Difference,
        DifferenceKind,
        DifferenceShape,
        Point,
        Points,
        settlement_shape,
    )
    from selo.examine.tally.tally import Tally
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "COMPARE",
    "SETTLEMENT_PARTS",
    "AnswerCount",
    "Difference",
    "DifferenceKind",
    "DifferenceShape",
    "Point",
    "Points",
    "Tally",
    "settlement_shape",
]
