"""``selo completion``: the script that lets a shell complete command lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.completion import bash, fish, places, zsh
from selo.cli.output import Exit
from selo.cli.parser import build

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print the script for one shell."""
    write = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}[arguments.shell]
    print(write(places(build(), arguments.lang)), end="")
    return Exit.CONFORMS
