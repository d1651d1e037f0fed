"""The summary for a terminal, and the same as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.dossier import DocumentKind
from selo.text.message_catalogue import say
from selo.text.number_format import written
from selo.text.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.report.model.report_model import Report, Sheet

#: A line and how it looks, where there are colours.
Line = tuple[str, str]

_STYLES: Final = {
    "conforms": "bold green",
    "witnessed": "green",
    "violates": "bold red",
    "inconclusive": "yellow",
    "not-examined": "dim",
    "to-be-witnessed": "cyan",
    "not-fully-verified": "yellow",
    "open": "yellow",
    "protocol": "yellow",
}
#: More than this many of anything belong in the other formats.
MOST: Final = 20
_NAME: Final = 200
_SAID: Final = 400


def as_text(report: Report, language: str) -> bytes:
    """Return the summary as plain text."""
    return ("\n".join(line for line, _ in lines(report, language)) + "\n").encode()


def lines(report: Report, language: str) -> Iterator[Line]:
    """Yield the summary: what it is, the verdict, the item, the law, results, what is missing."""
    yield from _head(report, language)
    yield from _law(report, language)
    yield from _results(report, language)
    yield from _findings(report, language)
    yield from _points(report, language)
    yield from _foot(report, language)


def _said(key: str, language: str, **slots: object) -> str:
    return say(f"report.terminal.{key}", language, **slots)


def _head(report: Report, language: str) -> Iterator[Line]:
    if report.demonstration:
        yield say("report.limit.demonstration", language), "bold magenta"
    kind = say(f"report.kind.{report.kind}", language)
    yield f"{kind} {visible(report.number, _NAME)}", "bold"
    if report.statement is not None:
        yield report.statement.verdict.get(language), _STYLES[report.overall]
    item = report.item
    product = " · ".join(visible(one, _NAME) for one in (item.vendor, item.product, item.version))
    yield product, ""
    days = report.dates
    files = _said("files", language, count=len(item.files))
    tested = _said("dates", language, first=days.first_day, last=days.last_day)
    yield f"{files}, {tested}", "dim"


def _law(report: Report, language: str) -> Iterator[Line]:
    yield "", ""
    for norm in report.norms:
        cited = norm.citation.get("zh" if language == "zh" else "pt") or norm.instrument
        good = norm.standing == "in-force" and norm.certain
        yield f"{norm.name.get(language)} — {cited}", ""
        yield f"    {norm.status.get(language)}", "dim" if good else "yellow"


def _results(report: Report, language: str) -> Iterator[Line]:
    yield "", ""
    for game in report.games:
        counts = ", ".join(
            f"{count} {say(f'verdict.{name}', language)}"
            for name, count in game.counts.items()
            if count
        )
        verdict = say(f"verdict.{game.overall}", language)
        yield f"{game.name.get(language)}: {verdict}", _STYLES[game.overall]
        yield f"    {counts}", "dim"
    if report.outside is not None:
        yield say("examine.asked", language, count=len(report.method.provisions)), ""
        yield from _verdicts(report, report.method.provisions, language)
        if report.outside.provisions:
            count = len(report.outside.provisions)
            yield say("examine.outside", language, count=count), "bold"
            yield from _verdicts(report, report.outside.provisions, language)
    for one in report.not_offered:
        told = ", ".join(thing.get(language) for thing in one.things)
        what = told or say("document.item.no-game", language)
        name = one.name.get(language)
        yield f"{name}: {_said('not-offered', language, what=what)}", "dim"


def _verdicts(report: Report, named: Sequence[str], language: str) -> Iterator[Line]:
    for provision in report.provisions:
        if provision.id in named:
            cited = provision.citation.get("zh" if language == "zh" else "pt") or ""
            verdict = say(f"verdict.{provision.result}", language)
            yield f"    {verdict}  {provision.id}  {cited}".rstrip(), _STYLES[provision.result]


def _findings(report: Report, language: str) -> Iterator[Line]:
    apart = [] if report.outside is None else report.outside.findings
    for finding in sorted(report.findings, key=lambda finding: finding.id in apart)[:MOST]:
        yield "", ""
        yield from _finding(finding, language, report.item.currency, apart=finding.id in apart)
    if len(report.findings) > MOST:
        hidden = len(report.findings) - MOST
        yield say("examine.more-findings", language, count=hidden), "dim"
    for fault in report.faults[:MOST]:
        yield f"✗ {visible(fault['told'], _SAID)}", "red"


def _finding(one: Sheet, language: str, currency: str, *, apart: bool) -> Iterator[Line]:
    style = _STYLES[one.verdict]
    kind = say(f"finding.{one.verdict}", language)
    yield f"{one.id}  {kind}  {visible(one.title.get(language), _SAID)}  ×{one.times:,}", style
    if apart:
        yield "  " + say("document.finding.outside", language), "bold"
    for name in one.provisions:
        ground = next((law for law in one.law if law.provision == name), None)
        cited = "" if ground is None else ground.citation.get("zh" if language == "zh" else "pt")
        yield f"  ▶ {name}  {cited or ''}".rstrip(), ""
    yield "  " + say("trial.law", language, expected=visible(one.required.get(language), _SAID)), ""
    yield "  " + say("trial.vendor", language, observed=visible(one.seen.get(language), _SAID)), ""
    yield f"  {one.difference.get(language)}", ""
    if one.per_million is not None:
        cost = written(f"{currency} {one.per_million}", language)
        yield "  " + say(f"document.finding.per-million.{one.basis}", language, money=cost), ""
    yield f"  $ {one.replay}", "cyan"


def _points(report: Report, language: str) -> Iterator[Line]:
    for open_point in report.open_points[:MOST]:
        if open_point.ruled is None:
            follows = open_point.follows or "–"
            yield "", ""
            yield f"? {open_point.divergence}: {open_point.question.get(language)}", "yellow"
            slots = {"reading": follows, "times": open_point.times, "cases": open_point.cases}
            yield "  " + _said("follows", language, **slots), "dim"


def _foot(report: Report, language: str) -> Iterator[Line]:
    yield "", ""
    if report.missing and report.kind is not DocumentKind.CERTIFICATE:
        yield _said("missing", language, count=len(report.missing)), "dim"
    cases = f"{report.evidence.cases:,}"
    yield _said("tried", language, cases=cases, rounds=f"{report.evidence.rounds:,}"), "dim"
    yield _said("root", language, root=report.evidence.root), "dim"
