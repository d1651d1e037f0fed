"""Findings as the pages need them: case sheets with their pictures, and how they lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.report.pdf.sections import cited, joined
from selo.report.svg import Picture, pictures, plots
from selo.text.message_catalogue import say
from selo.text.multilingual import LAW_LANGUAGES, Words
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from selo.report.model.report_model import GroundRecord, Report, Sheet

_FINDINGS: Final = {
    "violates": ("#a8231b", "#fff"),
    "open": ("#d9a336", "#16181d"),
    "protocol": ("#8c93a0", "#fff"),
}
#: With fewer findings than this, a table of them would say as much as a plot.
_FEWEST_PLOTTED: Final = 4
_MOST_PLOTTED: Final = 30
#: Provisions quoted in full on a sheet; the others are named.
_MOST_QUOTED: Final = 3
_MOST_ACTS: Final = 16
_MOST_REQUEST: Final = 900
_MOST_ACT: Final = 160
#: A sheet with so much to say may be broken between pages.
_LONG: Final = 2200
_SELDOM_SAID: Final = frozenset({"group", "name", "reason", "provisions", "game"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSheet:
    """A finding with its pictures, and what of it is told in full."""

    finding: Sheet
    mark: str
    pictures: list[Picture]
    quoted: list[GroundRecord]
    named: list[GroundRecord]
    cause: Words | None
    request: str
    acts: list[Words]
    acts_left: int
    long: bool


def sheets_of(report: Report, languages: Sequence[str], most: int) -> list[CaseSheet]:
    """Return the first findings as sheets."""
    return [_sheet(finding, languages) for finding in report.findings[:most]]


def _sheet(one: Sheet, languages: Sequence[str]) -> CaseSheet:
    broken = [ground for ground in one.law if ground.provision in one.provisions]
    quoted = (broken or one.law)[:_MOST_QUOTED]
    request = visible(_plain(_asked(one.params)), _MOST_REQUEST)
    length = sum(
        len(ground.text.get(language) or "") for ground in quoted for language in LAW_LANGUAGES
    )
    return CaseSheet(
        finding=one,
        mark=f"{one.id} · {visible(one.title.get(languages[0]), 80)}",
        pictures=pictures(one.params, languages, shown=one.shown, observed=one.observed),
        quoted=quoted,
        named=[ground for ground in one.law if ground not in quoted],
        cause=one.misread,
        request=request,
        acts=[_cut(act) for act in one.acts[:_MOST_ACTS]],
        acts_left=max(0, len(one.params.get("acts", [])) - _MOST_ACTS),
        long=length > _LONG,
    )


def _cut(act: Words) -> Words:
    pt, zh, en = (visible(one, _MOST_ACT) for one in (act.pt, act.zh, act.en))
    return Words(pt=pt, zh=zh, en=en)


def _asked(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value and name not in _SELDOM_SAID}


def _plain(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def findings_plot(report: Report, languages: Sequence[str]) -> Markup | None:
    """Return how the findings lie over the articles, if there are enough to be looked at."""
    if len(report.findings) < _FEWEST_PLOTTED:
        return None
    names = {(article.instrument, article.number): cited(article) for article in report.articles}
    games = {game.instrument: game.name.get(languages[0]) for game in report.games}
    where = {
        provision.id: (provision.instrument, provision.article) for provision in report.provisions
    }
    counted: dict[tuple[str, str], Counter[str]] = {}
    for finding in report.findings:
        for place in {where[name] for name in finding.provisions if name in where}:
            counted.setdefault(place, Counter())[finding.verdict] += 1
    most = sorted(counted.items(), key=lambda one: (-one[1].total(), one[0]))[:_MOST_PLOTTED]
    if not most:
        return None
    lines = [
        plots.Bar(
            name=_placed(place, names, games if len(report.games) > 1 else {}),
            counts=tuple(counts[verdict] for verdict in _FINDINGS),
        )
        for place, counts in most
    ]
    shades = [
        plots.Shade(name=joined(f"document.finding.{verdict}", languages), fill=fill, ink=ink)
        for verdict, (fill, ink) in _FINDINGS.items()
    ]
    shown = "; ".join(f"{line.name} {sum(line.counts)}" for line in lines)
    title = say("document.finding.distribution.alt", languages[0], shown=shown)
    return plots.bars(lines, shades, title=title)


def _placed(
    place: tuple[str, str], names: Mapping[tuple[str, str], str], games: Mapping[str, str]
) -> str:
    game = games.get(place[0])
    return " ".join(one for one in (game, names.get(place)) if one)
