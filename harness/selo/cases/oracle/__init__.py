"""The oracle: what the law expects of a case, with its caches."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.oracle.answer_check import (
        ExpectedSettlement,
        compare_hands,
        is_answer_of,
        matches_expectation,
    )
    from selo.cases.oracle.answer_readings import AnswerReadings, ReadingSearch
    from selo.cases.oracle.bet_dependence import settles_alone, settles_bets_jointly
    from selo.cases.oracle.case_oracle import Oracle
    from selo.cases.oracle.derivation_blame import blame_provisions
    from selo.cases.oracle.fast_settlement import make_fast_game
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "AnswerReadings",
    "ExpectedSettlement",
    "Oracle",
    "ReadingSearch",
    "blame_provisions",
    "compare_hands",
    "is_answer_of",
    "make_fast_game",
    "matches_expectation",
    "settles_alone",
    "settles_bets_jointly",
    "told_settlement",
]
