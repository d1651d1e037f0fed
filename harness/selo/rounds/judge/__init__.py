"""Judges a played round: order of events, answers to acts, settlement."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.judge.round_difference import Manner, RoundDifference
    from selo.rounds.judge.round_judge import RoundJudge
    from selo.rounds.judge.table_log import TableLog
else:
    __getattr__ = front_door(__name__)

__all__ = ["Manner", "RoundDifference", "RoundJudge", "TableLog"]
