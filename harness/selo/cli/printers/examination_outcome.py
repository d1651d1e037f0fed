"""Prints the result of an examination: findings, verdicts by game, and the overall verdict."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from selo.cli.printers.chance_results import print_draws
from selo.cli.printers.finding_card import print_finding, sheet_writer
from selo.cli.printers.settlement_results import cite_provision
from selo.report.phrases import Labels
from selo.report.phrases.summary_phrases import describe_totals
from selo.text import say
from selo.text.message_catalogue import has_message, label_value
from selo.text.sanitize import escape_unseen
from selo.verdict import VerdictReason, missing_offer_phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from rich.console import Console

    from selo.examine.conclusion import ExaminationResult
    from selo.law import Law
    from selo.verdict import Verdict

_MARGIN: Final = "    "


def _print_requested(
    out: Console, law: Law, result: ExaminationResult, styles: Mapping[str, str], language: str
) -> None:
    """Print each requested provision, then other provisions with findings."""
    if result.outside is None:
        return
    verdicts = {provision.provision: provision for provision in result.summary.provisions}
    out.print(say("examine.asked", language, count=len(result.header.terms.provisions)))
    for name in result.header.terms.provisions:
        # A provision of a game that is not examined has no verdict.
        if name in verdicts:
            _print_verdict(out, law, verdicts[name], styles, language)
    if result.outside.provisions:
        count = len(result.outside.provisions)
        out.print(say("examine.outside", language, count=count), style="bold")
        for name in result.outside.provisions:
            _print_verdict(out, law, verdicts[name], styles, language)


def _print_verdict(
    out: Console, law: Law, verdict: Verdict, styles: Mapping[str, str], language: str
) -> None:
    text = say(f"verdict.{verdict.result}", language)
    out.print(
        f"{_MARGIN}{text}  {cite_provision(law, verdict.provision, language)}",
        style=styles[verdict.result],
    )
    reason = say(f"verdict.reason.{verdict.reason}", language)
    out.print(f"{_MARGIN}{_MARGIN}{reason}", style="dim")


_STYLES = {
    "conforms": "green",
    "witnessed": "green",
    "violates": "bold red",
    "inconclusive": "yellow",
    "not-examined": "dim",
    "not-law": "yellow",
    "to-be-witnessed": "cyan",
    "not-fully-verified": "yellow",
}
_MAX_FINDINGS = 20
#: Lines on what would be said under other readings.
_MAX_READINGS = 24
_MAX_VALUE_LENGTH = 400
_MAX_NAME_LENGTH = 120


def print_findings(
    out: Console, law: Law, result: ExaminationResult, language: str, *, folder: Path | None = None
) -> None:
    """Print findings as cards, with the command that replays each of those in `folder`."""
    sheets = sheet_writer(law, result.header.description.currency)
    apart = [] if result.outside is None else result.outside.findings
    for finding in [finding for finding in result.findings if finding.id not in apart][
        :_MAX_FINDINGS
    ]:
        print_finding(out, finding, language, folder=folder, sheets=sheets)
    if apart:
        out.print()
        out.print(say("examine.outside.findings", language, count=len(apart)), style="bold")
    for finding in [finding for finding in result.findings if finding.id in apart][:_MAX_FINDINGS]:
        print_finding(out, finding, language, folder=folder, sheets=sheets)
    requested = len(result.findings) - len(apart)
    hidden = sum(max(0, count - _MAX_FINDINGS) for count in (requested, len(apart)))
    if hidden > 0:
        out.print(say("examine.more-findings", language, count=hidden), style="dim")


def print_outcome(
    out: Console, law: Law, result: ExaminationResult, folder: Path, language: str
) -> None:
    """Print findings, verdicts by game, and the overall verdict."""
    print_findings(out, law, result, language, folder=folder)
    for fault in result.faults[:_MAX_FINDINGS]:
        out.print(f"✗ {escape_unseen(fault['told'], _MAX_VALUE_LENGTH)}", style="red")
        if fault.get("path"):
            path = escape_unseen(fault["path"], _MAX_NAME_LENGTH)
            out.print(f"{_MARGIN}{say('fault.at', language, path=path)}")
        hint = f"fault.{fault['kind']}.hint"
        if has_message(hint):
            out.print(f"{_MARGIN}{say('fault.hint', language, hint=say(hint, language))}")
    print_verdicts(out, law, result, language)
    out.print(say("examine.root", language, root=result.evidence_root, folder=folder), style="dim")
    if result.draws_root is not None:
        out.print(say("examine.draws-root", language, root=result.draws_root), style="dim")
    for hint in _next_steps(result, language):
        out.print(say("fault.hint", language, hint=hint), soft_wrap=True)


def print_verdicts(out: Console, law: Law, result: ExaminationResult, language: str) -> None:
    """Print tests of draws, the state of the texts, the verdicts by game, and the overall one."""
    out.print()
    labels = Labels(law)
    print_draws(out, result, labels, language)
    _print_texts(out, law, result, language)
    for game, whole in result.summary.games.items():
        text = say(f"verdict.{whole.overall}", language)
        counts = ", ".join(
            f"{count} {say(f'verdict.{name}', language)}"
            for name, count in whole.counts.items()
            if count
        )
        name = labels.game_in(game, language)
        out.print(label_value(name, text, language), style=_STYLES[whole.overall])
        out.print(f"    {counts}", style="dim")
        _print_not_offered(out, law, result, game, language)
    _print_requested(out, law, result, _STYLES, language)
    _print_readings(out, result, labels, language)
    for recorded in result.recorded:
        out.print(recorded.describe(language), style="yellow")
    out.print()
    print_overall(out, result, language)


def print_overall(out: Console, result: ExaminationResult, language: str) -> None:
    """Print the product, the overall verdict, and how many provisions it counts."""
    overall = result.summary.overall
    cases = sum(count.cases for count in result.counts)
    out.print(_subject(result, language))
    words = say(f"verdict.{result.summary.label}", language)
    out.print(
        say("examine.overall", language, verdict=words.upper(), cases=f"{cases:,}"),
        style=_STYLES[overall.overall],
    )
    out.print(describe_totals(overall.counts, overall.aside).get(language))


def _print_texts(out: Console, law: Law, result: ExaminationResult, language: str) -> None:
    """Print the status of each text on the day asked for, and how much of it is stored."""
    instruments = {folder.instrument.id: folder.instrument for folder in law.folders}
    for text in result.texts:
        instrument = instruments[text.instrument]
        cited = instrument.citation.get("zh" if language == "zh" else "pt")
        line = say("examine.text", language, law=cited, status=text.status.get(language))
        if text.as_stored:
            line = f"{line} {say('examine.text.as-stored', language)}"
        out.print(line, style="dim" if text.is_law else "yellow", soft_wrap=True)
        stored = sum(held.instrument is instrument for held in law.provisions.values())
        for missing in instrument.not_held:
            what = missing.part.get(language)
            out.print(_MARGIN + say("examine.stored", language, count=stored, what=what))


def _print_readings(out: Console, result: ExaminationResult, labels: Labels, language: str) -> None:
    """Print the verdict under each reading, of provisions on which readings of a point differ."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for verdict in result.summary.provisions:
        results: dict[str, set[str]] = {}
        for ruled in verdict.under:
            results.setdefault(ruled.divergence, set()).add(ruled.result)
        for ruled in verdict.under:
            # A ruling decides nothing where all readings give the same result.
            if len(results[ruled.divergence]) > 1:
                key = (ruled.divergence, ruled.reading, str(ruled.result))
                alike.setdefault(key, []).append(verdict.provision)
    last = ""
    for (divergence, reading, verdict_name), provisions in sorted(alike.items())[:_MAX_READINGS]:
        title, says = labels.reading(divergence, reading) or (None, None)
        if divergence != last:
            question = "" if title is None else title.get(language)
            out.print(f"? {label_value(divergence, question, language)}", style="yellow")
            last = divergence
        slots = {
            # The id in English, which is typed, and what it says elsewhere.
            "reading": reading
            if says is None or language == "en"
            else says.get(language).rstrip(".。"),
            "result": say(f"verdict.{verdict_name}", language),
            "provision": provisions[0],
            "count": len(provisions),
        }
        line = say("report.terminal.under", language, **slots)
        out.print(f"{_MARGIN}{line}", style="dim")
    if len(alike) > _MAX_READINGS:
        count = len(alike) - _MAX_READINGS
        out.print(f"{_MARGIN}{say('examine.more-readings', language, count=count)}", style="dim")


