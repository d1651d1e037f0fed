"""Escapes control, bidirectional and invisible characters in untrusted text."""

from __future__ import annotations

import re

#: C0 and C1 controls, bidirectional marks, joiners, line separators, surrogates, variation
#: selectors and tags.
_UNSEEN_CHARACTER = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_ELLIPSIS = "…"
#: A spreadsheet takes what begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape_unseen(text: str, most: int | None = None) -> str:
    r"""Return `text` on one line with every unseen character written out, such as ``\x1b``.

    At most `most` characters are kept; an ellipsis marks the rest.
    """
    escaped = text if most is None else text[:most]
    escaped = _UNSEEN_CHARACTER.sub(lambda match: _escape(match[0]), escaped)
    return escaped if most is None or len(text) <= most else escaped + _ELLIPSIS


def escape_unseen_lines(text: str) -> str:
    """Return `text` with every unseen character written out, but for the ends of its lines."""
    return "\n".join(escape_unseen(line) for line in text.split("\n"))


def escape_unseen_bytes(raw: bytes, most: int = 400) -> str:
    """Return the beginning of `raw` as text; bytes that are not UTF-8 are escaped."""
    return escape_unseen(raw[:most].decode(errors="backslashreplace")) + (
        _ELLIPSIS if len(raw) > most else ""
    )


def escape_unseen_json(text: str) -> str:
    """Return JSON `text` with every unseen character as a JSON escape.

    Line feeds between tokens stay; inside of strings they are already escaped.
    """
    return _UNSEEN_CHARACTER.sub(lambda match: _json_escape(match[0]), text)


def escape_formula(cell: str) -> str:
    """Return a cell of a table that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:  # noqa: PLR2004 - what two digits can write
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - the same


def _json_escape(character: str) -> str:
    if character == "\n":
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    )
