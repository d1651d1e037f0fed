"""Gazette pages read into an instrument: lines, acts, articles and units of both languages."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.gazette import page_rules
from selo.law.intake import enumeration
from selo.law.intake.alignment import AlignedArticle, align_texts
from selo.law.intake.paragraphs import (
    PageLine,
    Paragraph,
    form_paragraphs,
    line_language,
    measure_column,
    paragraph_text,
)
from selo.law.intake.unit_tree import UnitReader
from selo.text import LAW_LANGUAGES, user_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from selo.law.intake.draft_units import DraftText

#: Paragraphs before the title of an act that may still be its issuer.
_ISSUER_PARAGRAPHS: Final = 2
_LONGEST_ISSUER: Final = 80
#: Page rules that undo a justified column; elsewhere a space is a separator.
_COLUMN_RULES: Final = frozenset({"letter-spacing", "justification"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page as received, with its text and the id of its source."""

    source: str
    path: Path
    content: bytes
    text: str
    language: str | None

    @property
    def page_rules(self) -> list[str]:
        """The page rules that change a line of this page."""
        lines = self.text.split("\n")
        chinese = [line for line in lines if line_language(line, self.language) == "zh"]
        left_out = set() if measure_column(chinese)[1] else _COLUMN_RULES
        return [
            name
            for name, rule in page_rules.LINE_RULES.items()
            if name not in left_out and any(rule(line).strip() != line.strip() for line in lines)
        ]

    @property
    def stem(self) -> str:
        """The name of the stored files without an ending."""
        return f"{self.source}_{slug(self.path.stem) or 'page'}"

    @property
    def is_plain(self) -> bool:
        """Whether the page is its own text."""
        return self.content == self.text.encode()

    @property
    def page_file(self) -> str:
        """The name under which a page that is not plain text is kept."""
        return f"{self.stem}.page{self.path.suffix.lower()}"

    def stored_files(self) -> list[tuple[str, bytes]]:
        """Return the files to keep: the text, and the page if it is not plain text."""
        files = [(f"{self.stem}.txt", self.text.encode())]
        return files if self.is_plain else [*files, (self.page_file, self.content)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Intake:
    """What was read from pages of the gazette."""

    pages: tuple[Page, ...]
    kind: Mapping[str, str]
    number: str
    texts: Mapping[str, DraftText]
    articles: list[AlignedArticle]
    #: Paragraphs of other acts on the same pages, by language.
    others: Mapping[str, list[Paragraph]]
    blank: set[tuple[str, int]]

    @property
    def languages(self) -> list[str]:
        """The languages in which the act stands on the pages."""
        return [language for language in LAW_LANGUAGES if language in self.texts]


def slug(text: str) -> str:
    """Return `text` in the characters of an id."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def read_intake(pages: Sequence[Page], *, number: str | None) -> Intake:
    """Return the act `number`, or the only act, of `pages`."""
    lines, blank = _read_lines(pages)
    paragraphs = {
        language: form_paragraphs(held, language) for language, held in lines.items() if held
    }
    number = _choose_act(paragraphs, number)
    texts, others, kinds = {}, {}, {}
    for language, held in paragraphs.items():
        own, other, kind = _divide_acts(held, language, number)
        text = UnitReader(language).read(own)
        if text.articles:
            texts[language], others[language] = text, other
            kinds[language] = kind or ""
        else:
            others[language] = [*own, *other]
    if not any(text.articles for text in texts.values()):
        raise user_error("intake-no-articles", pages=", ".join(page.path.name for page in pages))
    return Intake(
        pages=tuple(pages),
        kind=kinds,
        number=number,
        texts=texts,
        articles=align_texts(texts),
        others=others,
        blank=blank,
    )


def _read_lines(
    pages: Sequence[Page],
) -> tuple[dict[str, list[PageLine]], set[tuple[str, int]]]:
    """Return the lines by language, and those that hold nothing."""
    by_language: dict[str, list[PageLine]] = {language: [] for language in LAW_LANGUAGES}
    blank: set[tuple[str, int]] = set()
    for page in pages:
        rules, before, last = page.page_rules, True, page.language or "pt"
        for number, raw in enumerate(page.text.split("\n"), start=1):
            text = page_rules.clean_line(raw, {*rules, "extraction-mark"})
            if not text and not page_rules.clean_line(raw, {"extraction-mark"}):
                blank.add((page.source, number))
                before = True
                continue
            language = line_language(text, page.language) or last
            line = PageLine(
                file=page.source,
                number=number,
                raw=raw,
                text=text,
                blank_before=before or language != last,
            )
            by_language[language].append(line)
            before, last = False, language
    return by_language, blank


def _choose_act(paragraphs: Mapping[str, list[Paragraph]], number: str | None) -> str:
    numbers: dict[str, None] = {}
    for language, held in paragraphs.items():
        for paragraph in held:
            act = enumeration.read_act(paragraph_text(paragraph, language), language)
            if act is not None:
                numbers[act[1]] = None
    if number is not None:
        if numbers and number not in numbers:
            raise user_error("intake-act-unknown", number=number, known=", ".join(numbers))
        return number
    if not numbers:
        raise user_error("intake-act-none")
    if len(numbers) > 1:
        raise user_error("intake-acts", known=", ".join(numbers))
    return next(iter(numbers))


def _divide_acts(
    paragraphs: list[Paragraph], language: str, number: str
) -> tuple[list[Paragraph], list[Paragraph], str | None]:
    """Return the paragraphs of the act, those of others, and the kind of the act."""
    acts = []
    for index, paragraph in enumerate(paragraphs):
        act = enumeration.read_act(paragraph_text(paragraph, language), language)
        if act is not None:
            acts.append((index, *act))
    if not any(found == number for _, _, found in acts):
        return paragraphs, [], None
    first = next(index for index, _, found in acts if found == number)
    stop = next((index for index, _, found in acts if index > first and found != number), None)
    start = first
    if not any(index < first for index, _, _ in acts) and first <= _ISSUER_PARAGRAPHS:
        before = [paragraph_text(paragraph, language) for paragraph in paragraphs[:first]]
        if all(len(text) <= _LONGEST_ISSUER for text in before):
            start = 0
    kind = next(kind for index, kind, _ in acts if index == first)
    stop = len(paragraphs) if stop is None else stop
    return paragraphs[start:stop], [*paragraphs[:start], *paragraphs[stop:]], kind
