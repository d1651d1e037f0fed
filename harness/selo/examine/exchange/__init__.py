"""The exchange with a vendor: chunks of questions, workers, reductions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.exchange.chunk_questions import (
        AnsweredChunk,
        Line,
        check_lowest_terms,
        encode_line,
    )
    from selo.examine.exchange.reduction_log import REDUCTION, Reducer, ReductionLog
else:
    __getattr__ = front_door(
        __name__,
        {
            "chunk_questions": ["AnsweredChunk", "Line", "encode_line", "check_lowest_terms"],
            "reduction_log": ["REDUCTION", "Reducer", "ReductionLog"],
        },
    )

__all__ = [
    "REDUCTION",
    "AnsweredChunk",
    "Line",
    "Reducer",
    "ReductionLog",
    "describe_check",
    "encode_line",
    "check_lowest_terms",
    "workers",
]
