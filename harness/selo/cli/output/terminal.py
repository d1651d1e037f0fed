"""Colour, width and line breaks on a terminal, in a pipe and in a log.

It imports little, because the help needs it at every start.
"""

from __future__ import annotations

import os
import shutil
import unicodedata
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Prose is not wider than this on any terminal.
_MAX_WIDTH: Final = 100
_MIN_WIDTH: Final = 40
#: May not begin a line of Chinese.
_CLOSING_PUNCTUATION: Final = frozenset("，。；：、！？）」』”’…》·")
_BOLD, _DIM, _CYAN, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[36m", "\x1b[0m"


def uses_colour(stream: TextIO) -> bool:
    """Return whether to print colour: not in a pipe, unless the environment forces it."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return not is_dumb_terminal() and stream.isatty()


def is_dumb_terminal() -> bool:
    """Return whether the terminal can only print lines."""
    return os.environ.get("TERM") == "dumb"


def can_redraw(stream: TextIO) -> bool:
    """Return whether a line can be overwritten: on a terminal, but not in a CI log."""
    return stream.isatty() and not is_dumb_terminal() and not os.environ.get("CI")


def prose_width() -> int:
    """Return the width of prose in columns."""
    return max(_MIN_WIDTH, min(_MAX_WIDTH, shutil.get_terminal_size((_MAX_WIDTH, 24)).columns))


class Emphasis:
    """Emphasises text where colour is on."""

    def __init__(self, stream: TextIO) -> None:
        self._on = uses_colour(stream)

    def bold(self, words: str) -> str:
        """Return a heading."""
        return f"{_BOLD}{words}{_PLAIN}" if self._on else words

    def dim(self, words: str) -> str:
        """Return secondary text."""
        return f"{_DIM}{words}{_PLAIN}" if self._on else words

    def command(self, words: str) -> str:
        """Return text that a person types."""
        return f"{_CYAN}{words}{_PLAIN}" if self._on else words


def text_width(words: str) -> int:
    """Return the columns that text takes: a Chinese character takes two."""
    return sum(
        0 if unicodedata.combining(word) else 1 + (unicodedata.east_asian_width(word) in "WF")
        for word in words
    )


def wrap_text(words: str, columns: int) -> list[str]:
    """Return lines no wider than `columns`; Chinese breaks anywhere, other text at spaces."""
    lines = []
    for paragraph in words.split("\n"):
        line, used = "", 0
        for piece in _unbreakable_pieces(paragraph):
            wide = text_width(piece)
            if used + text_width(piece.rstrip()) > columns and line:
                lines.append(line.rstrip())
                line, used = "", 0
                piece, wide = piece.lstrip(), text_width(piece.lstrip())  # noqa: PLW2901 - a new line
            line, used = line + piece, used + wide
        lines.append(line.rstrip())
    return lines


def _unbreakable_pieces(words: str) -> Iterator[str]:
    """Yield unbreakable pieces: a word with the space after it, or one Chinese character."""
    piece = ""
    for at, letter in enumerate(words):
        piece += letter
        after = words[at + 1 : at + 2]
        if after in _CLOSING_PUNCTUATION and after:
            continue
        if letter == " " or _is_wide(letter) or (after and _is_wide(after)):
            yield piece
            piece = ""
    if piece:
        yield piece


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"
