"""Free rounds: tables that draw their own outcomes, repeated with these forced and as cases."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.free_rounds.free_round_lines import (
        FREE_ROUND,
        FreeAnswers,
        FreeRound,
        repeat_forced,
    )
    from selo.examine.free_rounds.free_round_record import FreeRounds
    from selo.examine.free_rounds.free_round_tally import FreeRoundTally, UnlikeTape
    from selo.examine.free_rounds.table_samples import TableSample
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "FREE_ROUND",
    "FreeAnswers",
    "FreeRound",
    "FreeRoundTally",
    "FreeRounds",
    "TableSample",
    "UnlikeTape",
    "free_round_plan",
    "free_round_streams",
    "repeat_forced",
]
