"""What was asked and answered, kept so that nobody can change a line of it unnoticed."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.evidence.block import LINE_LIMIT, Head
else:
    __getattr__ = front_door(
        __name__,
        {
            "block": ["Head", "LINE_LIMIT"],
        },
    )

__all__ = [
    "LINE_LIMIT",
    "Head",
    "canonical_json",
    "evidence_errors",
    "evidence_reader",
    "evidence_writer",
    "inclusion_proof",
    "integrity_scan",
    "merkle",
    "run_files",
]
