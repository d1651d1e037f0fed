"""``selo law ledger``: every provision, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law ledger``."""
    shared.add_json(parser)
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the ledger."""
    from selo.law import load_law
    from selo.law.ledger import make_ledger

    book = make_ledger(load_law())
    if arguments.json:
        print_json(book)
        return Exit.CONFORMS
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("id", overflow="fold")
    table.add_column(say("law.field.verified", arguments.lang), no_wrap=True)
    table.add_column(say("law.field.force", arguments.lang), overflow="fold")
    table.add_column(say("law.field.divergences", arguments.lang), justify="right")
    table.add_column("pt", overflow="fold")
    table.add_column("zh", overflow="fold")
    for row in book.provisions:
        table.add_row(
            row.id,
            say(f"way.{row.verified_by}", arguments.lang),
            ", ".join(say(f"force.{worded.force}", arguments.lang) for worded in row.force),
            str(len(row.divergences)),
            _shorten(row.text.get("pt", ""), 40),
            _shorten(row.text.get("zh", ""), 20),
        )
    out = console()
    out.print(table)
    out.print(f"{len(book.provisions)} · sha256:{book.spec_digest}")
    return Exit.CONFORMS


def _shorten(text: str, most: int) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= most else f"{line[: most - 1]}…"
