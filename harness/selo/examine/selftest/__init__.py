"""Self-test: planted faults and generated mutants, and the kill score."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.selftest.in_process_examiner import Examiner
    from selo.examine.selftest.kill_score import Kills, edition, fresh, read, shipped, write
    from selo.examine.selftest.mutant_selftest import generated
else:
    __getattr__ = front_door(
        __name__,
        {
            "in_process_examiner": ["Examiner"],
            "kill_score": ["Kills", "edition", "fresh", "read", "shipped", "write"],
            "mutant_selftest": ["generated"],
        },
    )

__all__ = [
    "Examiner",
    "Kills",
    "edition",
    "fresh",
    "generated",
    "planted_selftest",
    "read",
    "shipped",
    "write",
]
