"""Analyses scripts: step coverage and shrinking."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.analysis.point_importance import importance_key, stored_importance
    from selo.rounds.analysis.script_shrinker import (
        force_drawn_outcomes,
        is_same_difference,
        reproduction_check,
        shrink_script,
    )
    from selo.rounds.analysis.step_coverage import (
        StepCoverage,
        decisive_steps,
        measure_step_coverage,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "StepCoverage",
    "decisive_steps",
    "force_drawn_outcomes",
    "importance_key",
    "is_same_difference",
    "measure_step_coverage",
    "reproduction_check",
    "shrink_script",
    "stored_importance",
    "tape_comparison",
]
