"""Sentences of documents, in all three languages at once."""

from __future__ import annotations

from typing import Final

from selo.text.message_catalogue import say
from selo.text.multilingual import Words
from selo.text.number_format import spoken

LANGUAGES: Final = ("pt", "zh", "en")


def words(key: str, /, **slots: object) -> Words:
    """Return the message `key`; a slot that has languages of its own is filled with its own."""
    return Words(**{language: say(key, language, **_in(slots, language)) for language in LANGUAGES})


def said(key: str, language: str, /, **slots: object) -> str:
    """Return the message `key`; numbers in it are written as its language writes them."""
    return say(key, language, **{name: spoken(value, language) for name, value in slots.items()})


def same(text: str) -> Words:
    """Return what is called alike in all languages; an amount is written as each writes it."""
    return Words(**{language: str(spoken(text, language)) for language in LANGUAGES})


def lines(parts: list[Words]) -> Words:
    """Return several statements, each on a line of its own."""
    return joined(parts, pt=";\n", zh="；\n")


def joined(parts: list[Words], pt: str = "; ", zh: str = "；") -> Words:
    """Return several statements as one."""
    return Words(
        pt=pt.join(part.pt for part in parts),
        zh=zh.join(part.zh for part in parts),
        en=pt.join(part.en for part in parts),
    )


def _in(slots: dict[str, object], language: str) -> dict[str, object]:
    return {
        name: value.get(language) if isinstance(value, Words) else spoken(value, language)
        for name, value in slots.items()
    }
