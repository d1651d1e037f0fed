"""``selo adapter new``: the skeleton of an adapter, working at once, to be filled in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.examine.adapter import LANGUAGES, write
from selo.law.loader import load
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Write the skeleton and say what to do next."""
    language = LANGUAGES[arguments.to]
    folder = Path(arguments.out or f"{arguments.game}-{language.name}")
    files = write(folder, load(), language.name, arguments.game)
    commands = [
        f"cd {folder}",
        *([] if language.build is None else [language.build]),
        f'selo smoke --vendor "{language.run}"',
        f'selo examine --vendor "{language.run}"',
    ]
    if arguments.json:
        print_json({"files": [str(file) for file in files], "next": commands})
        return Exit.CONFORMS
    out = console()
    out.print(say("adapter.written", arguments.lang, folder=folder), style="bold")
    for file in files:
        out.print(f"  {file}")
    out.print(say("adapter.next", arguments.lang))
    for command in commands:
        out.print(f"  {command}", style="cyan")
    return Exit.CONFORMS
