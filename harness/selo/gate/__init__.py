"""The gate: what the vendor knows to be wrong, what the authority permits, and the exit code."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.gate.permission import Permission, read_permission
    from selo.gate.permission_template import render_permission_template
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Permission",
    "deviation_proposal",
    "deviations",
    "gate_decision",
    "permission_scope",
    "permission_signature",
    "permitted_law",
    "read_permission",
    "render_permission_template",
    "run_answers",
]
