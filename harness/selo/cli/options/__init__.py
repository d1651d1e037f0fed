"""Options that several commands share, resolved to values."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.options.case_arguments import parse_bets, parse_json_object, parse_outcome
    from selo.cli.options.permission_options import keep_permissions, load_trust
    from selo.cli.options.run_folders import next_free_folder
else:
    __getattr__ = front_door(
        __name__,
        {
            "case_arguments": ["parse_bets", "parse_json_object", "parse_outcome"],
            "permission_options": ["keep_permissions", "load_trust"],
            "run_folders": ["next_free_folder"],
        },
    )

__all__ = [
    "examination_terms",
    "keep_permissions",
    "load_trust",
    "next_free_folder",
    "parse_bets",
    "parse_json_object",
    "parse_outcome",
    "signing_key",
    "vendor_options",
]
