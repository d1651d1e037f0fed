"""One run in its folder: header, log, examination, draws, and the replay of its evidence."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.run.examination import Examination
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Examination",
    "canonical_run",
    "evidence_header",
    "evidence_replay",
    "finding_redraw",
    "granted_permissions",
    "plan_comparison",
    "run_log",
    "seed_commitment",
    "witness_attachment",
]
