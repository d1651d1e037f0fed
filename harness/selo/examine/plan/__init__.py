"""The plan: cases, live rounds and draws of one examination, in order."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.plan.examination_plan import Chunk, Plan, PlannedGame, Terms, terms_of
else:
    __getattr__ = front_door(
        __name__,
        {
            "examination_plan": ["Chunk", "Plan", "PlannedGame", "Terms", "terms_of"],
        },
    )

__all__ = ["Chunk", "Plan", "PlannedGame", "Terms", "draw_plan", "live_rounds", "terms_of"]
