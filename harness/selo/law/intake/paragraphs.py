"""Lines of a page, and the paragraphs that they form in one language."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from selo.gazette import page_rules
from selo.law.intake import enumeration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Chinese characters, and marks that only Chinese print has.
_CHINESE = re.compile("[\u3001-\u3011\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ]")
#: A Portuguese line may name one Chinese word in this many letters.
_LETTERS_PER_SIGN: Final = 25
#: «Um dado» — …, 5 e 16 — …, or a ditto mark before the same: a row of a table of prizes.
_ROW = re.compile(r"(?:«[^»—]*»|“[^”—]*”|(?:[«¢]\s+)?\d[^«»“”—]{0,30}?)\s*—")
#: A line is full, and its paragraph goes on, from this share of the usual width on.
_FULL: Final = 0.8
_BRIM: Final = 0.95
#: A line ends its paragraph below this share of the usual width.
_SHORT: Final = 0.6
#: A column is wrapped if at least this share of its lines is about as wide as the column.
_WRAPPED_SHARE: Final = 0.35
#: The longest heading on the line of its article.
_LONGEST_TITLE: Final = 60
_WIDE: Final = frozenset("WF")


@dataclass(frozen=True, kw_only=True, slots=True)
class PageLine:
    """A line of a source, or a part of it between words that stand in it once."""

    file: str
    number: int
    raw: str
    text: str
    blank_before: bool
    start: str | None = None
    stop: str | None = None


Paragraph = list[PageLine]


def line_language(text: str, usual: str | None) -> str | None:
    """Return the language of a line by its script, or nothing where it has neither."""
    if usual is not None:
        return usual
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN.findall(text))
    if not chinese and not latin:
        return None
    return "zh" if chinese * _LETTERS_PER_SIGN > latin else "pt"


def paragraph_text(paragraph: Sequence[PageLine], language: str) -> str:
    """Return the text of `paragraph` as one line."""
    return page_rules.join_lines([line.text for line in paragraph], language)


def display_width(text: str) -> int:
    """Return the columns that `text` takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in _WIDE else 1 for sign in text)


