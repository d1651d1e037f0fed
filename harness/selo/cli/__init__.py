"""The command line: one module per command, imported only when that command runs."""

from __future__ import annotations

import sys

from selo.cli.parser import build, run


def main() -> None:
    """Run the command and leave with its exit code."""
    sys.exit(run(build().parse_args()))
