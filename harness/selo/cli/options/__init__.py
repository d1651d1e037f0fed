"""Options that several commands share, resolved to values."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.options.case_arguments import bets_of, object_of, outcome_of
    from selo.cli.options.permission_options import keep_permits, trusted
    from selo.cli.options.run_folders import unused
else:
    __getattr__ = front_door(
        __name__,
        {
            "case_arguments": ["bets_of", "object_of", "outcome_of"],
            "permission_options": ["keep_permits", "trusted"],
            "run_folders": ["unused"],
        },
    )

__all__ = [
    "bets_of",
    "examination_terms",
    "keep_permits",
    "object_of",
    "outcome_of",
    "signing_key",
    "trusted",
    "unused",
    "vendor_options",
]
