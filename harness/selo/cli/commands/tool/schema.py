"""``selo schema``: the JSON Schemas of what Selo prints and of what people write for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import escape_unencodable, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo schema``."""
    parser.add_argument("name", nargs="?", metavar="NAME")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or the list of them."""
    from selo.cli.schemas import list_files, list_outputs, read_schema
    from selo.law.file_schemas import SCHEMA_MODELS

    if arguments.name is not None:
        text = read_schema(arguments.name)
        if text is None:
            raise user_error("schema", name=arguments.name)
        print(escape_unencodable(text), end="")
        return Exit.CONFORMS
    outputs = list_outputs()
    files = [*list_files(), *SCHEMA_MODELS]
    if arguments.json:
        print_json({"outputs": outputs, "files": files})
        return Exit.CONFORMS
    wide = max(len(name) for name in (*outputs, *files))
    for name, command in outputs.items():
        print(f"{name:<{wide}}  {command}")
    for name in files:
        print(name)
    return Exit.CONFORMS
