"""What is concluded of what was seen, by the program and by people, for each provision."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verdict.truth_tables import Reason, Result, Verdict, verdict
    from selo.verdict.verdict_phrases import lacked, lines
else:
    __getattr__ = front_door(
        __name__,
        {
            "truth_tables": ["Reason", "Result", "Verdict", "verdict"],
            "verdict_phrases": ["lacked", "lines"],
        },
    )

__all__ = [
    "Reason",
    "Result",
    "Verdict",
    "lacked",
    "lines",
    "observations",
    "overall",
    "rulings",
    "verdict",
]
