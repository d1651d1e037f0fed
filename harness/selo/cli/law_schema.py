"""``selo law schema``: the JSON Schemas of the law files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.exits import Exit
from selo.cli.show import print_json
from selo.errors import UsageError
from selo.law.schema import MODELS, schema, written

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Print one schema, or all by name."""
    if arguments.name is None:
        print_json({name: schema(name) for name in MODELS})
        return Exit.CONFORMS
    if arguments.name not in MODELS:
        raise UsageError(
            problem=f"there is no schema '{arguments.name}'",
            hint=f"Use one of: {', '.join(MODELS)}.",
        )
    print(written(arguments.name), end="")
    return Exit.CONFORMS
