"""Sentences of documents, in all three languages at once."""

from __future__ import annotations

from typing import Final

from selo.words.messages import say
from selo.words.text import Words

LANGUAGES: Final = ("pt", "zh", "en")


def words(key: str, /, **slots: object) -> Words:
    """Return the message `key`; a slot that has languages of its own is filled with its own."""
    return Words(**{language: say(key, language, **_in(slots, language)) for language in LANGUAGES})


def same(text: str) -> Words:
    """Return what is written alike in all languages, such as a name or a number."""
    return Words(pt=text, zh=text, en=text)


def joined(parts: list[Words], pt: str = "; ", zh: str = "；") -> Words:
    """Return several statements as one."""
    return Words(
        pt=pt.join(one.pt for one in parts),
        zh=zh.join(one.zh for one in parts),
        en=pt.join(one.en for one in parts),
    )


def _in(slots: dict[str, object], language: str) -> dict[str, object]:
    return {
        name: value.get(language) if isinstance(value, Words) else value
        for name, value in slots.items()
    }
