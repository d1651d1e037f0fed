"""How the commands print: one console, wide characters measured, colour only on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from rich.console import Console

#: Without a terminal, lines are long enough never to break a value that a program looks for.
_PIPE_WIDTH = 200


def console() -> Console:
    """Return the console that all commands print to."""
    from rich.console import Console  # noqa: PLC0415 - rich only where something is laid out

    terminal = sys.stdout.isatty()
    return Console(
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
        width=None if terminal else _PIPE_WIDTH,
        no_color=not terminal,
    )


def print_json(value: Any) -> None:
    """Print `value` as JSON, two spaces deep, Chinese as it is."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
