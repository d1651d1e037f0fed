"""Enumeration marks of the gazette: artigo · 條, n.º · 款, alínea · 項, subalínea · 分項."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import Final

from selo.gazette import number_words

_HAN_NUMBER: Final = number_words.ZH_WORDS.pattern
#: What a printer or a scanner makes of the ordinal sign.
_ORDINAL: Final = r"[.,]?\s?[º°ªoOcC0©¢®9*]?\.?"
_NUMERALS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv"
_ROMAN: Final = {numeral: place for place, numeral in enumerate(_NUMERALS.split(), start=1)}


class MarkKind(enum.Enum):
    """The shape of an enumeration mark."""

    NUMBER = "1. or 一、"
    DIGIT = "1) or (一)"
    BRACKETS = "(1)"
    LETTER = "a) or A."
    ROMAN = "i)"
    MODALITY = "Modalidade X or X項"
    RANK = "1 —"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as printed, with its place in the enumeration."""

    kind: MarkKind
    label: str
    #: The last part of the id of its unit.
    key: str
    order: int


_PT_MARKS: Final = (
    (MarkKind.RANK, re.compile(r"(?P<label>(?P<digits>\d{1,3}) —)\s")),
    (MarkKind.NUMBER, re.compile(r"(?P<label>(?P<digits>\d{1,2})\.)(?:\s|$)")),
    (MarkKind.DIGIT, re.compile(r"(?P<label>(?P<digits>\d{1,2})\))\s?")),
    (MarkKind.BRACKETS, re.compile(r"(?P<label>\((?P<digits>\d{1,2})\))\s?")),
    (MarkKind.MODALITY, re.compile(r"(?P<label>Modalidade (?P<letter>[A-Z]))$")),
    (MarkKind.ROMAN, re.compile(r"(?P<label>\(?(?P<roman>[ivx]{1,5})\))\s?")),
    (MarkKind.LETTER, re.compile(r"(?P<label>\(?(?P<letter>[a-zA-Z])\))\s?")),
)
_ZH_MARKS: Final = (
    (MarkKind.NUMBER, re.compile(rf"(?P<label>(?P<han>{_HAN_NUMBER})、)")),
    (MarkKind.DIGIT, re.compile(rf"(?P<label>[(（](?P<han>{_HAN_NUMBER})[)）])\s?")),
    (MarkKind.BRACKETS, re.compile(r"(?P<label>[(（](?P<digits>\d{1,3})[)）])\s?")),
    (MarkKind.NUMBER, re.compile(r"(?P<label>(?P<digits>\d{1,2})[.．])(?!\d)")),
    (MarkKind.MODALITY, re.compile(r"(?P<label>(?P<letter>[A-Z])項)$")),
    (MarkKind.ROMAN, re.compile(r"(?P<label>[(（]?(?P<roman>[ivx]{1,5})[)）])\s?")),
    (
        MarkKind.LETTER,
        re.compile(r"(?P<label>[(（]?(?P<letter>[a-zA-Z])(?:[)）]|[.．](?![a-zA-Z.])))\s?"),
    ),
    (MarkKind.DIGIT, re.compile(r"(?P<label>(?P<digits>\d{1,2})\))\s?")),
)
#: A heading that follows the title on its line stands behind a dash, or behind a space in Chinese.
_PT_ARTICLE = re.compile(
    rf"(?P<quote>[«“\"]?)(?P<label>(?:Artigo|Art[.,])\s?(?P<digits>\d{{1,3}}){_ORDINAL})"
    r"(?P<gap>\s*(?:$|—|-|:|(?=[A-ZÁÂÃÀÉÊÍÓÔÕÚÇ«])))\s*(?P<rest>.*)"
)
_ZH_ARTICLE = re.compile(
    rf"(?P<quote>[“「『]?)(?P<label>第(?P<han>{_HAN_NUMBER})條)(?P<gap>$|[\s\u3000]+)(?P<rest>.*)"
)
_PT_SOLE = re.compile(r"(?P<label>Artigo único\.?)\s")
_ZH_SOLE = re.compile(r"(?P<label>獨一條)")
_PT_ANNEX = re.compile(r"Anexo\b.{0,120}", re.IGNORECASE)
_ZH_ANNEX = re.compile(r"附[\s\u3000]*[表件].{0,30}")
_PT_ACT = re.compile(
    r"(?P<kind>[A-ZÁÂÃÀÉÊÍÓÔÕÚÇ][^.;:]{2,90}?),?\s+n\.\S{0,2}\s?(?P<act>\d{1,4}/\d{2,4}(?:/M)?)\.?"
)
_ZH_ACT = re.compile(
    r"(?:(?P<before>[^\s，。；：]{2,12})[\s\u3000]+)?第\s?(?P<act>\d{1,4}/\d{2,4}(?:/M)?)\s?號"
    r"(?P<after>[^，。；：\s]{0,20})"
)
#: Signs with which a sentence or a unit ends.
_TERMINAL = re.compile(r"[.;:。；：!?！？][»”’」』)\s]*$")
_SENTENCE_END = re.compile(r"[.;。；][»”’」』)\s]*$")


