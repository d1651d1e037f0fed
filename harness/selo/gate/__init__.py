"""The gate: what the vendor knows to be wrong, what the authority permits, and the exit code."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.gate.permission import Permission, read, signature_of
    from selo.gate.permission_signature import Trust, sign
    from selo.gate.permission_template import blank
else:
    __getattr__ = front_door(
        __name__,
        {
            "permission": ["Permission", "read", "signature_of"],
            "permission_signature": ["Trust", "sign"],
            "permission_template": ["blank"],
        },
    )

__all__ = [
    "Permission",
    "Trust",
    "blank",
    "deviations",
    "gate_decision",
    "permission_scope",
    "read",
    "sign",
    "signature_of",
]
