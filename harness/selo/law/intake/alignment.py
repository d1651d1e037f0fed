"""Alignment of the two languages: the same units under the same ids."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.law.files.provision_file import Unit
from selo.law.intake import enumeration
from selo.law.intake.draft_units import DraftArticle, DraftUnit
from selo.law.intake.paragraphs import paragraph_text, split_paragraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.law.intake.draft_units import DraftText

_SENTENCE = re.compile(r"[^.。]+(?:[.。]|$)")


@dataclass(frozen=True, kw_only=True, slots=True)
class AlignedUnit:
    """One unit with what each language prints of it."""

    path: tuple[str, ...]
    unit: Unit
    by_language: Mapping[str, DraftUnit]


@dataclass(frozen=True, kw_only=True, slots=True)
class AlignedArticle:
    """One article with what each language prints of it."""

    number: str
    by_language: Mapping[str, DraftArticle]
    units: list[AlignedUnit]


def align_texts(texts: Mapping[str, DraftText]) -> list[AlignedArticle]:
    """Return the articles of all languages, in the order of the law."""
    numbers: dict[str, None] = {}
    for text in texts.values():
        numbers.update(dict.fromkeys(article.number for article in text.articles))
    aligned = []
    for number in sorted(numbers, key=_article_order):
        articles = {
            language: article
            for language, text in texts.items()
            for article in text.articles
            if article.number == number
        }
        if len(articles) > 1:
            _match_free_units(articles)
        aligned.append(
            AlignedArticle(number=number, by_language=articles, units=_merge_units(articles))
        )
    return aligned


def _article_order(number: str) -> tuple[int, int]:
    place = {"approval": 0, "annex": 2}.get(number, 1)
    return place, int(number) if number.isdigit() else 0


def _is_free(unit: DraftUnit) -> bool:
    return unit.mark is None and unit.unit in {Unit.PARAGRAPH, Unit.SENTENCE}


def _match_free_units(articles: Mapping[str, DraftArticle]) -> None:
    """Pair the paragraphs without a mark below each unit, in order."""
    pt, zh = articles["pt"], articles["zh"]
    parents = dict.fromkeys(
        unit.path[:-1] for article in (pt, zh) for unit in article.units if _is_free(unit)
    )
    for parent in parents:
        below = {
            language: [u for u in article.units if _is_free(u) and u.path[:-1] == parent]
            for language, article in articles.items()
        }
        for few, many in (("pt", "zh"), ("zh", "pt")):
            if len(below[few]) == 1 and len(below[many]) > 1:
                _split_sentences(articles[few], below[few], len(below[many]), few)
        for one, other in zip(below["pt"], below["zh"], strict=False):
            other.path = one.path
        shared = min(len(below["pt"]), len(below["zh"]))
        for language, article in articles.items():
            for unit in below[language][shared:]:
                _merge_into_title(article, unit, parent, language)


def _split_sentences(
    article: DraftArticle, below: list[DraftUnit], wanted: int, language: str
) -> None:
    """Cut one paragraph into `wanted` sentences, if it has as many."""
    unit = below[0]
    if len(unit.paragraphs) != 1:
        return
    sentences = _SENTENCE.findall(paragraph_text(unit.paragraphs[0], language))
    if len(sentences) != wanted:
        return
    at = article.units.index(unit)
    for sentence in sentences[1:]:
        split = split_paragraph(below[-1].paragraphs[0], sentence.strip())
        if split is None or not split[0]:
            return
        below[-1].paragraphs[0] = split[0]
        at += 1
        piece = DraftUnit(
            path=(*unit.path[:-1], f"par-{len(below) + 1}"),
            unit=unit.unit,
            paragraphs=[split[1]],
        )
        article.units.insert(at, piece)
        below.append(piece)


def _merge_into_title(
    article: DraftArticle, unit: DraftUnit, parent: tuple[str, ...], language: str
) -> None:
    """Join a paragraph to the item above it, if that is a title and one language has no more."""
    owner = next((one for one in article.units if one.path == parent), None)
    if owner is None or owner.mark is None:
        return
    if not enumeration.ends_line(paragraph_text(owner.paragraphs[-1], language)):
        owner.paragraphs += unit.paragraphs
        article.units.remove(unit)


def _merge_units(articles: Mapping[str, DraftArticle]) -> list[AlignedUnit]:
    """Return all units in reading order; what stands in one language only follows its neighbour."""
    order: list[tuple[str, ...]] = []
    for article in articles.values():
        place = 0
        for unit in article.units:
            if unit.path in order:
                place = order.index(unit.path) + 1
            else:
                order.insert(place, unit.path)
                place += 1
    merged = []
    for path in order:
        units = {
            language: next(unit for unit in article.units if unit.path == path)
            for language, article in articles.items()
            if any(unit.path == path for unit in article.units)
        }
        first = units.get("pt") or units["zh"]
        merged.append(AlignedUnit(path=path, unit=first.unit, by_language=units))
    return merged
