"""Output of commands: console, streams, progress, exit codes, errors, language."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.output.exit_codes import Exit
    from selo.cli.output.progress import show_progress
    from selo.cli.output.progress_watch import ProgressWatch, print_phases
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Exit",
    "ProgressWatch",
    "console",
    "error_output",
    "language_choice",
    "output_streams",
    "print_phases",
    "project_settings",
    "show_progress",
    "terminal",
]
