"""YAML scalars and blocks of the files that an intake writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypeVar

from selo.law.intake.paragraphs import Paragraph, paragraph_text
from selo.text import LAW_LANGUAGES, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

V = TypeVar("V")
_MESSAGE_LANGUAGES: Final = ("pt", "zh", "en")


def unit_text(paragraphs: Sequence[Paragraph], language: str) -> str:
    """Return the text of a unit, one paragraph a line."""
    return "\n".join(paragraph_text(paragraph, language) for paragraph in paragraphs)


def in_order(by_language: Mapping[str, V]) -> dict[str, V]:
    """Return what is held by language, Portuguese first."""
    return {name: by_language[name] for name in LAW_LANGUAGES if name in by_language}


def quote(text: str) -> str:
    """Return `text` as a quoted scalar: every JSON string is one."""
    return json.dumps(text, ensure_ascii=False)


def flow(words: Mapping[str, str]) -> str:
    """Return `words` as a mapping on one line."""
    return f"{{{', '.join(f'{language}: {quote(text)}' for language, text in words.items())}}}"


def words_block(field: str, key: str, indent: str, **slots: object) -> str:
    """Return the message `key` in three languages as the value of `field`."""
    lines = [f"{indent}{field}:"]
    lines += [f"{indent}  {name}: {quote(say(key, name, **slots))}" for name in _MESSAGE_LANGUAGES]
    return "\n".join(lines) + "\n"
