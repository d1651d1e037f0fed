"""``selo law schema``: the JSON Schemas of the law files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import encodable, print_json
from selo.law.file_schemas import MODELS, schema, written
from selo.text import wrong

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or all by name."""
    if arguments.name is None:
        print_json({name: schema(name) for name in MODELS})
        return Exit.CONFORMS
    if arguments.name not in MODELS:
        raise wrong("law-schema", name=arguments.name, known=", ".join(MODELS))
    print(encodable(written(arguments.name)), end="")
    return Exit.CONFORMS
