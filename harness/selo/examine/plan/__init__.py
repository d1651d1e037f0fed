"""The plan: cases and draws of one examination, in order."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.plan.draw_plan import Sample, plan_samples, with_draws
    from selo.examine.plan.examination_plan import Chunk, Plan
    from selo.examine.plan.group_selection import ASKED_WAYS, examined_again
    from selo.examine.plan.plan_terms import PlanKey, PlannedGame, Terms, terms_of
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ASKED_WAYS",
    "Chunk",
    "Plan",
    "PlanKey",
    "PlannedGame",
    "Sample",
    "Terms",
    "draw_plan",
    "examined_again",
    "plan_samples",
    "terms_of",
    "with_draws",
]
