"""Text of the law in two languages, and our own text in three."""

from __future__ import annotations

import msgspec

#: The languages of the law; English is a language of the program only.
LAW_LANGUAGES = ("pt", "zh")


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of the gazette, verbatim, in each language in which they were published."""

    pt: str | None = None
    zh: str | None = None

    def get(self, language: str) -> str | None:
        """Return the text in `language`, if published."""
        return self.pt if language == "pt" else self.zh

    def languages(self) -> tuple[str, ...]:
        """Return the languages of publication."""
        return tuple(language for language in LAW_LANGUAGES if self.get(language) is not None)


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence of our own, complete in all three languages of the program."""

    pt: str
    zh: str
    en: str

    def __post_init__(self) -> None:
        if not (self.pt.strip() and self.zh.strip() and self.en.strip()):
            msg = "a sentence of our own needs pt, zh and en"
            raise ValueError(msg)

    def get(self, language: str) -> str:
        """Return the sentence in `language`."""
        return {"pt": self.pt, "zh": self.zh}.get(language, self.en)
