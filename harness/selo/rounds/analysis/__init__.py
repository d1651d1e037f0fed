"""Scripts analysed: step coverage, exercised provisions, shrinking."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.analysis.script_shrinker import (
        force_drawn_outcomes,
        is_same_difference,
        reproduction_check,
        shrink_script,
    )
    from selo.rounds.analysis.step_coverage import decisive_steps, measure_step_coverage
else:
    __getattr__ = front_door(
        __name__,
        {
            "script_shrinker": [
                "force_drawn_outcomes",
                "shrink_script",
                "is_same_difference",
                "reproduction_check",
            ],
            "step_coverage": ["decisive_steps", "measure_step_coverage"],
        },
    )

__all__ = [
    "decisive_steps",
    "measure_step_coverage",
    "force_drawn_outcomes",
    "shrink_script",
    "is_same_difference",
    "reproduction_check",
]
