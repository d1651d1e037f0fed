"""Fault localisation: which provisions wrong answers break, hide, and how these were misread."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.blame.compiled_mutant import CompiledMutant
    from selo.examine.blame.hypotheses import Hypothesis, RightAnswers, Sample
    from selo.examine.blame.reading_inference import (
        ReadingCounts,
        contradicted_readings,
        infer_readings,
    )
    from selo.examine.blame.wrong_answer import blamed_provisions
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CompiledMutant",
    "Hypothesis",
    "ReadingCounts",
    "RightAnswers",
    "Sample",
    "blamed_provisions",
    "contradicted_readings",
    "infer_readings",
    "plan_index",
    "root_causes",
]
