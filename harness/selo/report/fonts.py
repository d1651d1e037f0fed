"""The bundled fonts: digests, supported characters, and substitutes for unsupported ones."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.text import user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from pathlib import Path

#: No script needs more marks on one letter, and a stack of marks would cover other lines.
_MAX_COMBINING_MARKS: Final = 2


def fonts_folder() -> Path:
    """Return the folder of the fonts."""
    return data_files.data_folder("reports") / "fonts"


def font_digests() -> dict[str, str]:
    """Return the required SHA-256 of each font by file name."""
    lines = (fonts_folder() / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


@cache
def load_fonts() -> dict[str, bytes]:
    """Return the fonts by file name, or raise if one does not have its required digest."""
    fonts: dict[str, bytes] = {}
    for name, digest in font_digests().items():
        path = fonts_folder() / name
        content = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(content).hexdigest() != digest:
            raise user_error("font", path=path)
        fonts[name] = content
    return fonts


@cache
def supported_characters() -> frozenset[int]:
    """Return every character that at least one font has."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - only a document needs it

    characters: set[int] = set()
    for name in font_digests():
        with TTFont(fonts_folder() / name, lazy=True) as font:
            characters |= font.getBestCmap().keys()
    return frozenset(characters)


def make_printable(text: str) -> str:
    """Return `text` with characters that are invisible or in no font replaced by their codes.

    Line feeds stay, because texts of the law have them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(_make_line_printable(line) for line in text.split("\n"))


def _make_line_printable(line: str) -> str:
    visible = escape_unseen(line)
    supported = supported_characters()
    if all(ord(character) in supported for character in visible) and not _has_stacked_marks(
        visible
    ):
        return visible
    printable: list[str] = []
    marks = 0
    for character in visible:
        marks = marks + 1 if unicodedata.combining(character) else 0
        fits = ord(character) in supported and marks <= _MAX_COMBINING_MARKS
        printable.append(character if fits else f"[U+{ord(character):04X}]")
    return "".join(printable)


def _has_stacked_marks(line: str) -> bool:
    marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > _MAX_COMBINING_MARKS:
            return True
    return False
