"""From a run to its result: phases, verdict summary, result file."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.conclusion.file_result import judge_answer_file
    from selo.examine.conclusion.phases import run_phases
    from selo.examine.conclusion.result import (
        RESULT_FILE,
        ExaminationResult,
        build_result,
        derive_result,
        derive_result_from_folder,
        write_result,
    )
    from selo.examine.conclusion.verdict_summary import summarise_verdicts
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "RESULT_FILE",
    "ExaminationResult",
    "build_result",
    "derive_result",
    "derive_result_from_folder",
    "judge_answer_file",
    "phases",
    "run_phases",
    "summarise_verdicts",
    "write_result",
]
