"""Whether a document is what it says: checked by anybody, years later, believing nobody."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.verification.recomputation import laid_out
    from selo.verification.reproduction import Changed, Reproduced, reproduce
    from selo.verification.verification_report import Check, State, exit_of
    from selo.verification.verifier import Asked, verified
else:
    __getattr__ = front_door(
        __name__,
        {
            "recomputation": ["laid_out"],
            "reproduction": ["Changed", "Reproduced", "reproduce"],
            "verification_report": ["Check", "State", "exit_of"],
            "verifier": ["Asked", "verified"],
        },
    )

__all__ = [
    "Asked",
    "Changed",
    "Check",
    "Reproduced",
    "State",
    "document_parts",
    "exit_of",
    "laid_out",
    "reproduce",
    "verified",
]
