"""Decisive coverage: which provisions a plan or a run covers, and which it lost."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.coverage.decisive_coverage import Coverage, Row, measure_coverage
    from selo.examine.coverage.lost_coverage import lost_provisions
    from selo.examine.coverage.not_offered import find_offer_gaps
    from selo.examine.coverage.plan_coverage import ENOUGH, DecisiveCount, covered_by, covering
else:
    __getattr__ = front_door(
        __name__,
        {
            "decisive_coverage": ["Coverage", "Row", "measure_coverage"],
            "lost_coverage": ["lost_provisions"],
            "not_offered": ["find_offer_gaps"],
            "plan_coverage": ["DecisiveCount", "ENOUGH", "covered_by", "covering"],
        },
    )

__all__ = [
    "ENOUGH",
    "Coverage",
    "DecisiveCount",
    "Row",
    "measure_coverage",
    "covered_by",
    "covering",
    "plan_listing",
    "lost_provisions",
    "find_offer_gaps",
]
