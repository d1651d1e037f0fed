"""Recognition of articles and their units in the paragraphs of one language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import MatterKind, Unit
from selo.law.intake import enumeration
from selo.law.intake.draft_units import (
    DraftArticle,
    DraftText,
    DraftUnit,
    add_unit,
    join_split_lines,
)
from selo.law.intake.enumeration import Mark, MarkKind
from selo.law.intake.matter_kind import is_signing, matter_kind
from selo.law.intake.paragraphs import Paragraph, is_row, paragraph_text, split_paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How many items a scan may lose before an enumeration is another one.
_LOST_ITEMS: Final = 3
#: How far the number of an article may jump: an amendment prints some articles only.
_LOST_ARTICLES: Final = 40
#: The longest heading, and the longest row, in characters.
_LONGEST_HEADING: Final = {"pt": 90, "zh": 30}
_LONGEST_ROW: Final = 100
_NOTE = re.compile(r"(?<=\S)\s*(?P<note>\(Nota\b|[（(]註)")
_INLINE_HEADING = re.compile(
    r"(?P<heading>[^.;:—]{1,60}?)(?::|\s?—)\s+(?P<body>[A-ZÁÂÃÀÉÊÍÓÔÕÚÇ«“].{20,})"
)
_CLOSING_QUOTE = re.compile(r"(?P<quote>[»”」]\s*\.?)$")
_QUOTES: Final = (("«", "»"), ("“", "”"), ("「", "」"))


class UnitReader:
    """Reads the paragraphs of an act, in order."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._found = DraftText()
        self._article: DraftArticle | None = None
        self._levels: list[tuple[Mark, tuple[str, ...]]] = []
        self._awaits_heading = False
        self._quoted = False
        self._points = 0
        self._enacted = False
        self._restarted = False

    def read(self, paragraphs: Sequence[Paragraph]) -> DraftText:
        """Return what stands in `paragraphs`."""
        for paragraph in paragraphs:
            self._read_paragraph(paragraph)
        for article in self._found.articles:
            if not article.units:
                # A page may end after a title: it is then all that is known of the article.
                body = DraftUnit(
                    path=(article.number,), unit=Unit.ARTICLE, paragraphs=article.title
                )
                article.units, article.title, article.heading = [body], [], None
        return self._found

    def _text(self, paragraph: Paragraph) -> str:
        return paragraph_text(paragraph, self._language)

    def _read_paragraph(self, paragraph: Paragraph) -> None:
        text = self._text(paragraph)
        title = enumeration.read_article_title(text, self._language)
        if title is not None and self._is_next_article(title):
            self._begin_article(paragraph, title)
        elif (sole := enumeration.sole_article_label(text, self._language)) is not None:
            unit = DraftUnit(
                path=("approval",), unit=Unit.SOLE_ARTICLE, paragraphs=[paragraph], label=sole
            )
            add_unit(self._approval(), unit)
        elif self._is_annex(text):
            self._open(DraftArticle(number="annex", label=text, title=[paragraph]))
        elif self._awaits_heading and self._is_heading(text):
            article = self._current()
            article.heading = text
            article.title.append(paragraph)
            self._awaits_heading = False
        elif self._article is None or is_signing(text, self._language):
            self._article, self._awaits_heading = None, False
            self._read_around(paragraph, text)
        else:
            self._read_unit(paragraph, text)
            self._close_quotation()

    # Articles

    def _is_next_article(self, title: enumeration.ArticleTitle) -> bool:
        numbers = [int(a.number) for a in self._found.articles if a.number.isdigit()]
        number = int(title.number)
        if number in numbers:
            # A regulation begins again at 1, after the articles that approve it.
            return number == 1 and not self._restarted
        return (
            not numbers or bool(title.quote) or numbers[-1] < number < numbers[-1] + _LOST_ARTICLES
        )

    def _is_annex(self, text: str) -> bool:
        return (
            self._article is not None
            and all(article.number != "annex" for article in self._found.articles)
            and enumeration.is_annex_title(text, self._language)
        )

    def _begin_article(self, paragraph: Paragraph, title: enumeration.ArticleTitle) -> None:
        if title.number == "1" and any(a.number == "1" for a in self._found.articles):
            self._move_to_approval()
        if title.quote:
            split = split_paragraph(paragraph, title.label)
            if split is not None:
                self._found.matter.append((MatterKind.QUOTATION_MARK, [split[0]]))
                paragraph, self._quoted = split[1], True
        article = DraftArticle(number=title.number, label=title.label)
        self._open(article)
        heading, body = self._divide_title(title.rest)
        split = split_paragraph(paragraph, body) if body else None
        if body and split is None:
            heading, body = None, title.rest
        article.heading = heading
        if split is None:
            article.title.append(paragraph)
            self._awaits_heading = not title.rest
        else:
            article.title.append(split[0])
            self._read_unit(split[1], self._text(split[1]))

    def _divide_title(self, rest: str) -> tuple[str | None, str]:
        """Return the heading and the body in what follows the title on its line."""
        if not rest:
            return None, ""
        if any(mark.order == 1 for mark in enumeration.find_marks(rest, self._language)):
            return None, rest
        inline = _INLINE_HEADING.match(rest)
        if inline:
            return inline["heading"], inline["body"]
        if self._is_heading(rest):
            return rest, ""
        return None, rest

    def _is_heading(self, text: str) -> bool:
        return (
            len(text) <= _LONGEST_HEADING[self._language]
            and not enumeration.ends_line(text)
            and not enumeration.find_marks(text, self._language)
        )

    def _open(self, article: DraftArticle) -> None:
        self._article = article
        self._levels = []
        self._awaits_heading = False
        self._found.articles.append(article)

    def _current(self) -> DraftArticle:
        assert self._article is not None  # noqa: S101 - a unit is read inside an article
        return self._article

    def _approval(self) -> DraftArticle:
        for article in self._found.articles:
            if article.number == "approval":
                return article
        article = DraftArticle(number="approval", label=None)
        self._found.articles.insert(0, article)
        return article

    def _move_to_approval(self) -> None:
        """Make the articles read so far those of the approving act: a regulation begins at 1."""
        self._restarted = True
        earlier = [a for a in self._found.articles if a.number != "approval"]
        self._found.articles = [a for a in self._found.articles if a.number == "approval"]
        approval = self._approval()
        for article in earlier:
            paragraphs = [*article.title, *(p for unit in article.units for p in unit.paragraphs)]
            whole = [join_split_lines([line for paragraph in paragraphs for line in paragraph])]
            add_unit(
                approval,
                DraftUnit(
                    path=("approval", article.number),
                    unit=Unit.ARTICLE,
                    paragraphs=whole,
                    label=article.label,
                ),
            )

    # Around the articles

    def _read_around(self, paragraph: Paragraph, text: str) -> None:
        for mark in enumeration.find_marks(text, self._language):
            if mark.kind is MarkKind.NUMBER and mark.order == self._points + 1:
                self._points += 1
                unit = DraftUnit(
                    path=("approval", mark.key),
                    unit=Unit.POINT,
                    paragraphs=[paragraph],
                    mark=mark,
                )
                add_unit(self._approval(), unit)
                return
        kind = matter_kind(text, self._language, enacted=self._enacted)
        self._enacted = self._enacted or kind is MatterKind.ENACTING
        self._found.matter.append((kind, [paragraph]))

    # Units

    def _read_unit(self, paragraph: Paragraph, text: str) -> None:
        article = self._current()
        self._awaits_heading = False
        chosen = self._choose_mark(text)
        if chosen is not None:
            depth, mark = chosen
            parent = self._levels[depth - 1][1] if depth else (article.number,)
            path = (*parent, mark.key)
            self._levels = [*self._levels[:depth], (mark, path)]
            kind = self._unit_kind(mark, text, paragraph)
            add_unit(article, DraftUnit(path=path, unit=kind, paragraphs=[paragraph], mark=mark))
            self._split_note()
        elif article.units and not paragraph[0].blank_before and self._is_bogus_mark(text):
            article.units[-1].paragraphs[-1].extend(paragraph)
        else:
            self._read_free_paragraph(paragraph, text)

    def _is_bogus_mark(self, text: str) -> bool:
        return bool(enumeration.find_marks(text, self._language))

    def _choose_mark(self, text: str) -> tuple[int, Mark] | None:
        """Return the level of the mark of `text`: it goes on an enumeration or begins one."""
        marks = enumeration.find_marks(text, self._language)
        for lost in range(1, _LOST_ITEMS + 2):
            for depth in range(len(self._levels) - 1, -1, -1):
                last = self._levels[depth][0]
                for mark in marks:
                    if mark.kind is last.kind and mark.order == last.order + lost:
                        return depth, mark
            if lost == 1:
                for mark in marks:
                    if mark.order == 1 or (mark.kind is MarkKind.RANK and not self._levels):
                        return len(self._levels), mark
        return None

    def _unit_kind(self, mark: Mark, text: str, paragraph: Paragraph) -> Unit:
        article, depth = self._current(), len(self._levels)
        if mark.kind is MarkKind.RANK or (article.number == "annex" and depth == 1):
            return Unit.RANK
        if mark.kind is MarkKind.MODALITY:
            return Unit.MODALITY
        if mark.kind is MarkKind.ROMAN:
            return Unit.ITEM
        if any("\t" in line.raw for line in paragraph):
            return Unit.ROW
        if depth == 1:
            numbered = mark.kind is MarkKind.NUMBER and not (
                self._language == "zh" and text[0].isdigit()
            )
            return Unit.NUMBER if numbered else Unit.ALINEA
        above = self._unit_at(self._levels[-2][1])
        below = {Unit.NUMBER: Unit.ALINEA, Unit.ALINEA: Unit.SUBALINEA}
        return below.get(above.unit, Unit.ITEM)

    def _unit_at(self, path: tuple[str, ...]) -> DraftUnit:
        return next(unit for unit in self._current().units if unit.path == path)

    def _read_free_paragraph(self, paragraph: Paragraph, text: str) -> None:
        article = self._current()
        path: tuple[str, ...]
        if not article.units:
            kind, path = Unit.ARTICLE, (article.number,)
        elif not self._levels:
            kind = Unit.PARAGRAPH if paragraph[0].blank_before else Unit.SENTENCE
            path = (article.number, self._next_paragraph((article.number,), first=2))
        else:
            kind, path = self._place_free_paragraph(paragraph, text)
        add_unit(article, DraftUnit(path=path, unit=kind, paragraphs=[paragraph]))
        self._split_note()

    def _place_free_paragraph(
        self, paragraph: Paragraph, text: str
    ) -> tuple[Unit, tuple[str, ...]]:
        article, last = self._current(), self._current().units[-1]
        mark_path = self._levels[-1][1]
        if any("\t" in line.raw for line in paragraph):
            return Unit.TABLE_HEAD, (*mark_path, "head")
        owner = self._unit_at(mark_path)
        owner_text = " ".join(map(self._text, owner.paragraphs))
        goes_on = last.unit is Unit.ROW and last.mark is None
        if (
            len(text) <= _LONGEST_ROW
            and "—" in text
            and (goes_on or is_row(text) or owner_text.endswith((":", "：")))
        ):
            if not goes_on:
                self._split_first_row(owner)
            rows = sum(
                1 for unit in article.units if unit.unit is Unit.ROW and unit.path[:-1] == mark_path
            )
            return Unit.ROW, (*mark_path, str(rows + 1))
        if goes_on:
            return Unit.PARAGRAPH, (*mark_path, "close")
        if last.path[:-1] == mark_path and last.path[-1].startswith("par-"):
            return Unit.PARAGRAPH, (*mark_path, self._next_paragraph(mark_path))
        leaf = owner.unit in {Unit.ROW, Unit.RANK} or enumeration.ends_sentence(owner_text)
        if not leaf:
            return Unit.PARAGRAPH, (*mark_path, "par-1")
        self._levels.pop()
        parent = self._levels[-1][1] if self._levels else (article.number,)
        self._levels = self._levels or []
        return Unit.PARAGRAPH, (*parent, "close")

    def _next_paragraph(self, parent: tuple[str, ...], *, first: int = 1) -> str:
        names = [unit.path[-1] for unit in self._current().units if unit.path[:-1] == parent]
        return f"par-{first + sum(1 for name in names if name.startswith('par-'))}"

    def _split_first_row(self, owner: DraftUnit) -> None:
        """Give the first row that stands on the line of its item a unit of its own."""
        text = self._text(owner.paragraphs[0])
        _, dash, rest = text.partition("— ")
        if not dash or not is_row(rest) or "»" in rest.split("—")[0] or "”" in rest.split("—")[0]:
            return
        split = split_paragraph(owner.paragraphs[0], rest)
        if split is not None and split[0]:
            owner.paragraphs[0] = split[0]
            row = DraftUnit(path=(*owner.path, "1"), unit=Unit.ROW, paragraphs=[split[1]])
            add_unit(self._current(), row)

    def _split_note(self) -> None:
        article = self._current()
        unit = article.units[-1]
        match = _NOTE.search(self._text(unit.paragraphs[-1]))
        if match is None:
            return
        rest = self._text(unit.paragraphs[-1])[match.start("note") :]
        split = split_paragraph(unit.paragraphs[-1], rest)
        if split is not None and split[0]:
            unit.paragraphs[-1] = split[0]
            note = DraftUnit(path=(*unit.path, "note"), unit=Unit.NOTE, paragraphs=[split[1]])
            add_unit(article, note)

    def _close_quotation(self) -> None:
        """End quoted articles where their closing mark stands."""
        if not self._quoted:
            return
        unit = self._current().units[-1]
        text = self._text(unit.paragraphs[-1])
        match = _CLOSING_QUOTE.search(text)
        if match is None or all(text.count(a) >= text.count(b) for a, b in _QUOTES):
            return
        split = split_paragraph(unit.paragraphs[-1][-1:], match["quote"])
        if split is not None and split[0]:
            unit.paragraphs[-1][-1:] = split[0]
            self._found.matter.append((MatterKind.QUOTATION_MARK, [split[1]]))
            self._article, self._quoted, self._awaits_heading = None, False, False
