"""``selo schema``: the JSON Schemas of what Selo prints and of what people write for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.shapes import shelf
from selo.cli.show import encodable, print_json
from selo.law.schema import MODELS
from selo.words.wrong import wrong

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or the list of them."""
    if arguments.name is not None:
        text = shelf.text(arguments.name)
        if text is None:
            raise wrong("schema", name=arguments.name)
        print(encodable(text), end="")
        return Exit.CONFORMS
    outputs = shelf.outputs()
    files = [*shelf.files(), *MODELS]
    if arguments.json:
        print_json({"outputs": outputs, "files": files})
        return Exit.CONFORMS
    wide = max(len(name) for name in (*outputs, *files))
    for name, command in outputs.items():
        print(f"{name:<{wide}}  {command}")
    for name in files:
        print(name)
    return Exit.CONFORMS
