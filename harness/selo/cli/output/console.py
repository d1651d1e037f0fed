"""Standard output: the console that people read, and JSON for programs."""

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

#: The eight colours of every terminal and CI log, in the user's own shades.
_COLOUR_SYSTEM: Final = "standard"
#: Wide enough that no value is broken where a program reads the lines.
_PIPE_WIDTH = 200
_UTF_8: Final = "utf-8"
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def console() -> Console:
    """Return the console that all commands print to."""
    from rich.console import Console  # noqa: PLC0415 - rich only where something is laid out

    class QuietPipeConsole(Console):
        def on_broken_pipe(self) -> None:
            """Let the caller choose the exit code: rich would exit with 1, which means VIOLATES."""
            raise BrokenPipeError

    colour = uses_colour(sys.stdout)
    return QuietPipeConsole(
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
        width=None if sys.stdout.isatty() else _PIPE_WIDTH,
        force_terminal=colour,
        color_system=_COLOUR_SYSTEM if colour else None,
    )


def print_json(value: Any) -> None:
    """Print `value` as indented JSON: Chinese as it is, invisible characters escaped."""
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:
        encoded = msgspec.json.encode(_escape_bytes(msgspec.to_builtins(value)))
    written = msgspec.json.format(encoded, indent=2).decode()
    print(escape_unencodable(escape_unseen_json(written)))


def _escape_bytes(plain: Any) -> Any:
    """Return plain values in which bytes of file names that are no text are written as such."""
    if isinstance(plain, str):
        return plain.encode(_UTF_8, "backslashreplace").decode(_UTF_8)
    if isinstance(plain, dict):
        return {_escape_bytes(key): _escape_bytes(inner) for key, inner in plain.items()}
    return [*map(_escape_bytes, plain)] if isinstance(plain, list | tuple) else plain


def escape_unencodable(written: str) -> str:
    """Return JSON with the characters escaped that standard output cannot encode."""
    try:
        written.encode(sys.stdout.encoding or _UTF_8)
    except UnicodeEncodeError:
        return _NOT_ASCII.sub(lambda letter: json.dumps(letter[0])[1:-1], written)
    return written


def inline_json(value: Any) -> str:
    """Return `value` as JSON in one line, for use in a sentence."""
    return json.dumps(value, ensure_ascii=False)
