"""Kill matrix: which cases would be settled differently by a mutant of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.kills.group_coverage import Telling
    from selo.examine.kills.mutant_kills import Cases, orders
else:
    __getattr__ = front_door(
        __name__,
        {
            "group_coverage": ["Telling"],
            "mutant_kills": ["Cases", "orders"],
        },
    )

__all__ = ["Cases", "Telling", "orders"]
