"""The exchange with a vendor: chunks of questions, workers, reductions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.exchange.chunk_questions import Done, Line, encoded, fractions
    from selo.examine.exchange.reduction_log import REDUCTION, Reducer, Reductions
else:
    __getattr__ = front_door(
        __name__,
        {
            "chunk_questions": ["Done", "Line", "encoded", "fractions"],
            "reduction_log": ["REDUCTION", "Reducer", "Reductions"],
        },
    )

__all__ = [
    "REDUCTION",
    "Done",
    "Line",
    "Reducer",
    "Reductions",
    "describe_check",
    "encoded",
    "fractions",
    "workers",
]
