"""Printers of results."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.printing.examination_outcome import (
        print_finding,
        print_outcome,
        sheets_in,
        sheets_of,
    )
    from selo.cli.printing.law_status_record import record_law_status
    from selo.cli.printing.settlement_results import exit_code_of_cases, print_tally, record_tally
else:
    __getattr__ = front_door(
        __name__,
        {
            "examination_outcome": ["print_finding", "print_outcome", "sheets_in", "sheets_of"],
            "law_status_record": ["record_law_status"],
            "settlement_results": ["exit_code_of_cases", "print_tally", "record_tally"],
        },
    )

__all__ = [
    "exit_code_of_cases",
    "print_finding",
    "print_outcome",
    "print_tally",
    "record_law_status",
    "record_tally",
    "round_results",
    "sheets_in",
    "sheets_of",
]
