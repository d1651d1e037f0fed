"""Prints what an examination came to: findings first, then verdicts, then the whole."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from selo.cli.printing.settlement_results import cite_provision
from selo.draws.draw_verdict import group_by_look, worst_result
from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.live_rounds import ROUND
from selo.examine.run.run_log import read_run_log
from selo.report.content import CaseSheetWriter
from selo.report.phrases import Labels
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen
from selo.verdict import Result, VerdictReason, missing_offer_phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from selo.examine.findings import Finding
    from selo.examine.outcome import ExaminationResult
    from selo.law.loader import Law
    from selo.protocol.messages import Currency
    from selo.report.model.report_model import CaseSheet
    from selo.text.multilingual import Words
    from selo.verdict import Verdict


_MARGIN: Final = "    "


def _print_requested(
    out: Console, law: Law, result: ExaminationResult, styles: Mapping[str, str], language: str
) -> None:
    """Print a line for each provision asked for, then those on which something came out besides."""
    if result.outside is None:
        return
    verdicts = {provision.provision: provision for provision in result.summary.provisions}
    out.print(say("examine.asked", language, count=len(result.header.terms.provisions)))
    for name in result.header.terms.provisions:
        # A provision of a game that is not examined has no verdict, and so conforms to nothing.
        if name in verdicts:
            _print_verdict(out, law, verdicts[name], styles, language)
    if result.outside.provisions:
        count = len(result.outside.provisions)
        out.print(say("examine.outside", language, count=count), style="bold")
        for name in result.outside.provisions:
            _print_verdict(out, law, verdicts[name], styles, language)


def _print_verdict(
    out: Console, law: Law, one: Verdict, styles: Mapping[str, str], language: str
) -> None:
    said = say(f"verdict.{one.result}", language)
    out.print(
        f"{_MARGIN}{said}  {cite_provision(law, one.provision, language)}", style=styles[one.result]
    )
    reason = say(f"verdict.reason.{one.reason}", language)
    out.print(f"{_MARGIN}{_MARGIN}{reason}", style="dim")


_STYLES = {
    "conforms": "green",
    "witnessed": "green",
    "violates": "bold red",
    "inconclusive": "yellow",
    "not-examined": "dim",
    "to-be-witnessed": "cyan",
    "not-fully-verified": "yellow",
}
_DRAW_RESULTS = {"fair": "conforms", "doubtful": "inconclusive", "unfair": "violates"}
_MAX_FINDINGS = 20
_MAX_ACTS = 16
_MAX_VALUE_LENGTH = 400
_MAX_NAME_LENGTH = 120
_INDENT = " " * 6


def print_outcome(
    out: Console, law: Law, result: ExaminationResult, folder: Path, language: str
) -> None:
    """Print findings, verdicts by game, and one sentence about the whole."""
    sheets = sheets_of(law, result)
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
    asked = len(result.findings) - len(apart)
    hidden = sum(max(0, many - _MAX_FINDINGS) for many in (asked, len(apart)))
    if hidden > 0:
        out.print(say("examine.more-findings", language, count=hidden), style="dim")
    for fault in result.faults[:_MAX_FINDINGS]:
        out.print(f"✗ {escape_unseen(fault['told'], _MAX_VALUE_LENGTH)}", style="red")
    out.print()
    _print_draws(out, result, language)
    for game, whole in result.summary.games.items():
        said = say(f"verdict.{whole.overall}", language)
        counts = ", ".join(
            f"{count} {say(f'verdict.{name}', language)}"
            for name, count in whole.counts.items()
            if count
        )
        out.print(f"{game}: {said}", style=_STYLES[whole.overall])
        out.print(f"    {counts}", style="dim")
        _print_not_offered(out, law, result, game, language)
    _print_requested(out, law, result, _STYLES, language)
    overall = result.summary.overall
    cases = sum(count.cases for count in result.counts)
    out.print()
    out.print(_subject(result, language))
    words = say(f"verdict.{overall.overall}", language)
    out.print(
        say("examine.overall", language, verdict=words.upper(), cases=f"{cases:,}"),
        style=_STYLES[overall.overall],
    )
    out.print(say("examine.root", language, root=result.evidence_root, folder=folder), style="dim")
    if result.draws_root is not None:
        out.print(say("examine.draws-root", language, root=result.draws_root), style="dim")
    for hint in _next_steps(result, language):
        out.print(say("fault.hint", language, hint=hint), soft_wrap=True)


def _next_steps(result: ExaminationResult, language: str) -> Iterator[str]:
    """Yield what somebody can do about what is open."""
    reasons = Counter(provision.reason for provision in result.summary.provisions)
    if unread := reasons[VerdictReason.READING_OPEN] + reasons[VerdictReason.READINGS_MIXED]:
        yield say("examine.next.readings", language, count=unread)
    if unseen := reasons[VerdictReason.NOT_WITNESSED]:
        yield say("examine.next.witness", language, count=unseen)


def _print_not_offered(
    out: Console, law: Law, result: ExaminationResult, game: str, language: str
) -> None:
    """Print what of a game is not offered, and how many provisions that touches."""
    touched = [
        provision
        for provision in result.summary.provisions
        if provision.not_offered and law.find(provision.provision).instrument.game == game
    ]
    if touched:
        what = sorted({each for one in touched for each in one.not_offered})
        told = ", ".join(missing_offer_phrase(one, language) for one in what)
        words = say("examine.not-offered", language, count=len(touched), what=told)
        out.print(f"    {words}", style="dim")


def _subject(result: ExaminationResult, language: str) -> str:
    """Return what was examined, in the vendor's own words, made harmless."""
    told = result.header.description
    return say(
        "examine.subject",
        language,
        product=escape_unseen(told.product.name, _MAX_NAME_LENGTH),
        version=escape_unseen(told.product.version, _MAX_NAME_LENGTH),
        vendor=escape_unseen(told.vendor.name, _MAX_NAME_LENGTH),
    )


