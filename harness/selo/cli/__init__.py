"""The command line: one module per command, imported only for that command."""

from __future__ import annotations

import gc
import sys

from selo.cli.output.language_choice import choose_language
from selo.cli.output.output_streams import (
    OutputLost,
    flush_output,
    install_streams,
    report_lost_output,
)
from selo.cli.parser import parse_arguments, run_command

__all__ = ["main"]

_OBJECTS_BETWEEN_SWEEPS = 100_000


def main() -> None:
    """Run the command and exit with its exit code."""
    # The law is a large tree that lives as long as the command: collecting garbage every few
    # hundred objects would take a fifth of the time.
    gc.set_threshold(_OBJECTS_BETWEEN_SWEEPS)
    install_streams()
    try:
        arguments = parse_arguments()
    except SystemExit as leaving:
        # Printing the help may have failed.
        sys.exit(flush_output(int(leaving.code or 0), choose_language()))
    except OutputLost as error:
        sys.exit(report_lost_output(error, choose_language()))
    sys.exit(run_command(arguments))
