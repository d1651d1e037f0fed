"""``selo adapter new``: writes an adapter on the kit of its language, to be filled in."""

from __future__ import annotations

import argparse
from pathlib import Path

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.output.language_choice import LANGUAGES
from selo.cli.parser import shared_arguments as shared
from selo.text import say


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo adapter new``."""
    # Elsewhere --lang is the language of messages; here it is the programming language.
    parser.add_argument(
        "--lang",
        dest="to",
        required=True,
        choices=["python", "javascript", "java", "c", "rust"],
    )
    parser.add_argument("--game", required=True)
    parser.add_argument("--out", metavar="DIR")
    parser.add_argument("--words", dest="lang", choices=LANGUAGES, default=argparse.SUPPRESS)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the adapter and print the next steps."""
    from selo.examine.adapter_tools import LANGUAGES as PROGRAMMING_LANGUAGES
    from selo.examine.adapter_tools import write_adapter
    from selo.law import load_law

    language = PROGRAMMING_LANGUAGES[arguments.to]
    folder = Path(arguments.out or f"{arguments.game}-{language.name}")
    files = write_adapter(folder, load_law(), language.name, arguments.game)
    commands = [f"cd {folder}", *language.commands(arguments.game)]
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
