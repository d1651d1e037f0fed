"""Recognises an English sentence that a program made, and so the message that says it again."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from selo.text.message_catalogue import message_keys, message_words

#: Doubled braces are braces; a name between single ones is a slot.
_PART: Final = re.compile(r"\{\{|\}\}|\{(?P<slot>\w+)\}")


def match_message(english: str, family: str) -> tuple[str, dict[str, str]] | None:
    """Return the key of the message of a family that says `english`, and what its slots hold."""
    for pattern, key in _patterns(family):
        found = pattern.fullmatch(english)
        if found:
            return key, found.groupdict()
    return None


@cache
def _patterns(family: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how each message is recognised; those with the fewest slots first."""
    found = [
        (_pattern(message_words(key).en), key) for key in message_keys() if key.startswith(family)
    ]
    return tuple(sorted(found, key=lambda one: (one[0].groups, -len(one[0].pattern))))


def _pattern(english: str) -> re.Pattern[str]:
    written, at = "", 0
    for part in _PART.finditer(english):
        written += re.escape(english[at : part.start()])
        slot = part["slot"]
        written += f"(?P<{slot}>.+?)" if slot else re.escape(part[0][0])
        at = part.end()
    return re.compile(written + re.escape(english[at:]), re.DOTALL)
