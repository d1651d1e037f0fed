"""Decisive coverage: which provisions a plan or a run covers, and which it lost."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.coverage.decisive_coverage import Coverage, CoverageRow, measure_coverage
    from selo.examine.coverage.lost_coverage import lost_provisions
    from selo.examine.coverage.not_offered import find_offer_gaps
    from selo.examine.coverage.plan_coverage import ENOUGH, DecisiveCount, coverage_of
    from selo.examine.coverage.withheld_coverage import withheld_provisions
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "ENOUGH",
    "Coverage",
    "CoverageRow",
    "DecisiveCount",
    "coverage_of",
    "find_offer_gaps",
    "lost_provisions",
    "measure_coverage",
    "plan_listing",
    "withheld_provisions",
]
