"""Case sheets with pictures as the pages print them, and the plot of findings by article."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.report.pdf.sections import citation_of, say_side_by_side
from selo.report.svg import Picture, draw_pictures, plots
from selo.text import LAW_LANGUAGES, Words, say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from selo.report.model.report_model import CaseSheet, GroundRecord, Report

_VERDICT_COLOURS: Final = {
    "violates": ("#a8231b", "#fff"),
    "open": ("#d9a336", "#16181d"),
    "protocol": ("#8c93a0", "#fff"),
}
#: A plot of fewer findings would show no more than the table.
_MIN_PLOTTED: Final = 4
_MAX_PLOTTED: Final = 30
#: The maximum of provisions quoted in full on a sheet; the others are only cited.
_MAX_QUOTED: Final = 3
#: The same of provisions to which those refer.
_MAX_REFERRED: Final = 6
_MAX_ACTS: Final = 16
_MAX_ACT: Final = 160
#: A sheet that quotes more text may be broken between pages.
_LONG_SHEET: Final = 2200


@dataclass(frozen=True, kw_only=True, slots=True)
class SheetLayout:
    """A case sheet as it is printed."""

    finding: CaseSheet
    mark: str
    pictures: list[Picture]
    quoted: list[GroundRecord]
    named: list[GroundRecord]
    cause: Words | None
    asked: list[Words]
    acts: list[Words]
    acts_left: int
    #: The bets with their places, in the order in which they were sent.
    bets: list[tuple[int, Words]]
    bets_left: int
    long: bool


def sheets_of(report: Report, languages: Sequence[str], most: int) -> list[SheetLayout]:
    """Return the first findings as sheets."""
    return [_sheet_page(finding, languages) for finding in report.findings[:most]]


def _sheet_page(sheet: CaseSheet, languages: Sequence[str]) -> SheetLayout:
    broken = [ground for ground in sheet.law if ground.provision in sheet.provisions]
    referred = [ground for ground in sheet.law if ground.is_referred_to and ground not in broken]
    quoted = [*(broken or sheet.law)[:_MAX_QUOTED], *referred[:_MAX_REFERRED]]
    length = sum(
        len(ground.text.get(language) or "") for ground in quoted for language in LAW_LANGUAGES
    )
    return SheetLayout(
        finding=sheet,
        mark=f"{sheet.id} · {escape_unseen(sheet.title.get(languages[0]), 80)}",
        pictures=draw_pictures(
            sheet.params, languages, shown=sheet.shown, observed=sheet.observed, pieces=sheet.pieces
        ),
        quoted=quoted,
        named=[ground for ground in sheet.law if ground not in quoted],
        cause=sheet.misread,
        asked=[_truncate_act(fact) for fact in sheet.asked],
        acts=[_truncate_act(act) for act in sheet.acts[:_MAX_ACTS]],
        acts_left=max(0, len(sheet.params.get("acts", [])) - _MAX_ACTS),
        bets=_shown_bets(sheet),
        bets_left=max(0, len(sheet.bets) - len(_shown_bets(sheet))),
        long=length > _LONG_SHEET,
    )


def _shown_bets(sheet: CaseSheet) -> list[tuple[int, Words]]:
    """Return the first bets with their places, and the judged one."""
    return [
        (at, _truncate_act(bet))
        for at, bet in enumerate(sheet.bets)
        if at < _MAX_ACTS or at == sheet.bet
    ]


def number_bet(at: int, bet: Words, mark: str) -> Words:
    """Return a bet after its number, marked if it is the one judged."""
    return Words(
        **{
            language: f"{mark} {at + 1}. {bet.get(language)}".strip()
            for language in ("pt", "zh", "en")
        }
    )


def _truncate_act(act: Words) -> Words:
    pt, zh, en = (escape_unseen(text, _MAX_ACT) for text in (act.pt, act.zh, act.en))
    return Words(pt=pt, zh=zh, en=en)


def draw_findings_plot(report: Report, languages: Sequence[str]) -> Markup | None:
    """Return a plot of the findings by article, if there are enough of them."""
    if len(report.findings) < _MIN_PLOTTED:
        return None
    names = {
        (article.instrument, article.number): citation_of(article) for article in report.articles
    }
    games = {game.instrument: game.name.get(languages[0]) for game in report.games}
    where = {
        provision.id: (provision.instrument, provision.article) for provision in report.provisions
    }
    counted: dict[tuple[str, str], Counter[str]] = {}
    for finding in report.findings:
        for place in {where[name] for name in finding.provisions if name in where}:
            counted.setdefault(place, Counter())[finding.verdict] += 1
    most = sorted(counted.items(), key=lambda entry: (-entry[1].total(), entry[0]))[:_MAX_PLOTTED]
    if not most:
        return None
    lines = [
        plots.BarRow(
            name=_place_name(place, names, games if len(report.games) > 1 else {}),
            counts=tuple(counts[verdict] for verdict in _VERDICT_COLOURS),
        )
        for place, counts in most
    ]
    shades = [
        plots.Shade(
            name=say_side_by_side(f"document.finding.{verdict}", languages), fill=fill, ink=ink
        )
        for verdict, (fill, ink) in _VERDICT_COLOURS.items()
    ]
    description = "; ".join(f"{line.name} {sum(line.counts)}" for line in lines)
    title = say("document.finding.distribution.alt", languages[0], shown=description)
    return plots.draw_bars(lines, shades, title=title)


def _place_name(
    place: tuple[str, str], names: Mapping[tuple[str, str], str], games: Mapping[str, str]
) -> str:
    game = games.get(place[0])
    return " ".join(name for name in (game, names.get(place)) if name)
