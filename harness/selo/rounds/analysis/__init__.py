"""Analyses scripts: step coverage and shrinking."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.analysis.point_importance import (
        compute_importance,
        importance_key,
        order_points,
    )
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
    "compute_importance",
    "decisive_steps",
    "force_drawn_outcomes",
    "importance_key",
    "is_same_difference",
    "measure_step_coverage",
    "order_points",
    "reproduction_check",
    "shrink_script",
    "tape_comparison",
]
