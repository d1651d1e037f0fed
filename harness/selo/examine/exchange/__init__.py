"""The exchange with a vendor: chunks of cases, worker processes, reductions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.exchange.reduction_log import REDUCTION, Reducer, ReductionLog
    from selo.examine.exchange.workers import (
        VendorEndpoint,
        VendorRestart,
        answer_chunks,
        play_free_rounds,
        play_planned_rounds,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "REDUCTION",
    "AnsweredChunk",
    "Reducer",
    "ReductionLog",
    "VendorEndpoint",
    "VendorRestart",
    "answer_chunks",
    "chunk_exchange",
    "play_free_rounds",
    "play_planned_rounds",
]
