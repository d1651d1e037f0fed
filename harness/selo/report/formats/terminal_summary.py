"""The summary of a report for a terminal, also as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.report.model.dossier import DocumentKind
from selo.report.phrases.summary_phrases import describe_findings_sum, describe_totals
from selo.text import say
from selo.text.message_catalogue import label_value
from selo.text.number_format import format_number
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.report.model.report_model import CaseSheet, OpenPoint, Report

#: A line and its style on a terminal with colours.
StyledLine = tuple[str, str]

_STYLES: Final = {
    "conforms": "bold green",
    "witnessed": "green",
    "violates": "bold red",
    "inconclusive": "yellow",
    "not-examined": "dim",
    "not-law": "yellow",
    "to-be-witnessed": "cyan",
    "not-fully-verified": "yellow",
    "open": "yellow",
    "protocol": "yellow",
}
#: The maximum of findings, faults and open points; the other formats have all of them.
MAX_ITEMS: Final = 20
_MAX_NAME: Final = 200
_MAX_TEXT: Final = 400
_MAX_NOTE: Final = 1200


def render_text(report: Report, language: str) -> bytes:
    """Return the summary as plain text."""
    return ("\n".join(line for line, _ in render_summary(report, language)) + "\n").encode()


def render_summary(report: Report, language: str) -> Iterator[StyledLine]:
    """Yield the summary: kind, verdict, item, law, results, findings, open points, evidence."""
    yield from _head(report, language)
    yield from _law(report, language)
    yield from _results(report, language)
    yield from _findings(report, language)
    yield from _points(report, language)
    yield from _foot(report, language)


def _say_terminal(key: str, language: str, **slots: object) -> str:
    return say(f"report.terminal.{key}", language, **slots)


def _head(report: Report, language: str) -> Iterator[StyledLine]:
    if report.demonstration:
        yield say("report.limit.demonstration", language), "bold magenta"
    kind = say(f"report.kind.{report.kind}", language)
    yield f"{kind} {escape_unseen(report.number, _MAX_NAME)}", "bold"
    if report.statement is not None:
        yield report.statement.verdict.get(language), _STYLES[report.overall]
    item = report.item
    product = " · ".join(
        escape_unseen(text, _MAX_NAME) for text in (item.vendor, item.product, item.version)
    )
    yield product, ""
    days = report.dates
    files = _say_terminal("files", language, count=len(item.files))
    tested = _say_terminal("dates", language, first=days.first_day, last=days.last_day)
    yield f"{files}, {tested}", "dim"


def _law(report: Report, language: str) -> Iterator[StyledLine]:
    yield "", ""
    for norm in report.norms:
        cited = norm.citation.get("zh" if language == "zh" else "pt") or norm.instrument
        yield f"{norm.name.get(language)} — {cited}", ""
        yield f"    {norm.status.get(language)}", "dim" if norm.is_law else "yellow"
    if report.method.text_as_stored and not all(norm.is_law for norm in report.norms):
        yield say("document.first.as-stored", language, day=report.method.as_of), "bold yellow"


def _results(report: Report, language: str) -> Iterator[StyledLine]:
    yield "", ""
    for game in report.games:
        counts = ", ".join(
            f"{count} {say(f'verdict.{name}', language)}"
            for name, count in game.counts.items()
            if count
        )
        verdict = say(f"verdict.{game.overall}", language)
        yield label_value(game.name.get(language), verdict, language), _STYLES[game.overall]
        yield f"    {counts}", "dim"
    yield describe_totals(report.counts, report.aside).get(language), "bold"
    if report.outside is not None:
        yield say("examine.asked", language, count=len(report.method.provisions)), ""
        yield from _verdicts(report, report.method.provisions, language)
        if report.outside.provisions:
            count = len(report.outside.provisions)
            yield say("examine.outside", language, count=count), "bold"
            yield from _verdicts(report, report.outside.provisions, language)
    for missing in report.not_offered:
        things = ", ".join(thing.get(language) for thing in missing.things)
        what = things or say("document.item.no-game", language)
        name = missing.name.get(language)
        yield label_value(name, _say_terminal("not-offered", language, what=what), language), "dim"


def _verdicts(report: Report, named: Sequence[str], language: str) -> Iterator[StyledLine]:
    for provision in report.provisions:
        if provision.id in named:
            cited = provision.citation.get("zh" if language == "zh" else "pt") or ""
            verdict = say(f"verdict.{provision.result}", language)
            yield f"    {verdict}  {provision.id}  {cited}".rstrip(), _STYLES[provision.result]


def _findings(report: Report, language: str) -> Iterator[StyledLine]:
    outside = [] if report.outside is None else report.outside.findings
    if report.findings:
        yield "", ""
        yield describe_findings_sum(report.findings, report.item.currency).get(language), "bold"
    for finding in sorted(report.findings, key=lambda finding: finding.id in outside)[:MAX_ITEMS]:
        yield "", ""
        yield from _finding(finding, language, report.item.currency, outside=finding.id in outside)
    if len(report.findings) > MAX_ITEMS:
        hidden = len(report.findings) - MAX_ITEMS
        yield say("examine.more-findings", language, count=hidden), "dim"
    for fault in report.faults[:MAX_ITEMS]:
        yield f"✗ {escape_unseen(fault['told'], _MAX_TEXT)}", "red"


def _finding(
    sheet: CaseSheet, language: str, currency: str, *, outside: bool
) -> Iterator[StyledLine]:
    kind = say(f"finding.{sheet.label}", language)
    title, required, seen = (
        escape_unseen(text.get(language), _MAX_TEXT)
        for text in (sheet.title, sheet.required, sheet.seen)
    )
    yield f"{sheet.id}  {kind}  {title}  ×{sheet.times:,}", _STYLES[sheet.verdict]
    if outside:
        yield "  " + say("document.finding.outside", language), "bold"
    for name in sheet.provisions:
        ground = next((law for law in sheet.law if law.provision == name), None)
        cited = "" if ground is None else ground.citation.get("zh" if language == "zh" else "pt")
        yield f"  ▶ {name}  {cited or ''}".rstrip(), ""
    for fact in sheet.asked:
        yield f"  {escape_unseen(fact.get(language), _MAX_TEXT)}", ""
    for line in render_bets(sheet, language):
        yield f"  {escape_unseen(line, _MAX_TEXT)}", ""
    yield "  " + say("trial.law", language, expected=required), ""
    yield "  " + say("trial.vendor", language, observed=seen), ""
    yield f"  {sheet.difference.get(language)}", ""
    if sheet.per_million is not None:
        cost = format_number(f"{currency} {sheet.per_million}", language)
        yield "  " + say(f"document.finding.per-million.{sheet.basis}", language, money=cost), ""
    if sheet.edge is not None:
        yield f"  {sheet.edge.get(language)}", ""
    for note in sheet.notes:
        yield f"  {escape_unseen(note.get(language), _MAX_NOTE)}", "yellow"
    if sheet.where is not None:
        yield from ((f"  {line}", "dim") for line in sheet.where.get(language).splitlines())
    yield f"  $ {sheet.replay}", "cyan"


def render_bets(sheet: CaseSheet, language: str) -> Iterator[str]:
    """Yield the bets of a case in the order in which they were sent, the judged one marked."""
    for at, bet in enumerate(sheet.bets):
        yield f"{'▶' if at == sheet.bet else ' '} {at + 1}. {bet.get(language)}"


def _points(report: Report, language: str) -> Iterator[StyledLine]:
    for open_point in report.open_points[:MAX_ITEMS]:
        if open_point.ruled is None:
            follows = _name_reading(open_point, open_point.follows or "–", language)
            yield "", ""
            asked = open_point.question.get(language)
            yield f"? {label_value(open_point.divergence, asked, language)}", "yellow"
            slots = {"reading": follows, "times": open_point.times, "cases": open_point.cases}
            yield "  " + _say_terminal("follows", language, **slots), "dim"
            for row in open_point.under:
                slots = {"count": len(row.provisions), "provision": row.provisions[0]}
                for reading, result in row.by_reading.items():
                    slots["result"] = say(f"verdict.{result}", language)
                    if reading is None:
                        yield "  " + _say_terminal("under-all", language, **slots), "dim"
                        continue
                    slots["reading"] = _name_reading(open_point, reading, language)
                    yield "  " + _say_terminal("under", language, **slots), "dim"
    for recorded in report.method.recorded:
        yield recorded.describe(language), "yellow"


def _name_reading(open_point: OpenPoint, reading: str, language: str) -> str:
    """Return the id of a reading in English, which is typed, and what it says elsewhere."""
    said = open_point.readings.get(reading)
    return reading if said is None or language == "en" else said.get(language).rstrip(".。")


def _foot(report: Report, language: str) -> Iterator[StyledLine]:
    yield "", ""
    if report.missing and report.kind is not DocumentKind.CERTIFICATE:
        yield _say_terminal("missing", language, count=len(report.missing)), "dim"
    cases = f"{report.evidence.cases:,}"
    yield _say_terminal("tried", language, cases=cases, rounds=f"{report.evidence.rounds:,}"), "dim"
    yield _say_terminal("root", language, root=report.evidence.root), "dim"
