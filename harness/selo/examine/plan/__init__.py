"""The plan: cases and draws of one examination, in order."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.plan.draw_plan import Sample
    from selo.examine.plan.examination_plan import (
        Chunk,
        Plan,
        PlanKey,
        PlannedGame,
        Terms,
        recorded_plan_of,
        terms_of,
    )
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
    "recorded_plan",
    "recorded_plan_of",
    "terms_of",
]
