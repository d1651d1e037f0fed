"""Output: terminal, streams, progress, exit codes, errors."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.output.exit_codes import Exit
    from selo.cli.output.progress import counting
    from selo.cli.output.progress_watch import Looking, print_phases
else:
    __getattr__ = front_door(
        __name__,
        {
            "exit_codes": ["Exit"],
            "progress": ["counting"],
            "progress_watch": ["Looking", "print_phases"],
        },
    )

__all__ = [
    "Exit",
    "Looking",
    "counting",
    "error_output",
    "language_choice",
    "output_streams",
    "print_phases",
    "project_settings",
    "tables",
    "terminal",
]