def _next_steps(result: ExaminationResult, language: str) -> Iterator[str]:
    """Yield hints at how to resolve open verdicts."""
    reasons = Counter(provision.reason for provision in result.summary.provisions)
    if unread := reasons[VerdictReason.READING_OPEN] + reasons[VerdictReason.READINGS_MIXED]:
        yield say("examine.next.readings", language, count=unread)
    if undated := reasons[VerdictReason.NOT_LAW] + reasons[VerdictReason.PERHAPS_NOT_LAW]:
        day = result.header.terms.as_of
        yield say("examine.next.text", language, count=undated, day=day)
    if unseen := reasons[VerdictReason.NOT_WITNESSED]:
        yield say("examine.next.witness", language, count=unseen)


def _print_not_offered(
    out: Console, law: Law, result: ExaminationResult, game: str, language: str
) -> None:
    """Print what the vendor does not offer of a game, and how many provisions that affects."""
    touched = [
        provision
        for provision in result.summary.provisions
        if provision.not_offered and law.find(provision.provision).instrument.game == game
    ]
    if touched:
        names = sorted({name for provision in touched for name in provision.not_offered})
        phrases = ", ".join(missing_offer_phrase(name, language) for name in names)
        words = say("examine.not-offered", language, count=len(touched), what=phrases)
        out.print(f"    {words}", style="dim")


def _subject(result: ExaminationResult, language: str) -> str:
    """Return the examined product as the vendor names it, with control characters escaped."""
    description = result.header.description
    return say(
        "examine.subject",
        language,
        product=escape_unseen(description.product.name, _MAX_NAME_LENGTH),
        version=escape_unseen(description.product.version, _MAX_NAME_LENGTH),
        vendor=escape_unseen(description.vendor.name, _MAX_NAME_LENGTH),
    )
