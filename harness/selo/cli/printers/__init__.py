"""Printers of results."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.printers.law_status_record import record_law_status
    from selo.cli.printers.plan_overview import print_plan
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "delta_summary",
    "examination_outcome",
    "finding_card",
    "gate_result",
    "odds_table",
    "print_plan",
    "record_law_status",
    "round_results",
    "settlement_explanation",
    "settlement_results",
]
