"""Changes between builds: which provisions they touch, and what a certificate may carry over."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.delta.build_comparison import ComparedSide, SideKind, compare_sides
    from selo.delta.carry_over import CarryDecision, EarlierCertificate
    from selo.delta.change_policy import read_change_policy
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CarryDecision",
    "ComparedSide",
    "EarlierCertificate",
    "SideKind",
    "build_comparison",
    "change_policy",
    "compare_sides",
    "comparison_page",
    "read_change_policy",
    "result_changes",
]
