"""Self-test: planted faults, generated mutants and combinations; kill score, score by provision."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.selftest.in_process_examiner import Examiner
    from selo.examine.selftest.kill_score import (
        KillScore,
        current_scores,
        game_edition,
        read_kill_score,
        shipped_score_path,
        write_kill_score,
    )
    from selo.examine.selftest.mutant_selftest import score_mutants
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Examiner",
    "KillScore",
    "current_scores",
    "game_edition",
    "planted_selftest",
    "provision_selftest",
    "read_kill_score",
    "score_mutants",
    "shipped_score_path",
    "write_kill_score",
]
