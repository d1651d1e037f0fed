"""Prints one finding for people: the pieces, the bets, and the law beside the vendor."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from selo.cli.printers.terminal_pieces import style_pieces
from selo.examine.findings.declaration_findings import DESCRIBE
from selo.examine.live_rounds import ROUND
from selo.examine.run.run_log import read_run_log
from selo.report.content import FindingSheetWriter
from selo.report.phrases import Labels
from selo.report.svg import list_hands
from selo.text import say
from selo.text.message_catalogue import has_message
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from selo.examine.findings import Finding
    from selo.law import Law
    from selo.protocol.messages import Currency
    from selo.report.model.report_model import CaseSheet
    from selo.text import Words

#: Methods whose answers are compared part by part.
TABLED_METHODS: Final = frozenset({"settle", "compare"})
_MAX_ACTS: Final = 16
_MAX_VALUE_LENGTH: Final = 400
_MAX_NOTE_LENGTH: Final = 1200
_INDENT: Final = " " * 6
_WRONG: Final = "\N{NOT EQUAL TO}"


def sheet_writer(law: Law, currency: Currency | None) -> FindingSheetWriter:
    """Return the writer of case sheets in `currency`; without one, in the smallest unit."""
    names = Labels(law)
    if currency is None:
        return FindingSheetWriter(names, "", 0, law)
    return FindingSheetWriter(names, currency.code, currency.decimals, law)


def print_finding(
    out: Console,
    finding: Finding,
    language: str,
    *,
    folder: Path | None = None,
    sheets: FindingSheetWriter,
) -> None:
    """Print one finding: the case, the law, the vendor's answer, and how to replay it."""
    style = "bold red" if finding.verdict == "violates" else "bold yellow"
    sheet = sheets.write(finding)
    out.print()
    key = f"finding.{sheet.label}"
    game = sheets.names.game_in(finding.game, language)
    out.print(f"{finding.id}  {say(key, language)}  {game}  ×{finding.times:,}", style=style)
    # Of a declaration, the requirement is the headline.
    if finding.method not in {DESCRIBE, "draw"}:
        out.print(f"  {_short(sheet.title, language)}", style="bold")
    for line in _headlines(finding, language, sheet.misread):
        out.print(f"  {line}")
    _print_case(out, sheet, language)
    if finding.method in TABLED_METHODS:
        print_comparison(out, finding, finding.observed, sheets, language)
    else:
        out.print(f"  {say('trial.law', language, expected=_short(sheet.required, language))}")
        out.print(f"  {say('trial.vendor', language, observed=_short(sheet.seen, language))}")
    if finding.money:
        out.print(f"  {sheet.difference.get(language)}")
    for note in sheet.notes:
        out.print(f"  {escape_unseen(note.get(language), _MAX_NOTE_LENGTH)}", style="yellow")
    if sheet.where is not None:
        for line in sheet.where.get(language).splitlines():
            out.print(f"  {line}", style="dim")
    _print_law(out, finding)
    if folder is not None:
        # Never wrapped, so that it can be copied.
        out.print(f"  $ {_replay_command(folder, finding.id)}", style="cyan", soft_wrap=True)


def _short(text: Words, language: str) -> str:
    return escape_unseen(text.get(language), _MAX_VALUE_LENGTH)


def _print_case(out: Console, sheet: CaseSheet, language: str) -> None:
    """Print the pieces in their colours, the request in words, and acts or bets in order."""
    from rich.text import Text  # noqa: PLC0415 - rich only where something is laid out

    for hand in list_hands(
        sheet.params, shown=sheet.shown, observed=sheet.observed, pieces=sheet.pieces
    ):
        pieces = [Text(*piece) for piece in style_pieces(hand, language, sheet.pieces)]
        if pieces:
            owner = Text(f"  {hand.label(language)}")
            out.print(Text("  ").join([owner, *pieces]))
    for fact in sheet.asked:
        out.print(f"  {_short(fact, language)}", style="dim")
    for at, act in enumerate(sheet.acts[:_MAX_ACTS], 1):
        out.print(f"  {at}. {_short(act, language)}")
    if len(sheet.acts) > _MAX_ACTS:
        left = len(sheet.acts) - _MAX_ACTS
        out.print(f"  {say('document.finding.acts-more', language, count=left)}")
    for at, bet in enumerate(sheet.bets):
        mark = "▶" if at == sheet.bet else " "
        out.print(f"  {mark} {at + 1}. {_short(bet, language)}")


def print_comparison(
    out: Console,
    finding: Finding,
    observed: dict[str, Any],
    sheets: FindingSheetWriter,
    language: str,
) -> None:
    """Print each part of an answer to the case of `finding`: by the law, and by the vendor."""
    from rich.table import Table  # noqa: PLC0415 - rich only where something is laid out

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("")
    table.add_column("")
    table.add_column(say("trial.column.law", language))
    table.add_column(say("trial.column.vendor", language))
    for name in dict.fromkeys([*finding.expected, *observed]):
        cells = [
            "–"
            if facts.get(name) is None
            else _short(sheets.answer_part(finding.game, name, facts[name]), language)
            for facts in (finding.expected, observed)
        ]
        differs = finding.expected.get(name) != observed.get(name)
        table.add_row(
            f"  {_WRONG if differs else ' '}",
            say(part, language) if has_message(part := f"trial.part.{name}") else name,
            *cells,
            style="bold" if differs else "dim",
        )
    out.print(table)


def _print_law(out: Console, finding: Finding) -> None:
    """Print the provisions of a finding; with their text what is violated or referred to there."""
    from rich.text import Text  # noqa: PLC0415 - rich only where something is laid out

    for ground in finding.law:
        mark = "▶" if ground.provision in finding.provisions else " "
        cited = " · ".join(filter(None, (ground.citation["pt"], ground.citation["zh"])))
        out.print(f"  {mark} {ground.provision}  {cited}")
        if ground.provision in finding.provisions or ground.is_referred_to:
            for text in ground.text.values():
                for line in Text(text).wrap(out, out.width - len(_INDENT)):
                    out.print(f"{_INDENT}{line.plain.rstrip()}", style="italic dim")


def _replay_command(folder: Path, finding: str) -> str:
    """Return the command that replays a finding against the same vendor."""
    run = read_run_log(folder)
    path = folder / "findings" / f"{finding}.json"
    words = ["selo", "replay", str(path), "--vendor", run.vendor]
    if Path(run.folder) != Path.cwd():
        words += ["--folder", run.folder]
    return escape_unseen(shlex.join(words))


def _headlines(finding: Finding, language: str, misread: Words | None) -> Iterator[str]:
    """Yield the requirement of a declaration, the violated step, or the likely misreading.

    Unequal answers to the same question are reported first.
    """
    if finding.unlike is not None:
        yield finding.unlike.get(language)
    if finding.method == DESCRIBE and finding.required is not None:
        yield finding.required.get(language)
    elif finding.method == ROUND:
        # The title already states the manner; the violated step is missing.
        if finding.required is not None:
            required = finding.required.get(language)
            for step in _broken_steps(finding):
                yield say("finding.step", language, step=step, required=required)
    elif finding.cause:
        key = "finding.draw" if finding.method == "draw" else "finding.cause"
        yield say(key, language, cause=finding.cause if misread is None else misread.get(language))


def _broken_steps(finding: Finding) -> list[str]:
    """Return the keys of the violated steps, as the protocol lists them."""
    broken = [ground for ground in finding.law if ground.provision in finding.provisions]
    return [role for ground in broken for role in ground.roles if role.startswith(ground.provision)]
