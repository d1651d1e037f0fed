"""How the gazette cites: smallest unit first in Portuguese, largest first in Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.law.files.provision_file import Unit
from selo.text.multilingual import Text

if TYPE_CHECKING:
    from selo.law.files.provision_file import Provision
    from selo.law.loader import Law, LocatedProvision

_ZH_SIGNS = "零一二三四五六七八九"
_PARAGRAPH = re.compile(r"par-(\d+)")
#: Sub-units that make what stands before them a chapeau; a note or a further paragraph does not.
_ENUMERATED = frozenset(
    {Unit.NUMBER, Unit.ALINEA, Unit.SUBALINEA, Unit.MODALITY, Unit.ITEM, Unit.ROW, Unit.RANK}
)
_ANNEX = "annex"
_APPROVAL = "approval"


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """The forms in which a provision is cited, within its instrument and with it."""

    pt: str
    zh: str
    pt_full: str
    zh_full: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    pt: str
    zh: str
    #: The article that joins this part to a smaller one: «do» or «da».
    of: str = "do"


def cite(law: Law, held: LocatedProvision) -> Citation:
    """Return how `held` is cited."""
    parts = _parts(law, held)
    pt = parts[-1].pt
    for part in reversed(parts[:-1]):
        pt += f" {part.of} {part.pt}"
    zh = "".join(part.zh for part in parts)
    if _has_sub_units(law, held):
        pt = f"corpo {parts[-1].of} {pt}"
        zh = f"{zh}主文"
    instrument = held.instrument
    if held.article.article.article == _APPROVAL:
        act = instrument.citation
        of = "do" if (act.pt or "").startswith("Despacho") else "da"
        return Citation(pt=pt, zh=zh, pt_full=f"{pt} {of} {act.pt}", zh_full=f"{act.zh}{zh}")
    regulation = instrument.regulation
    return Citation(
        pt=pt, zh=zh, pt_full=f"{pt} do {regulation.pt}", zh_full=f"{regulation.zh}{zh}"
    )


def cited_article(number: str) -> Text:
    """Return how a whole article, or the annex, is cited."""
    (part,) = _article(number, None)
    return Text(pt=part.pt, zh=part.zh)


def _parts(law: Law, held: LocatedProvision) -> list[_Part]:
    steps = held.provision.id.split("/")
    parts = []
    for depth in range(1, len(steps) + 1):
        found = law.provisions.get(f"{held.instrument.id}/{'/'.join(steps[:depth])}")
        if depth == 1:
            parts += _article(steps[0], found)
        elif found is not None:
            parts.append(_unit(found.provision))
    return parts


def _article(number: str, found: LocatedProvision | None) -> list[_Part]:
    if number == _ANNEX:
        return [_Part(pt="anexo", zh="附表")]
    if number == _APPROVAL:
        sole = found is not None and found.provision.unit is Unit.SOLE_ARTICLE
        return [_Part(pt="artigo único", zh="獨一條")] if sole else []
    return [_Part(pt=f"artigo {number}.º", zh=f"第{chinese_number(int(number))}條")]


def _unit(provision: Provision) -> _Part:  # noqa: C901, PLR0911 - one case for each unit of the law
    last = provision.id.rsplit("/", 1)[-1]
    pt = (provision.label.pt if provision.label else None) or last
    zh = (provision.label.zh if provision.label else None) or last
    bare = zh.rstrip(".、")
    match provision.unit:
        case Unit.ARTICLE:
            return _Part(pt=f"artigo {last}.º", zh=f"第{chinese_number(int(last))}條")
        case Unit.NUMBER | Unit.POINT:
            return _Part(pt=f"n.º {last}", zh=f"第{chinese_number(int(last))}款")
        case Unit.ALINEA:
            return _Part(pt=f"alínea {pt}", zh=_zh_item(bare, "項"), of="da")
        case Unit.SUBALINEA:
            return _Part(pt=f"subalínea {pt.rstrip('.')}", zh=_zh_item(bare, "分項"), of="da")
        case Unit.MODALITY:
            return _Part(pt=f"Modalidade {last.upper()}", zh=f"{last.upper()}項", of="da")
        case Unit.ITEM:
            return _Part(pt=f"ponto {pt}", zh=f"{zh}點")
        case Unit.NOTE:
            return _Part(pt="nota", zh="註", of="da")
        case Unit.SENTENCE:
            number = int(last.removeprefix("par-"))
            return _Part(pt=f"{number}.ª parte", zh=f"第{chinese_number(number)}部分", of="da")
        case Unit.TABLE_HEAD:
            return _Part(pt="cabeçalho do quadro", zh="表首")
        case Unit.ROW:
            return _Part(
                pt=f"linha {last} do quadro", zh=f"表第{chinese_number(int(last))}行", of="da"
            )
        case Unit.RANK:
            return _Part(pt=f"n.º {last}", zh=f"第{last}項")
        case _:
            return _paragraph(last)


def _paragraph(last: str) -> _Part:
    numbered = _PARAGRAPH.fullmatch(last)
    if numbered:
        number = int(numbered[1])
        return _Part(pt=f"parágrafo {number}.º", zh=f"第{chinese_number(number)}段")
    return _Part(pt="parágrafo final", zh="末段")


def _zh_item(label: str, unit: str) -> str:
    return f"第{label}{unit}" if label.isdigit() else f"{label}{unit}"


def _has_sub_units(law: Law, held: LocatedProvision) -> bool:
    own = f"{held.provision.id}/"
    return any(
        other.article is held.article
        and other.provision.id.startswith(own)
        and other.provision.unit in _ENUMERATED
        for other in law.provisions.values()
    )


def chinese_number(number: int) -> str:
    """Return `number`, below one hundred, as Chinese articles are numbered."""
    tens, units = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else f"{_ZH_SIGNS[tens]}十"
    return head + (_ZH_SIGNS[units] if units or not tens else "")
