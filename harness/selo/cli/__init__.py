"""The command line: one module per command, imported only when that command runs."""

from __future__ import annotations

import gc
import sys

from selo.cli.output.language_choice import spoken
from selo.cli.output.output_streams import OutputLost, delivered, lost, watch_streams
from selo.cli.parser import parse, run

_OBJECTS_BETWEEN_SWEEPS = 100_000


def main() -> None:
    """Run the command and leave with its exit code."""
    # The law is a large tree that lives as long as the command: looking through it for garbage
    # every few hundred objects would take a fifth of the time.
    gc.set_threshold(_OBJECTS_BETWEEN_SWEEPS)
    watch_streams()
    try:
        arguments = parse()
    except SystemExit as leaving:
        # The help is printed there, and may arrive or not.
        sys.exit(delivered(int(leaving.code or 0), spoken()))
    except OutputLost as error:
        sys.exit(lost(error, spoken()))
    sys.exit(run(arguments))
