"""Kill matrix: which cases would be settled differently by a mutant of the law."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.kills.answer_parts import (
        EVERY_PART,
        PartMask,
        mask_of_parts,
        may_have_part,
    )
    from selo.examine.kills.group_coverage import GroupCoverage
    from selo.examine.kills.kill_prefilter import affects_hand_order
    from selo.examine.kills.mutant_kills import KillIndex
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "EVERY_PART",
    "GroupCoverage",
    "KillIndex",
    "PartMask",
    "affects_hand_order",
    "mask_of_parts",
    "may_have_part",
]
