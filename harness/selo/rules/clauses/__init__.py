"""Clauses as written in the law files: their models and their reader."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.clauses.clause_reader import (
        MEANINGS,
        LimitRule,
        Written,
        choices_of,
        compiled,
        limit_of,
        odds_of,
        rate_of,
        read_clauses,
    )
else:
    __getattr__ = front_door(
        __name__,
        {
            "clause_reader": [
                "LimitRule",
                "MEANINGS",
                "Written",
                "choices_of",
                "compiled",
                "limit_of",
                "odds_of",
                "rate_of",
                "read_clauses",
            ],
        },
    )

__all__ = [
    "MEANINGS",
    "LimitRule",
    "Written",
    "choices_of",
    "clause_models",
    "compiled",
    "limit_of",
    "odds_of",
    "rate_of",
    "read_clauses",
]
