"""The outcome of an examination: phases, verdicts, result file."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.outcome.phases import CASES, Nobody, run
    from selo.examine.outcome.result import RESULT, Outcome, concluded, outcome_of, write
    from selo.examine.outcome.verdict_summary import summarised
else:
    __getattr__ = front_door(
        __name__,
        {
            "phases": ["CASES", "Nobody", "run"],
            "result": ["Outcome", "RESULT", "concluded", "outcome_of", "write"],
            "verdict_summary": ["summarised"],
        },
    )

__all__ = [
    "CASES",
    "RESULT",
    "Nobody",
    "Outcome",
    "concluded",
    "outcome_of",
    "run",
    "summarised",
    "write",
]
