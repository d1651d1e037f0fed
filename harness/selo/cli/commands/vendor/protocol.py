"""``selo protocol``: the vendor protocol, as OpenRPC for machines or as a chapter for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import encodable
from selo.law.loader import load
from selo.protocol.description import chapter, document, schema, written

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print the protocol, for all games or one, or one schema of it."""
    whole = document(load(), None if arguments.game is None else [arguments.game])
    if arguments.schema is not None:
        print(encodable(written(schema(whole, arguments.schema))), end="")
    elif arguments.markdown:
        print(chapter(whole), end="")
    else:
        print(encodable(written(whole)), end="")
    return Exit.CONFORMS
