"""The oracle: what the law expects of a case, with its caches."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.oracle.case_oracle import (
        Expected,
        Oracle,
        back,
        compared,
        lawful_under,
        matches,
        parted,
    )
    from selo.cases.oracle.derivation_blame import blamed
    from selo.cases.oracle.fast_settlement import terse
else:
    __getattr__ = front_door(
        __name__,
        {
            "case_oracle": [
                "Expected",
                "Oracle",
                "back",
                "compared",
                "lawful_under",
                "matches",
                "parted",
            ],
            "derivation_blame": ["blamed"],
            "fast_settlement": ["terse"],
        },
    )

__all__ = [
    "Expected",
    "Oracle",
    "back",
    "blamed",
    "compared",
    "lawful_under",
    "matches",
    "parted",
    "terse",
]
