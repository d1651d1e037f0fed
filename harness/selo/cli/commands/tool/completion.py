"""``selo completion``: the script that lets a shell complete command lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.completion import bash, fish, zsh
from selo.cli.completion.completion_values import places
from selo.cli.output.exit_codes import Exit
from selo.cli.parser.command_line import build

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print the script for one shell."""
    write = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}[arguments.shell]
    print(write(places(build(), arguments.lang)), end="")
    return Exit.CONFORMS
