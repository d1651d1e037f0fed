"""The plan: cases and draws of one examination, in order."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.plan.draw_plan import Sample
    from selo.examine.plan.examination_plan import Chunk, Plan
    from selo.examine.plan.plan_terms import PlanKey, PlannedGame, Terms, terms_of
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Chunk",
    "Plan",
    "PlanKey",
    "PlannedGame",
    "Sample",
    "Terms",
    "draw_plan",
    "group_selection",
    "recorded_plan",
    "terms_of",
]
