"""The words of a legal text that bind, forbid, permit or offer a choice."""

from __future__ import annotations

import enum
import re
from functools import lru_cache
from typing import Final

import msgspec


class Force(enum.StrEnum):
    """What a provision does to those whom it addresses."""

    MUST = "must"
    MUST_NOT = "must-not"
    MAY = "may"
    #: The operator chooses between alternatives.
    OPTION = "option"
    #: It gives meaning to others.
    DEFINES = "defines"


class ForceWord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that carry a force, as a regular expression of one language."""

    language: str
    words: str
    #: None of what the words usually carry, such as 獲得, which is no 得.
    carries: Force | None = None


class ForceVocabulary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words that carry a force, and the forms of verbs that bind without one."""

    words: list[ForceWord] = []
    #: Verbs in the indicative, by which a Portuguese text binds or defines.
    indicative: list[str] = []


#: Forces that nothing but a word of the text can give.
WORDED: Final = frozenset({Force.MUST_NOT, Force.MAY, Force.OPTION})


class ForceReader:
    """Finds the words of a text that carry a force."""

    def __init__(self, vocabulary: ForceVocabulary) -> None:
        self._vocabulary = vocabulary
        self._patterns = {
            language: _alternatives(
                tuple(entry.words for entry in vocabulary.words if entry.language == language)
            )
            for language in {entry.language for entry in vocabulary.words}
        }
        self._carried = {
            language: [entry.carries for entry in vocabulary.words if entry.language == language]
            for language in self._patterns
        }
        self._indicative = _alternatives(tuple(vocabulary.indicative))

    def read(self, text: str, language: str) -> list[tuple[Force, str]]:
        """Return each force that a text carries, with the words that carry it, in their order."""
        pattern = self._patterns.get(language)
        if pattern is None:
            return []
        carried = self._carried[language]
        found = []
        for match in pattern.finditer(text):
            force = carried[int(match.lastindex or 1) - 1]
            if force is not None:
                found.append((force, " ".join(match.group().split())))
        return found

    def is_indicative(self, text: str) -> bool:
        """Return whether a Portuguese text has a verb in the indicative."""
        return bool(self._vocabulary.indicative) and self._indicative.search(text) is not None


@lru_cache(maxsize=16)
def _alternatives(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern with one group for each expression; the first that fits wins."""
    return re.compile("|".join(f"({word})" for word in words) or "(?!)", re.IGNORECASE)
