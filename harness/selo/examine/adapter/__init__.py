"""Tools for adapter authors: smoke test and templates."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.adapter.adapter_template import LANGUAGES, write
    from selo.examine.adapter.smoke_test import Check, State, caution, smoke
else:
    __getattr__ = front_door(
        __name__,
        {
            "adapter_template": ["LANGUAGES", "write"],
            "smoke_test": ["Check", "State", "caution", "smoke"],
        },
    )

__all__ = ["LANGUAGES", "Check", "State", "caution", "smoke", "write"]
