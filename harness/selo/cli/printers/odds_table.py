"""Prints exact odds as a table, or bet by bet where there is no room for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selo.cli.output.console import console
from selo.cli.output.terminal import text_width
from selo.rules.odds import format_percentage
from selo.text import say
from selo.text.number_format import format_number
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table

    from selo.report.phrases import Labels
    from selo.rules.odds import BetOdds, OddsChange
    from selo.rules.odds.par_sheet import ParCheck
    from selo.rules.readings import Readings

#: Results that always have a column; the other columns are printed where they occur.
_COLUMNS_ALWAYS: Final = ("win", "push", "lose")
_COLUMNS: Final = ("win", "push", "stands", "void", "lose")
#: A narrower console has no room for the table.
_MIN_TABLE_WIDTH: Final = 110
_INDENT: Final = "  "
_MAX_TEXT: Final = 80


def record_odds(
    game: str,
    packs: int | None,
    readings: Readings,
    figures: Sequence[BetOdds],
    others: Sequence[OddsChange],
) -> dict[str, Any]:
    """Return the odds of a game for JSON output."""
    return {
        "game": game,
        "packs": packs,
        "rulings": readings.rulings,
        "figures": [_record_figure(figure) for figure in figures],
        "other_readings": [
            {
                "divergence": change.divergence,
                "reading": change.reading,
                "figures": [_record_figure(figure) for figure in change.figures],
                "not_taken": change.gone,
                "unknown": change.unknown,
            }
            for change in others
        ],
    }


def print_par(figures: Sequence[BetOdds], checks: Sequence[ParCheck], names: OddsNames) -> None:
    """Print what a vendor declares of its bets, wrong figures with the right ones beside them."""
    out, language = console(), names.language
    out.print(names.labels.game_in(names.game, language), style="bold")
    for check in checks:
        named_parts = filter(None, (check.bet, check.choice, check.manner))
        about = ", ".join(names.name(part) for part in named_parts)
        key = "odds.par.right" if check.right else "odds.par.wrong"
        slots = {
            "bet": escape_unseen(about, _MAX_TEXT),
            "what": say(f"odds.par.{check.figure}", language),
            "declared": escape_unseen(check.declared, _MAX_TEXT),
        }
        percent = format_number(check.percent, language)
        line = say(key, language, **slots, exact=check.exact, percent=percent)
        out.print(f"{_INDENT}{line}", style="dim" if check.right else "bold red", soft_wrap=True)
    named = {check.bet for check in checks}
    missing = [bet for bet in dict.fromkeys(odds.bet for odds in figures) if bet not in named]
    if missing:
        bets = names.join(missing)
        out.print(say("odds.par.missing", language, bets=bets), style="yellow")
    wrong = sum(not check.right for check in checks)
    out.print(say("odds.par.told", language, count=len(checks), wrong=wrong), style="bold")


def _record_figure(figure: BetOdds) -> dict[str, Any]:
    decided = figure.edge_decided
    return {
        "bet": figure.bet,
        "choice": figure.choice,
        "manner": figure.manner,
        **{result: str(figure.of(result)) if figure.ends else None for result in _COLUMNS},
        "edge": str(figure.edge) if figure.priced else None,
        "edge_percent": format_percentage(figure.edge) if figure.priced else None,
        "edge_decided": str(decided) if figure.priced and decided is not None else None,
        "staked": str(figure.staked),
        "ends": [
            {
                "result": end.result,
                "prize": str(end.prize) if figure.priced else None,
                "commission": str(end.commission),
                "probability": str(chance),
            }
            for end, chance in figure.ends.items()
        ],
        "notes": dict(figure.notes),
    }


def print_odds(
    packs: int | None,
    figures: Sequence[BetOdds],
    others: Sequence[OddsChange],
    names: OddsNames,
) -> None:
    """Print the odds of a game, then those that change under other readings."""
    out, language = console(), names.language
    title = names.labels.game_in(names.game, language)
    if packs is not None:
        title = f"{title} · {say('odds.packs', language, count=packs)}"
    out.print(title, style="bold")
    _print_figures(out, [(figure, "") for figure in figures], names)
    _print_notes(out, figures, names)
    if others:
        out.print(say("odds.other-readings", language), style="bold")
        rows = [(figure, f"{change.divergence} = {change.reading}")
                for change in others for figure in change.figures]  # fmt: skip
        _print_figures(out, rows, names, named=say("odds.divergence", language))
    for change in others:
        slots = {"divergence": change.divergence, "reading": change.reading}
        if change.gone:
            bets = names.join(change.gone)
            out.print(say("odds.not-taken", language, **slots, bets=bets))
        if change.unknown is not None:
            out.print(say("odds.unknown", language, **slots, why=change.unknown))
    out.print()


@dataclass(frozen=True, kw_only=True, slots=True)
class OddsNames:
    """The names of one game in one language."""

    labels: Labels
    game: str
    language: str

    def name(self, name: object) -> str:
        """Return a bet, a choice or a manner."""
        return self.labels.name_in(self.game, name, self.language)

    def join(self, names: Sequence[str]) -> str:
        """Return several bets or choices."""
        return ("、" if self.language == "zh" else ", ").join(self.name(name) for name in names)

    def percent(self, share: Fraction) -> str:
        """Return a share as a percentage."""
        return format_number(format_percentage(share), self.language)


def _print_notes(out: Console, figures: Sequence[BetOdds], names: OddsNames) -> None:
    for figure in figures:
        notes = ", ".join(
            f"{name if names.language == 'en' else say(f'odds.note.{name}', names.language)} "
            f"{format_number(str(value), names.language)}"
            for name, value in figure.notes
        )
        if notes:
            out.print(f"  {names.name(figure.bet)} ({names.name(figure.manner)}): {notes}")


def _print_figures(
    out: Console, rows: Sequence[tuple[BetOdds, str]], names: OddsNames, *, named: str = ""
) -> None:
    """Print a table, or bet by bet on a narrow console."""
    language = names.language
    results = [
        result
        for result in _COLUMNS
        if result in _COLUMNS_ALWAYS or any(figure.of(result) for figure, _ in rows)
    ]
    if out.width >= _MIN_TABLE_WIDTH:
        out.print(_build_table(rows, results, names, named=named))
        return
    for figure, choices, where in _join_equal_choices(rows):
        words = [names.name(figure.bet), *([names.join(choices)] if choices else [])]
        words += [names.name(figure.manner)] if figure.manner else []
        out.print(" · ".join(word for word in words if word), style="bold", overflow="fold")
        if where:
            out.print(f"  {named}: {where}", overflow="fold")
        pieces = [
            f"{say(f'odds.{result}', language)} {names.percent(figure.of(result))}"
            for result in results
            if figure.ends
        ]
        if figure.priced:
            edge = f"{figure.edge} ({names.percent(figure.edge)})"
            pieces.append(f"{say('odds.edge', language)} {edge}")
            decided = figure.edge_decided
            if decided is not None and decided != figure.edge:
                pieces.append(f"{say('odds.decided', language)} {names.percent(decided)}")
        for line in _fill_lines(pieces, out.width - len(_INDENT)):
            out.print(f"{_INDENT}{line}", overflow="fold")


def _fill_lines(pieces: Sequence[str], columns: int) -> list[str]:
    """Return lines filled with as many unbroken pieces as fit."""
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]}   {piece}" if lines[-1] else piece
        if text_width(longer) <= columns or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _build_table(
    rows: Sequence[tuple[BetOdds, str]], results: Sequence[str], names: OddsNames, *, named: str
) -> Table:
    from rich.table import Table  # noqa: PLC0415 - rich only where something is laid out

    language = names.language
    table = Table(box=None, pad_edge=False)
    for name in ("bet", "choice", "manner"):
        table.add_column(say(f"odds.{name}", language), overflow="fold")
    for name in (*results, "edge"):
        table.add_column(say(f"odds.{name}", language), justify="right", no_wrap=True)
    table.add_column("%", justify="right", no_wrap=True)
    table.add_column(say("odds.decided", language), justify="right", no_wrap=True)
    if named:
        table.add_column(named, overflow="fold")
    for figure, choices, where in _join_equal_choices(rows):
        decided = figure.edge_decided
        apart = figure.priced and decided is not None and decided != figure.edge
        table.add_row(
            names.name(figure.bet),
            names.join(choices),
            names.name(figure.manner) if figure.manner else "",
            *(names.percent(figure.of(result)) if figure.ends else "" for result in results),
            str(figure.edge) if figure.priced else "",
            names.percent(figure.edge) if figure.priced else "",
            names.percent(decided) if apart and decided is not None else "",
            *([where] if named else []),
        )
    return table


def _join_equal_choices(
    rows: Sequence[tuple[BetOdds, str]],
) -> list[tuple[BetOdds, list[str], str]]:
    """Return the rows, with the choices of a bet joined that have the same odds."""
    joined: dict[Any, tuple[BetOdds, list[str], str]] = {}
    for figure, where in rows:
        # A bet with a choice is never joined with one that has none.
        at = (figure.bet, figure.manner, where, figure.choice is None, tuple(figure.ends.items()))
        _, choices, _ = joined.setdefault(at, (figure, [], where))
        if figure.choice is not None:
            choices.append(str(figure.choice))
    return list(joined.values())
