"""Scripts analysed: step coverage, exercised provisions, shrinking."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rounds.analysis.script_shrinker import given_in_advance, reduced, same, shown_again
    from selo.rounds.analysis.step_coverage import decided_by, decisive
else:
    __getattr__ = front_door(
        __name__,
        {
            "script_shrinker": ["given_in_advance", "reduced", "same", "shown_again"],
            "step_coverage": ["decided_by", "decisive"],
        },
    )

__all__ = ["decided_by", "decisive", "given_in_advance", "reduced", "same", "shown_again"]