def _print_draws(out: Console, result: ExaminationResult, language: str) -> None:
    """Print one line for each sample of draws and each look at it."""
    for tests in group_by_look(result.statistics):
        one, said = tests[0], worst_result(tests)
        options = "".join(f", {name} {value}" for name, value in one.options.items())
        slots = {"game": one.game, "options": options, "sample": f"{one.sample:,}"}
        least = min(float(test.adjusted) for test in tests)
        verdict = say(f"draws.verdict.{said}", language)
        words = say(
            "draws.told", language, **slots, tests=len(tests), verdict=verdict, least=f"{least:g}"
        )
        out.print(words, style=_STYLES[_DRAW_RESULTS[said]])


def sheets_of(law: Law, result: ExaminationResult) -> CaseSheetWriter:
    """Return what writes case sheets in the money of the vendor that was examined."""
    return sheets_in(law, result.header.description.currency)


def sheets_in(law: Law, currency: Currency | None) -> CaseSheetWriter:
    """Return what writes case sheets in some money; where none is known, in its smallest unit."""
    names = Labels(law)
    if currency is None:
        return CaseSheetWriter(names, "", 0, law)
    return CaseSheetWriter(names, currency.code, currency.decimals, law)


def print_finding(
    out: Console,
    one: Finding,
    language: str,
    *,
    folder: Path | None = None,
    sheets: CaseSheetWriter,
) -> None:
    """Print one finding: what, where, the law, the vendor, and how to see it again."""
    style = "bold red" if one.verdict == "violates" else "bold yellow"
    sheet = sheets.write(one)
    out.print()
    key = f"finding.{one.verdict}"
    out.print(f"{one.id}  {say(key, language)}  {one.game}  ×{one.times:,}", style=style)
    # What is asked of a declaration is the headline already.
    if one.method not in {DESCRIBE, "draw"}:
        out.print(f"  {escape_unseen(sheet.title.get(language), _MAX_VALUE_LENGTH)}", style="bold")
    for line in _headlines(one, language, sheet.misread):
        out.print(f"  {line}")
    for line in (
        _round_lines(sheet, language) if one.method == ROUND else _case_lines(one, language)
    ):
        out.print(f"  {line}")
    if one.money:
        out.print(f"  {sheet.difference.get(language)}")
    _print_law(out, one)
    for divergence, reading in one.readings:
        said = say("trial.reading", language, divergence=divergence, reading=reading)
        out.print(f"    {said}", style="yellow")
    if folder is not None:
        # Never broken: it is there to be copied.
        out.print(f"  $ {_replay_command(folder, one.id)}", style="cyan", soft_wrap=True)


