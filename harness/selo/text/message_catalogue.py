"""What the program says to people, in Portuguese, Chinese and English."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from selo import data_files
from selo.text.multilingual import Words
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.errors import Problem
    from selo.yaml_file import Document

_SLOT = re.compile(r"\{(\w+)\}")


class Messages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All messages by key."""

    messages: dict[str, Words]


@cache
def _messages() -> dict[str, Words]:
    return read(data_files.folder("bilingual") / "messages.yaml").convert(Messages).messages


def say(key: str, language: str, /, **slots: object) -> str:
    """Return the message `key` in `language` with its slots filled."""
    return _messages()[key].get(language).format(**slots)


def message_words(key: str) -> Words:
    """Return the message `key` in all its languages; one without slots."""
    return _messages()[key]


def has_message(key: str) -> bool:
    """Return whether there is a message `key`."""
    return key in _messages()


def message_keys() -> Iterable[str]:
    """Return the key of every message."""
    return _messages().keys()


def check_messages(document: Document) -> Iterator[Problem]:
    """Yield every message whose slots differ between the languages."""
    for key, words in document.convert(Messages).messages.items():
        slots = {
            language: set(_SLOT.findall(words.get(language))) for language in ("pt", "zh", "en")
        }
        if len({frozenset(found) for found in slots.values()}) > 1:
            yield document.problem(
                "messages",
                key,
                problem=f"message '{key}' has different slots in its languages",
                hint="Use the same {names} in pt, zh and en.",
            )
