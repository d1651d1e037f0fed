"""Fault localisation: which provision and which misreading explain wrong answers."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.blame.hypotheses import Hypothesis, RightAnswers, Sample, blamed_provisions
    from selo.examine.blame.kill_frequency import KillFrequency
    from selo.examine.blame.reading_inference import (
        ReadingCounts,
        contradicted_readings,
        infer_readings,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Hypothesis",
    "KillFrequency",
    "ReadingCounts",
    "RightAnswers",
    "Sample",
    "blamed_provisions",
    "contradicted_readings",
    "infer_readings",
    "root_causes",
]