def _print_law(out: Console, one: Finding) -> None:
    """Print the provisions on which a finding rests, those that are broken with their words."""
    from rich.text import Text  # noqa: PLC0415 - rich only where something is laid out

    for ground in one.law:
        mark = "▶" if ground.provision in one.provisions else " "
        cited = " · ".join(filter(None, (ground.citation["pt"], ground.citation["zh"])))
        out.print(f"  {mark} {ground.provision}  {cited}")
        if ground.provision in one.provisions:
            for text in ground.text.values():
                for line in Text(text).wrap(out, out.width - len(_INDENT)):
                    out.print(f"{_INDENT}{line.plain.rstrip()}", style="italic dim")


def _case_lines(one: Finding, language: str) -> Iterator[str]:
    """Yield what was asked, what the law answers and what the vendor did, as they were written."""
    params = {name: value for name, value in one.params.items() if name != "game" and value}
    if one.bet is not None:
        params["bets"] = [
            *params["bets"][one.bet : one.bet + 1],
            *_other_bets(params["bets"], one.bet),
        ]
    for name, value in params.items():
        yield f"{name}: {escape_unseen(_json(value), _MAX_VALUE_LENGTH)}"
    yield say("trial.law", language, expected=_json(one.expected))
    yield say(
        "trial.vendor", language, observed=escape_unseen(_json(one.observed), _MAX_VALUE_LENGTH)
    )


def _round_lines(sheet: CaseSheet, language: str) -> Iterator[str]:
    """Yield what was done at a table, what the law requires and what the vendor did, in words."""
    for at, act in enumerate(sheet.acts[:_MAX_ACTS], 1):
        yield f"{at}. {escape_unseen(act.get(language), _MAX_VALUE_LENGTH)}"
    if len(sheet.acts) > _MAX_ACTS:
        yield say("document.finding.acts-more", language, count=len(sheet.acts) - _MAX_ACTS)
    yield say(
        "trial.law",
        language,
        expected=escape_unseen(sheet.required.get(language), _MAX_VALUE_LENGTH),
    )
    yield say(
        "trial.vendor",
        language,
        observed=escape_unseen(sheet.seen.get(language), _MAX_VALUE_LENGTH),
    )


def _replay_command(folder: Path, finding: str) -> str:
    """Return the command that puts a finding to the same vendor again."""
    run = read_run_log(folder)
    path = folder / "findings" / f"{finding}.json"
    words = ["selo", "replay", str(path), "--vendor", run.vendor]
    if Path(run.folder) != Path.cwd():
        words += ["--folder", run.folder]
    return escape_unseen(shlex.join(words))


def _headlines(one: Finding, language: str, misread: Words | None) -> Iterator[str]:
    """Yield what is asked of a declaration, or how the law seems to have been misread.

    Where the same question was not answered alike, that is all that can be said.
    """
    if one.unlike is not None:
        yield one.unlike.get(language)
    if one.method == DESCRIBE and one.required is not None:
        yield one.required.get(language)
    elif one.method == ROUND:
        # In which manner is the title already; the step of the law that was not kept is told.
        if one.required is not None:
            required = one.required.get(language)
            for step in _broken_steps(one):
                yield say("finding.step", language, step=step, required=required)
    elif one.cause:
        key = "finding.draw" if one.method == "draw" else "finding.cause"
        yield say(key, language, cause=one.cause if misread is None else misread.get(language))


def _broken_steps(one: Finding) -> list[str]:
    """Return the keys of the steps that were broken, as the protocol lists them."""
    broken = [ground for ground in one.law if ground.provision in one.provisions]
    return [role for ground in broken for role in ground.roles if role.startswith(ground.provision)]


def _other_bets(bets: list[Any], bet: int) -> list[Any]:
    return [one for at, one in enumerate(bets) if at != bet]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_proven(result: ExaminationResult) -> bool:
    """Return whether every provision conforms or was witnessed."""
    good = {Result.CONFORMS, Result.WITNESSED}
    return all(
        provision.result in good for provision in result.summary.provisions if provision.counts
    )
