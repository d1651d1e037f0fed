"""Composition of words in all three languages: messages, joined lists, labelled values."""

from __future__ import annotations

from typing import Final

from selo.rules.equipment.pack_and_dice import SUIT_NAMES
from selo.text import Words, say
from selo.text.message_catalogue import has_message
from selo.text.number_format import format_in_sentence

LANGUAGES: Final = ("pt", "zh", "en")


def words(key: str, /, **slots: object) -> Words:
    """Return the message `key` in all languages; `Words` in slots are filled in by language."""
    return Words(
        **{
            language: say(key, language, **_localize_slots(slots, language))
            for language in LANGUAGES
        }
    )


def message_or_text(key: str, text: str) -> Words:
    """Return the message `key` if there is one, and `text` otherwise."""
    return words(key) if has_message(key) else as_words(text)


def say_localized(key: str, language: str, /, **slots: object) -> str:
    """Return the message `key` in one language, with numbers as the language writes them."""
    return say(
        key,
        language,
        **{name: format_in_sentence(value, language) for name, value in slots.items()},
    )


def as_words(text: str) -> Words:
    """Return the same text in all languages, with amounts as each language writes them."""
    return Words(**{language: str(format_in_sentence(text, language)) for language in LANGUAGES})


def join_lines(parts: list[Words]) -> Words:
    """Return several statements, one a line."""
    return join_words(parts, pt=";\n", zh="；\n")


def join_words(parts: list[Words], pt: str = "; ", zh: str = "；") -> Words:
    """Return several statements on one line, with `pt` or `zh` between them."""
    return Words(
        pt=pt.join(part.pt for part in parts),
        zh=zh.join(part.zh for part in parts),
        en=pt.join(part.en for part in parts),
    )


def label_value(name: Words, value: Words) -> Words:
    """Return a value after its name and a colon."""
    return Words(
        pt=f"{name.pt}: {value.pt}", zh=f"{name.zh}：{value.zh}", en=f"{name.en}: {value.en}"
    )


def in_brackets(name: Words, detail: Words) -> Words:
    """Return a name followed by a detail in brackets."""
    return Words(
        pt=f"{name.pt} ({detail.pt})",
        zh=f"{name.zh}（{detail.zh}）",
        en=f"{name.en} ({detail.en})",
    )


def suit_of(card: str) -> str:
    """Return the suit of a card as messages and drawings name it: ``spade``."""
    return SUIT_NAMES[card[-1]].removesuffix("s")


def _localize_slots(slots: dict[str, object], language: str) -> dict[str, object]:
    return {
        name: value.get(language)
        if isinstance(value, Words)
        else format_in_sentence(value, language)
        for name, value in slots.items()
    }
