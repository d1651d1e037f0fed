"""``selo completion``: the script that lets a shell complete command lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.parser import build_parser
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo completion``."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the script for one shell."""
    from selo.cli.completion import (
        list_places,
        render_bash_script,
        render_fish_script,
        render_zsh_script,
    )

    render = {"bash": render_bash_script, "zsh": render_zsh_script, "fish": render_fish_script}
    print(render[arguments.shell](list_places(build_parser(), arguments.lang)), end="")
    return Exit.CONFORMS
