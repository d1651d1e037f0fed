"""One examination in its folder: begun, resumed, sealed, and read back."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.run.draw_run import draw_sample, redraw_finding
    from selo.examine.run.evidence_replay import ReplayedEvidence, replay_evidence
    from selo.examine.run.git_commit import read_commit
    from selo.examine.run.tool_digest import TOOL_DIGEST
else:
    __getattr__ = front_door(
        __name__,
        {
            "draw_run": ["draw_sample", "redraw_finding"],
            "evidence_replay": ["ReplayedEvidence", "replay_evidence"],
            "git_commit": ["read_commit"],
            "tool_digest": ["TOOL_DIGEST"],
        },
    )

__all__ = [
    "TOOL_DIGEST",
    "ReplayedEvidence",
    "read_commit",
    "draw_sample",
    "redraw_finding",
    "examination",
    "granted_permissions",
    "replay_evidence",
    "seed_commitment",
    "witness_attachment",
]
