"""Citations as in the gazette, and references in the words of a provision to others.

A citation names the smallest unit first in Portuguese, the largest first in Chinese. References are
read from the Portuguese text:

1. «n.º 2», «n.ºs 6, 7 e 8»: numbers of the same article.
2. «alíneas 1) a 3) do n.º 1», «alíneas 1) e 2) do artigo 9.º»: parts of a number or of an article.
3. «número anterior», «números anteriores», «alíneas anteriores»: what stands before it.

A whole article that is referred to is not among them: it would be quoted without need.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Unit
from selo.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.law.files.provision_file import Provision
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
        act = instrument.citation
        of = "do" if (act.pt or "").startswith("Despacho") else "da"
        return Citation(pt=pt, zh=zh, pt_full=f"{pt} {of} {act.pt}", zh_full=f"{act.zh}{zh}")
    regulation = instrument.regulation
    return Citation(
        pt=pt, zh=zh, pt_full=f"{pt} do {regulation.pt}", zh_full=f"{regulation.zh}{zh}"
    )


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
            parts.append(_unit_part(ancestor.provision))
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
