"""Cases to ask of every game, and what the law expects of each."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.case import LARGEST, Case, settling
    from selo.cases.case_encoding import Writing, named
    from selo.cases.scope import Offered, Scope, everything
else:
    __getattr__ = front_door(
        __name__,
        {
            "case": ["Case", "LARGEST", "settling"],
            "case_encoding": ["Writing", "named"],
            "scope": ["Offered", "Scope", "everything"],
        },
    )

__all__ = [
    "LARGEST",
    "Case",
    "Offered",
    "Scope",
    "Writing",
    "everything",
    "group",
    "named",
    "settling",
]
