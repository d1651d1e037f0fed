"""One examination in its folder: begun, resumed, sealed, and read back."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.run.draw_run import draw_all, drawn_again
    from selo.examine.run.evidence_replay import Reread, reread
    from selo.examine.run.git_commit import commit
    from selo.examine.run.tool_digest import PROGRAM
else:
    __getattr__ = front_door(
        __name__,
        {
            "draw_run": ["draw_all", "drawn_again"],
            "evidence_replay": ["Reread", "reread"],
            "git_commit": ["commit"],
            "tool_digest": ["PROGRAM"],
        },
    )

__all__ = [
    "PROGRAM",
    "Reread",
    "commit",
    "draw_all",
    "drawn_again",
    "examination",
    "granted_permissions",
    "reread",
    "seed_commitment",
    "witness_attachment",
]
