"""Options that several commands share, resolved to values."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.resolved_options.case_arguments import (
        parse_bets,
        parse_json_object,
        parse_outcome,
    )
    from selo.cli.resolved_options.permission_options import (
        keep_permissions,
        load_permissions,
        load_trust,
        read_signed_edition,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "keep_permissions",
    "load_permissions",
    "load_trust",
    "parse_bets",
    "parse_json_object",
    "parse_outcome",
    "read_signed_edition",
    "registry_entry",
    "signing_key",
    "vendor_options",
]
