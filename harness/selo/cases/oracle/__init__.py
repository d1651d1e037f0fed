"""The oracle: what the law expects of a case, with its caches."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.oracle.answer_check import compare_hands, is_answer_of
    from selo.cases.oracle.answer_readings import AnswerReadings, ReadingSearch
    from selo.cases.oracle.case_oracle import Oracle
    from selo.cases.oracle.derivation_blame import blame_provisions
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "AnswerReadings",
    "Oracle",
    "ReadingSearch",
    "answer_check",
    "bet_dependence",
    "blame_provisions",
    "compare_hands",
    "is_answer_of",
    "told_settlement",
]
