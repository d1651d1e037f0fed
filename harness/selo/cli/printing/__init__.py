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
    from selo.cli.printing.law_status_record import as_record, told
    from selo.cli.printing.settlement_results import exit_of, print_tally, record
else:
    __getattr__ = front_door(
        __name__,
        {
            "examination_outcome": ["print_finding", "print_outcome", "sheets_in", "sheets_of"],
            "law_status_record": ["as_record", "told"],
            "settlement_results": ["exit_of", "print_tally", "record"],
        },
    )

__all__ = [
    "as_record",
    "exit_of",
    "print_finding",
    "print_outcome",
    "print_tally",
    "record",
    "round_results",
    "sheets_in",
    "sheets_of",
    "told",
]