@dataclass(frozen=True, slots=True)
class ArticleTitle:
    """The title of an article as printed, and what follows it on its line."""

    number: str
    label: str
    quote: str
    rest: str


def find_marks(text: str, language: str) -> list[Mark]:
    """Return what the mark at the beginning of `text` may be: i) is a letter and a numeral."""
    marks = []
    for kind, pattern in _PT_MARKS if language == "pt" else _ZH_MARKS:
        match = pattern.match(text)
        if match is None:
            continue
        order, key = _read_order(match)
        if order is not None:
            marks.append(Mark(kind=kind, label=match["label"].strip(), key=key, order=order))
    return marks


def _read_order(match: re.Match[str]) -> tuple[int | None, str]:
    groups = match.groupdict()
    if groups.get("digits"):
        number = int(groups["digits"])
        return number, str(number)
    if groups.get("han"):
        try:
            number = number_words.parse_chinese_number(groups["han"])
        except number_words.NotANumber:
            return None, ""
        return number, str(number)
    if groups.get("roman"):
        return _ROMAN.get(groups["roman"]), groups["roman"]
    letter = groups["letter"].lower()
    return ord(letter) - ord("a") + 1, letter


def read_article_title(text: str, language: str) -> ArticleTitle | None:
    """Return the article whose title `text` begins with."""
    match = (_PT_ARTICLE if language == "pt" else _ZH_ARTICLE).match(text)
    if match is None:
        return None
    if language == "zh":
        try:
            number = number_words.parse_chinese_number(match["han"])
        except number_words.NotANumber:
            return None
    else:
        number = int(match["digits"])
    return ArticleTitle(
        number=str(number), label=match["label"].strip(), quote=match["quote"], rest=match["rest"]
    )


def sole_article_label(text: str, language: str) -> str | None:
    """Return the label of a sole article that `text` begins with."""
    match = (_PT_SOLE if language == "pt" else _ZH_SOLE).match(text)
    return match["label"] if match else None


def is_annex_title(text: str, language: str) -> bool:
    """Return whether `text` is the title of an annex."""
    pattern = _PT_ANNEX if language == "pt" else _ZH_ANNEX
    return pattern.fullmatch(text) is not None and not _TERMINAL.search(text)


def read_act(text: str, language: str) -> tuple[str, str] | None:
    """Return the kind and number of the act whose title `text` is."""
    match = (_PT_ACT if language == "pt" else _ZH_ACT).fullmatch(text)
    if match is None:
        return None
    kind = match["kind"] if language == "pt" else (match["before"] or match["after"])
    return (kind, match["act"]) if kind else None


def ends_sentence(text: str) -> bool:
    """Return whether `text` ends with a full stop or a semicolon."""
    return _SENTENCE_END.search(text) is not None


def ends_line(text: str) -> bool:
    """Return whether `text` ends with a mark after which a paragraph may end."""
    return _TERMINAL.search(text) is not None
