"""Makes what strangers write harmless to look at: nothing in it moves a cursor or hides a word."""

from __future__ import annotations

import re

#: Control characters of both sets, marks that turn the direction of writing or join without
#: showing, separators of lines, halves of pairs, and the tags that nobody sees.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_ELLIPSIS = "…"


def escape_unseen(text: str, most: int | None = None) -> str:
    r"""Return `text` on one line with every unseen character written out, such as ``\x1b``.

    At most `most` characters are kept; what was cut off is told by an ellipsis.
    """
    shown = text if most is None else text[:most]
    shown = _UNSEEN.sub(lambda found: _escape(found[0]), shown)
    return shown if most is None or len(text) <= most else shown + _ELLIPSIS


def escape_unseen_bytes(raw: bytes, most: int = 400) -> str:
    """Return the beginning of `raw` as text; bytes that are no UTF-8 are written out."""
    return escape_unseen(raw[:most].decode(errors="backslashreplace")) + (
        _ELLIPSIS if len(raw) > most else ""
    )


def escape_unseen_json(text: str) -> str:
    """Return JSON `text` with every unseen character as an escape that JSON itself knows.

    The line feeds that lay it out stay as they are: inside of strings they are escaped already.
    """
    return _UNSEEN.sub(lambda found: _json_escape(found[0]), text)


def _escape(one: str) -> str:
    code = ord(one)
    if code < 0x100:  # noqa: PLR2004 - what two digits can write
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - the same


def _json_escape(one: str) -> str:
    if one == "\n":
        return one
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
