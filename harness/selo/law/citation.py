"""Citations as in the gazette, and references in the words of a provision to others.

A citation names the smallest unit first in Portuguese, the largest first in Chinese. References are
read from the Portuguese text:

1. «n.º 2», «n.ºs 6, 7 e 8»: numbers of the same article.
2. «alíneas 1) a 3) do n.º 1», «alíneas 1) e 2) do artigo 9.º»: parts of a number or of an article.
3. «número anterior», «números anteriores», «alíneas anteriores»: what stands before it.

A whole article that is referred to is not among them: it would be quoted without need.

What somebody cites is found by:

1. The id of a provision.
2. A citation as `cite` writes it, in Portuguese or Chinese, with its instrument.
3. A short one, such as ``21/96/M art. 6 h``: an instrument by number, id or game, then the marks of
   article, number, alínea and below in the order of the law. The instrument alone, or an article
   with parts, is everything that it holds.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Unit
from selo.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.files.provision_file import Instrument, Provision
    from selo.law.loader import Law, LocatedProvision

_ZH_DIGITS = "零一二三四五六七八九"
_PARAGRAPH = re.compile(r"par-(\d+)")
#: Sub-units that turn the text before them into a chapeau; notes and paragraphs do not.
_ENUMERATED_UNITS = frozenset(
    {Unit.NUMBER, Unit.ALINEA, Unit.SUBALINEA, Unit.MODALITY, Unit.ITEM, Unit.ROW, Unit.RANK}
)
_NUMBERS: Final = re.compile(r"n\.ºs?\s+(\d+(?:(?:,\s*|\s+e\s+)\d+)*)(?![\d/])")
_PARTS: Final = re.compile(
    r"alíneas?\s+(\w+)\)(?:\s+(a|e)\s+(\w+)\))?\s+do\s+(?:n\.º\s+(\d+)|artigo\s+(\d+)\.º)"
)
_BEFORE: Final = re.compile(r"(?:número|alínea)s?\s+(anterior|anteriores)\b")
_SEPARATOR: Final = "/"
_ANNEX_ID = "annex"
_APPROVAL_ID = "approval"
#: Words between the marks of a short citation.
_UNIT_WORDS: Final = frozenset(
    {"art", "artigo", "n", "ns", "no", "al", "alinea", "alínea", "subalinea", "subalínea", "par",
     "portaria", "despacho", "do", "da", "de", "sef", "modalidade", "anexo"}
)  # fmt: skip
_CITED_MARK: Final = re.compile(r"[^\W_]+(?:-\d+)?")
#: Ordinal signs, which would become letters.
_ORDINALS: Final = str.maketrans("", "", "ºª°")
_ANNEX_WORDS: Final = {"anexo": "annex", "附表": "annex"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """The citation of a provision, without and with its instrument."""

    pt: str
    zh: str
    pt_full: str
    zh_full: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _CitationPart:
    pt: str
    zh: str
    #: The article that joins this part to a smaller one: «do» or «da».
    of: str = "do"


def cite(law: Law, provision: LocatedProvision) -> Citation:
    """Return the citation of `provision`."""
    parts = _citation_parts(law, provision)
    pt = parts[-1].pt
    for part in reversed(parts[:-1]):
        pt += f" {part.of} {part.pt}"
    zh = "".join(part.zh for part in parts)
    if _has_sub_units(law, provision):
        pt = f"corpo {parts[-1].of} {pt}"
        zh = f"{zh}主文"
    instrument = provision.instrument
    if provision.article.article.article == _APPROVAL_ID:
        return cite_act(instrument, pt=pt, zh=zh)
    regulation = instrument.regulation
    # A regulation without a Chinese title is cited by its act.
    titled = regulation.zh or f"{instrument.citation.zh}之規章"
    return Citation(pt=pt, zh=zh, pt_full=f"{pt} do {regulation.pt}", zh_full=f"{titled}{zh}")


def cite_act(instrument: Instrument, *, pt: str, zh: str) -> Citation:
    """Return the citation of a part of the act itself, not of the regulation that it approves."""
    act = instrument.citation
    of = "do" if (act.pt or "").startswith("Despacho") else "da"
    return Citation(pt=pt, zh=zh, pt_full=f"{pt} {of} {act.pt}", zh_full=f"{act.zh}{zh}")


def cite_article(number: str) -> Text:
    """Return the citation of a whole article or the annex."""
    (part,) = _article_parts(number, None)
    return Text(pt=part.pt, zh=part.zh)


def _citation_parts(law: Law, located: LocatedProvision) -> list[_CitationPart]:
    steps = located.provision.id.split("/")
    parts = []
    for depth in range(1, len(steps) + 1):
        ancestor = law.provisions.get(f"{located.instrument.id}/{'/'.join(steps[:depth])}")
        if depth == 1:
            parts += _article_parts(steps[0], ancestor)
        elif ancestor is not None:
            part = _unit_part(ancestor.provision)
            # A unit that the Chinese text does not have is cited by the one above it.
            absent = "zh" in ancestor.provision.missing
            parts.append(replace(part, zh="") if absent else part)
    return parts


def _article_parts(number: str, article: LocatedProvision | None) -> list[_CitationPart]:
    if number == _ANNEX_ID:
        return [_CitationPart(pt="anexo", zh="附表")]
    if number == _APPROVAL_ID:
        sole = article is not None and article.provision.unit is Unit.SOLE_ARTICLE
        return [_CitationPart(pt="artigo único", zh="獨一條")] if sole else []
    return [_CitationPart(pt=f"artigo {number}.º", zh=f"第{chinese_number(int(number))}條")]


def _unit_part(provision: Provision) -> _CitationPart:  # noqa: C901, PLR0911 - one case for each unit of the law
    last = provision.id.rsplit("/", 1)[-1]
    pt = (provision.label.pt if provision.label else None) or last
    zh = (provision.label.zh if provision.label else None) or last
    zh_mark = zh.rstrip(".、")
    match provision.unit:
        case Unit.ARTICLE:
            return _CitationPart(pt=f"artigo {last}.º", zh=f"第{chinese_number(int(last))}條")
        case Unit.NUMBER | Unit.POINT:
            return _CitationPart(pt=f"n.º {last}", zh=f"第{chinese_number(int(last))}款")
        case Unit.ALINEA:
            return _CitationPart(pt=f"alínea {pt}", zh=_zh_item(zh_mark, "項"), of="da")
        case Unit.SUBALINEA:
            return _CitationPart(
                pt=f"subalínea {pt.rstrip('.')}", zh=_zh_item(zh_mark, "分項"), of="da"
            )
        case Unit.MODALITY:
            return _CitationPart(pt=f"Modalidade {last.upper()}", zh=f"{last.upper()}項", of="da")
        case Unit.ITEM:
            return _CitationPart(pt=f"ponto {pt}", zh=f"{zh}點")
        case Unit.NOTE:
            return _CitationPart(pt="nota", zh="註", of="da")
        case Unit.SENTENCE:
            number = int(last.removeprefix("par-"))
            return _CitationPart(
                pt=f"{number}.ª parte", zh=f"第{chinese_number(number)}部分", of="da"
            )
        case Unit.TABLE_HEAD:
            return _CitationPart(pt="cabeçalho do quadro", zh="表首")
        case Unit.ROW:
            return _CitationPart(
                pt=f"linha {last} do quadro", zh=f"表第{chinese_number(int(last))}行", of="da"
            )
        case Unit.RANK:
            return _CitationPart(pt=f"n.º {last}", zh=f"第{last}項")
        case _:
            return _paragraph_part(last)


def _paragraph_part(last: str) -> _CitationPart:
    match = _PARAGRAPH.fullmatch(last)
    if match:
        number = int(match[1])
        return _CitationPart(pt=f"parágrafo {number}.º", zh=f"第{chinese_number(number)}段")
    return _CitationPart(pt="parágrafo final", zh="末段")


def _zh_item(label: str, unit: str) -> str:
    return f"第{label}{unit}" if label.isdigit() else f"{label}{unit}"


def _has_sub_units(law: Law, located: LocatedProvision) -> bool:
    prefix = f"{located.provision.id}/"
    return any(
        candidate.article is located.article
        and candidate.provision.id.startswith(prefix)
        and candidate.provision.unit in _ENUMERATED_UNITS
        for candidate in law.provisions.values()
    )


def chinese_number(number: int) -> str:
    """Return `number`, below one hundred, in Chinese numerals."""
    tens, units = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else f"{_ZH_DIGITS[tens]}十"
    return head + (_ZH_DIGITS[units] if units or not tens else "")


def referred_provisions(law: Law, located: LocatedProvision) -> list[str]:
    """Return the provisions to which the words of a provision refer, with all of their parts."""
    text = located.provision.text.pt or ""
    # The id of a provision within its instrument begins with its article.
    names = [
        *_parts_referred_to(text, located),
        *_numbers_referred_to(_PARTS.sub("", text), located),
        *_provisions_before(law, text, located),
    ]
    known = [
        other.id
        for name in dict.fromkeys(names)
        for other in law.provisions.values()
        if other.instrument.id == located.instrument.id
        and (other.provision.id == name or other.provision.id.startswith(name + _SEPARATOR))
    ]
    return [name for name in dict.fromkeys(known) if name != located.id]


def _numbers_referred_to(text: str, located: LocatedProvision) -> Iterator[str]:
    for found in _NUMBERS.finditer(text):
        for number in re.findall(r"\d+", found[1]):
            yield f"{located.article.article.article}{_SEPARATOR}{number}"


def _parts_referred_to(text: str, located: LocatedProvision) -> Iterator[str]:
    for found in _PARTS.finditer(text):
        first, joint, last, number, article = found.groups()
        own = located.article.article.article
        whole = article if article is not None else f"{own}{_SEPARATOR}{number}"
        labels = [first] if last is None else [first, last]
        if joint == "a" and first.isdecimal() and last.isdecimal():
            labels = [str(label) for label in range(int(first), int(last) + 1)]
        yield from (f"{whole}{_SEPARATOR}{label}" for label in labels)


def _provisions_before(law: Law, text: str, located: LocatedProvision) -> Iterator[str]:
    """Yield the siblings that stand before a provision, if its words refer to them."""
    found = _BEFORE.search(text)
    parent, _, _ = located.provision.id.rpartition(_SEPARATOR)
    if found is None or not parent:
        return
    siblings = [
        other.provision.id
        for other in law.provisions.values()
        if other.instrument.id == located.instrument.id
        and other.provision.id.rpartition(_SEPARATOR)[0] == parent
    ]
    before = siblings[: siblings.index(located.provision.id)]
    yield from before if found[1] == "anteriores" else before[-1:]


def find_cited(law: Law, cited: str) -> list[LocatedProvision]:
    """Return the provisions that `cited` names, in the order of the law; none if it names none."""
    if cited in law.provisions:
        return [law.provisions[cited]]
    flat = flatten_citation(cited)
    exact = [
        located for located in law.provisions.values() if flat in _flat_citations(law, located)
    ]
    if exact:
        return exact
    return [
        located
        for folder in law.folders
        if (rest := name_instrument(flat, folder.instrument)) is not None
        for located in _under_marks(law, folder.instrument, rest)
    ]


def flatten_citation(text: str) -> str:
    """Return a citation without case, width and repeated spaces."""
    plain = unicodedata.normalize("NFKC", text.translate(_ORDINALS))
    return " ".join(plain.casefold().split())


def _flat_citations(law: Law, located: LocatedProvision) -> set[str]:
    citation = cite(law, located)
    return {flatten_citation(citation.pt_full), flatten_citation(citation.zh_full)}


def name_instrument(flat: str, instrument: Instrument) -> str | None:
    """Return what a citation says beside `instrument`; nothing if it does not name it."""
    number = instrument.number
    for name in (instrument.id, number.replace("-", "/"), number, instrument.game):
        before, found, after = flat.partition(flatten_citation(name))
        # 2/2009 is no part of 12/2009.
        if found and not (before[-1:].isalnum() or after[:1].isalnum()):
            return f"{before} {after}"
    return None


def _under_marks(law: Law, instrument: Instrument, text: str) -> list[LocatedProvision]:
    """Return the provisions of an instrument whose ids begin with the marks in `text`."""
    marks = [
        _ANNEX_WORDS.get(mark, mark)
        for mark in _CITED_MARK.findall(text)
        if mark in _ANNEX_WORDS or mark not in _UNIT_WORDS
    ]
    return [
        located
        for located in law.provisions.values()
        if located.instrument is instrument
        and located.provision.id.split("/")[: len(marks)] == marks
    ]
