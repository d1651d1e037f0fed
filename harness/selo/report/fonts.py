"""The fonts that ship: their digests, the characters they have, and what stands for the others."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.text import wrong
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from pathlib import Path

#: No writing of the world needs more marks above one letter; a tower of them covers other lines.
_MOST_MARKS: Final = 2


def folder() -> Path:
    """Return where the fonts lie."""
    return data_files.folder("reports") / "fonts"


def digests() -> dict[str, str]:
    """Return the SHA-256 that each font must have, by the name of its file."""
    lines = (folder() / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


@cache
def files() -> dict[str, bytes]:
    """Return the fonts by the names of their files, or raise if one is not what it must be."""
    found: dict[str, bytes] = {}
    for name, digest in digests().items():
        path = folder() / name
        content = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(content).hexdigest() != digest:
            raise wrong("font", path=path)
        found[name] = content
    return found


@cache
def characters() -> frozenset[int]:
    """Return every character that some font has."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - only a document needs it

    found: set[int] = set()
    for name in digests():
        with TTFont(folder() / name, lazy=True) as font:
            found |= font.getBestCmap().keys()
    return frozenset(found)


def printable(text: str) -> str:
    """Return `text` as it is printed: what cannot be seen, or drawn, is written out.

    Line feeds stay; the law has them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    shown = visible(line)
    have = characters()
    if all(ord(one) in have for one in shown) and not _stacked(shown):
        return shown
    written: list[str] = []
    marks = 0
    for one in shown:
        marks = marks + 1 if unicodedata.combining(one) else 0
        fits = ord(one) in have and marks <= _MOST_MARKS
        written.append(one if fits else f"[U+{ord(one):04X}]")
    return "".join(written)


def _stacked(line: str) -> bool:
    marks = 0
    for one in line:
        marks = marks + 1 if unicodedata.combining(one) else 0
        if marks > _MOST_MARKS:
            return True
    return False
