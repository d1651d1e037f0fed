"""Decisive coverage: which provisions a plan or a run covers, and which it lost."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.coverage.decisive_coverage import Coverage, Row, cover
    from selo.examine.coverage.lost_coverage import unanswered
    from selo.examine.coverage.not_offered import unoffered
    from selo.examine.coverage.plan_coverage import ENOUGH, Covered, covered_by, covering
else:
    __getattr__ = front_door(
        __name__,
        {
            "decisive_coverage": ["Coverage", "Row", "cover"],
            "lost_coverage": ["unanswered"],
            "not_offered": ["unoffered"],
            "plan_coverage": ["Covered", "ENOUGH", "covered_by", "covering"],
        },
    )

__all__ = [
    "ENOUGH",
    "Coverage",
    "Covered",
    "Row",
    "cover",
    "covered_by",
    "covering",
    "plan_listing",
    "unanswered",
    "unoffered",
]
