"""Judges a played round: order of events, answers to acts, settlement."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.judge.bet_tracker import THROWS
    from selo.rounds.judge.round_difference import Manner, RoundDifference
    from selo.rounds.judge.round_judge import Judge
    from selo.rounds.judge.table_log import Log
else:
    __getattr__ = front_door(
        __name__,
        {
            "bet_tracker": ["THROWS"],
            "round_difference": ["Manner", "RoundDifference"],
            "round_judge": ["Judge"],
            "table_log": ["Log"],
        },
    )

__all__ = ["THROWS", "Judge", "Log", "Manner", "RoundDifference"]
