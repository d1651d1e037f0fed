"""``selo schema``: the JSON Schemas of what Selo prints and of what people write for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.tables import encodable, print_json
from selo.cli.schemas import schema_files
from selo.law.file_schemas import MODELS
from selo.text import wrong

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or the list of them."""
    if arguments.name is not None:
        text = schema_files.text(arguments.name)
        if text is None:
            raise wrong("schema", name=arguments.name)
        print(encodable(text), end="")
        return Exit.CONFORMS
    outputs = schema_files.outputs()
    files = [*schema_files.files(), *MODELS]
    if arguments.json:
        print_json({"outputs": outputs, "files": files})
        return Exit.CONFORMS
    wide = max(len(name) for name in (*outputs, *files))
    for name, command in outputs.items():
        print(f"{name:<{wide}}  {command}")
    for name in files:
        print(name)
    return Exit.CONFORMS
