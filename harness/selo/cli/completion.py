"""``selo completion``: the script that lets a shell complete command lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.parser import build
from selo.cli.shells import bash, fish, zsh
from selo.cli.shells.offers import places

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print the script for one shell."""
    write = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}[arguments.shell]
    print(write(places(build(), arguments.lang)), end="")
    return Exit.CONFORMS