def measure_column(lines: Sequence[str]) -> tuple[int, bool]:
    """Return the usual width of full lines, and whether paragraphs are wrapped at it."""
    widths = sorted(map(display_width, lines))
    usual = widths[len(widths) * 9 // 10] if widths else 0
    near = sum(1 for width in widths if 0.85 * usual <= width <= 1.1 * usual)
    return usual, bool(widths) and near >= _WRAPPED_SHARE * len(widths)


def form_paragraphs(lines: Sequence[PageLine], language: str) -> list[Paragraph]:
    """Return the paragraphs of the `lines` of one language."""
    usual, wrapped = measure_column([line.text for line in lines])
    found: list[Paragraph] = []
    for line in lines:
        # A line of ornament alone has no text; it belongs to the paragraph before it.
        if not found or (
            line.text and _begins_paragraph(found, line, language, usual=usual, wrapped=wrapped)
        ):
            found.append([line])
        else:
            found[-1].append(line)
    return found


def _begins_paragraph(
    found: list[Paragraph], line: PageLine, language: str, *, usual: int, wrapped: bool
) -> bool:
    before = next((held for held in reversed(found[-1]) if held.text), None)
    if (
        before is None
        or _begins_unit(line.text, language)
        or (is_row(line.text) and before.text[-1] != "-")
        or enumeration.read_act(paragraph_text(found[-1], language), language) is not None
    ):
        return True
    if line.blank_before:
        title = enumeration.read_article_title(before.text, language)
        return not (
            wrapped
            and not (title is not None and not title.rest)
            and not _follows_bare_title(found, language)
            and _is_unfinished(before.text, usual)
        )
    if language == "zh":
        return enumeration.read_article_title(before.text, language) is not None
    return _begins_sentence(found[-1], line) and (
        _ends_with_heading(found[-1])
        or (wrapped and display_width(before.text) < _SHORT * usual)
        # An article without numbers is printed in paragraphs; a numbered unit is one.
        or (before.text.endswith(".") and not _is_numbered(found[-1]))
    )


def _begins_sentence(paragraph: Paragraph, line: PageLine) -> bool:
    """Return whether `line` begins with a capital that does not go on a title in capitals."""
    before = paragraph_text(paragraph, "pt")
    capitals = before.isupper() and line.text.isupper()
    return line.text[0].isupper() and not before.endswith("-") and not capitals


def _ends_with_heading(paragraph: Paragraph) -> bool:
    """Return whether `paragraph` is the title of an article with its heading."""
    title = enumeration.read_article_title(paragraph_text(paragraph, "pt"), "pt")
    return (
        title is not None
        and len(title.rest) <= _LONGEST_TITLE
        and not enumeration.ends_line(title.rest)
    )


def _is_numbered(paragraph: Paragraph) -> bool:
    text = paragraph[0].text
    title = enumeration.read_article_title(text, "pt")
    return bool(enumeration.find_marks(text if title is None else title.rest, "pt"))


def _is_unfinished(text: str, usual: int) -> bool:
    width = display_width(text)
    if enumeration.ends_line(text):
        # A colon at the very end of the column may stand inside a sentence.
        return text.endswith((":", "：")) and width >= _BRIM * usual
    return width >= _FULL * usual


def _follows_bare_title(found: list[Paragraph], language: str) -> bool:
    if len(found) < 2:  # noqa: PLR2004 - a heading and the title before it
        return False
    title = enumeration.read_article_title(paragraph_text(found[-2], language), language)
    return title is not None and not title.rest


def _begins_unit(text: str, language: str) -> bool:
    return (
        enumeration.read_article_title(text, language) is not None
        or enumeration.sole_article_label(text, language) is not None
        or bool(enumeration.find_marks(text, language))
    )


def is_row(text: str) -> bool:
    """Return whether `text` looks like a row of a table of prizes."""
    return _ROW.match(text) is not None


def split_paragraph(paragraph: Sequence[PageLine], rest: str) -> tuple[Paragraph, Paragraph] | None:
    """Return `paragraph` before and from `rest`, or nothing if no words mark the place."""
    for index, line in enumerate(paragraph):
        at = line.text.find(rest[: max(4, min(12, len(line.text)))])
        if at < 0:
            continue
        words = _unique_words(line.raw, line.text[at:])
        if words is None:
            return None
        before = replace(line, text=line.text[:at].strip(), stop=words)
        after = replace(line, text=line.text[at:], start=words, stop=line.stop)
        first = [*paragraph[:index], *([before] if before.text else [])]
        return first, [after, *paragraph[index + 1 :]]
    return None


def _unique_words(raw: str, rest: str) -> str | None:
    for length in range(min(3, len(rest)), len(rest) + 1):
        words = rest[:length]
        if words != words.strip() or " until " in words:
            continue
        if raw.count(words) == 1:
            return words
    return None


def written_places(
    paragraphs: Sequence[Sequence[PageLine]], blank: set[tuple[str, int]]
) -> list[str]:
    """Return the places of `paragraphs` as the law files write them, with ¶ between them."""
    places: list[str] = []
    for index, paragraph in enumerate(paragraphs):
        if index:
            places.append("¶")
        places += [_written_range(run) for run in _runs(paragraph, blank)]
    return places


def _runs(paragraph: Sequence[PageLine], blank: set[tuple[str, int]]) -> Iterator[Paragraph]:
    run: Paragraph = []
    for line in paragraph:
        joined = (
            run
            and run[-1].file == line.file
            and run[-1].stop is None
            and line.start is None
            and all(
                (line.file, between) in blank for between in range(run[-1].number + 1, line.number)
            )
        )
        if run and not joined:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _written_range(run: Paragraph) -> str:
    first, last = run[0], run[-1]
    lines = f"{first.number}" if first.number == last.number else f"{first.number}-{last.number}"
    start = "" if first.start is None else f" from {first.start}"
    stop = "" if last.stop is None else f" until {last.stop}"
    return f"{first.file}:{lines}{start}{stop}"
