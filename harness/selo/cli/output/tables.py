"""How the commands print: one console, wide characters measured, colour where it helps."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cli.output.terminal import uses_colour
from selo.text.sanitize import escape_unseen_json

if TYPE_CHECKING:
    from rich.console import Console

#: The eight colours that every terminal and every CI log knows, in the shades that people chose.
_COLOUR_SYSTEM: Final = "standard"
#: Without a terminal, lines are long enough never to break a value that a program looks for.
_PIPE_WIDTH = 200
_UTF_8: Final = "utf-8"
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def console() -> Console:
    """Return the console that all commands print to."""
    from selo.cli.output.console import Screen  # noqa: PLC0415 - rich only where something is laid out

    colour = uses_colour(sys.stdout)
    return Screen(
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
        width=None if sys.stdout.isatty() else _PIPE_WIDTH,
        force_terminal=colour,
        color_system=_COLOUR_SYSTEM if colour else None,
    )


def print_json(value: Any) -> None:
    """Print `value` as JSON, two spaces deep, Chinese as it is, unseen characters escaped."""
    written = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    print(escape_unencodable(escape_unseen_json(written)))


def escape_unencodable(written: str) -> str:
    """Return JSON as it is, or escaped where standard output has no such letters."""
    try:
        written.encode(sys.stdout.encoding or _UTF_8)
    except UnicodeEncodeError:
        return _NOT_ASCII.sub(lambda one: json.dumps(one[0])[1:-1], written)
    return written
