"""Kill matrix: which cases would be settled differently by a mutant of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.kills.group_coverage import GroupCoverage
    from selo.examine.kills.mutant_kills import KillIndex, affects_hand_order
else:
    __getattr__ = front_door(__name__)

__all__ = ["GroupCoverage", "KillIndex", "affects_hand_order"]
