"""``selo law schema``: the JSON Schemas of the law files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import escape_unencodable, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law schema``."""
    parser.add_argument("name", nargs="?")
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or all by name."""
    from selo.law.file_schemas import SCHEMA_MODELS, file_schema, render_file_schema

    if arguments.name is None:
        print_json({name: file_schema(name) for name in SCHEMA_MODELS})
        return Exit.CONFORMS
    if arguments.name not in SCHEMA_MODELS:
        raise user_error("law-schema", name=arguments.name, known=", ".join(SCHEMA_MODELS))
    print(escape_unencodable(render_file_schema(arguments.name)), end="")
    return Exit.CONFORMS
