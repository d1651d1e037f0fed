"""``selo schema``: the JSON Schemas of what Selo prints and of what people write for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.shapes.published import names, written
from selo.cli.show import console, print_json
from selo.law.schema import MODELS
from selo.words.wrong import wrong

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or the list of them."""
    known = names()
    if arguments.name is not None:
        if arguments.name not in {*known, *MODELS}:
            raise wrong("schema", name=arguments.name)
        print(written(arguments.name), end="")
        return Exit.CONFORMS
    outputs = {name: f"selo {one} --json" for name, one in known.items() if one is not None}
    files = [*(name for name, one in known.items() if one is None), *MODELS]
    if arguments.json:
        print_json({"outputs": outputs, "files": files})
        return Exit.CONFORMS
    out = console()
    wide = max(len(name) for name in (*outputs, *files))
    for name, command in outputs.items():
        out.print(f"{name:<{wide}}  {command}")
    for name in files:
        out.print(name)
    return Exit.CONFORMS
