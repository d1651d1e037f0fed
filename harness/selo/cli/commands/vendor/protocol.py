"""``selo protocol``: the vendor protocol, as OpenRPC for machines or as a chapter for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import escape_unencodable
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo protocol``."""
    parser.add_argument("--game", metavar="GAME")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--markdown", action="store_true")
    form.add_argument("--schema", metavar="NAME")
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the protocol, for all games or one, or one schema of it."""
    from selo.law import load_law
    from selo.protocol.description import (
        openrpc_document,
        render_chapter,
        render_document,
        standalone_schema,
    )

    whole = openrpc_document(load_law(), None if arguments.game is None else [arguments.game])
    if arguments.schema is not None:
        print(
            escape_unencodable(render_document(standalone_schema(whole, arguments.schema))), end=""
        )
    elif arguments.markdown:
        print(render_chapter(whole), end="")
    else:
        print(escape_unencodable(render_document(whole)), end="")
    return Exit.CONFORMS
