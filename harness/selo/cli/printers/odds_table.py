"""Prints exact odds as a table, or bet by bet where there is no room for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cli.output.console import console
from selo.cli.output.terminal import text_width
from selo.rules.odds import format_percentage
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

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


def print_par(
    game: str, figures: Sequence[BetOdds], checks: Sequence[ParCheck], language: str
) -> None:
    """Print what a vendor declares of its bets, wrong figures with the right ones beside them."""
    out = console()
    out.print(game, style="bold")
    for check in checks:
        about = ", ".join(filter(None, (check.bet, check.choice, check.manner)))
        key = "odds.par.right" if check.right else "odds.par.wrong"
        slots = {
            "bet": escape_unseen(about, _MAX_TEXT),
            "what": say(f"odds.par.{check.figure}", language),
            "declared": escape_unseen(check.declared, _MAX_TEXT),
        }
        line = say(key, language, **slots, exact=check.exact, percent=check.percent)
        out.print(f"{_INDENT}{line}", style="dim" if check.right else "bold red", soft_wrap=True)
    named = {check.bet for check in checks}
    missing = [bet for bet in dict.fromkeys(odds.bet for odds in figures) if bet not in named]
    if missing:
        out.print(say("odds.par.missing", language, bets=", ".join(missing)), style="yellow")
    wrong = sum(not check.right for check in checks)
    out.print(say("odds.par.told", language, count=len(checks), wrong=wrong), style="bold")


def _record_figure(figure: BetOdds) -> dict[str, Any]:
    decided = figure.edge_decided
    return {
        "bet": figure.bet,
        "choice": figure.choice,
        "manner": figure.manner,
        **{result: str(figure.of(result)) for result in _COLUMNS},
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
    game: str,
    packs: int | None,
    figures: Sequence[BetOdds],
    others: Sequence[OddsChange],
    language: str,
) -> None:
    """Print the odds of a game, then those that change under other readings."""
    out = console()
    title = game if packs is None else f"{game} · {say('odds.packs', language, count=packs)}"
    out.print(title, style="bold")
    _print_figures(out, [(figure, "") for figure in figures], language)
    _print_notes(out, figures)
    if others:
        out.print(say("odds.other-readings", language), style="bold")
        rows = [(figure, f"{change.divergence} = {change.reading}")
                for change in others for figure in change.figures]  # fmt: skip
        _print_figures(out, rows, language, named=say("odds.divergence", language))
    for change in others:
        slots = {"divergence": change.divergence, "reading": change.reading}
        if change.gone:
            out.print(say("odds.not-taken", language, **slots, bets=", ".join(change.gone)))
        if change.unknown is not None:
            out.print(say("odds.unknown", language, **slots, why=change.unknown))
    out.print()


def _print_notes(out: Console, figures: Sequence[BetOdds]) -> None:
    for figure in figures:
        notes = ", ".join(f"{name} {value}" for name, value in figure.notes)
        if notes:
            out.print(f"  {figure.bet} ({figure.manner}): {notes}")


def _print_figures(
    out: Console, rows: Sequence[tuple[BetOdds, str]], language: str, *, named: str = ""
) -> None:
    """Print a table, or bet by bet on a narrow console."""
    results = [
        result
        for result in _COLUMNS
        if result in _COLUMNS_ALWAYS or any(figure.of(result) for figure, _ in rows)
    ]
    if out.width >= _MIN_TABLE_WIDTH:
        out.print(_build_table(rows, results, language, named=named))
        return
    for figure, choices, where in _join_equal_choices(rows):
        words = [figure.bet, *([", ".join(choices)] if choices else []), figure.manner or ""]
        out.print(" · ".join(word for word in words if word), style="bold", overflow="fold")
        if where:
            out.print(f"  {named}: {where}", overflow="fold")
        pieces = [
            f"{say(f'odds.{result}', language)} {format_percentage(figure.of(result))}"
            for result in results
        ]
        if figure.priced:
            edge = f"{figure.edge} ({format_percentage(figure.edge)})"
            pieces.append(f"{say('odds.edge', language)} {edge}")
            decided = figure.edge_decided
            if decided is not None and decided != figure.edge:
                pieces.append(f"{say('odds.decided', language)} {format_percentage(decided)}")
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
    rows: Sequence[tuple[BetOdds, str]], results: Sequence[str], language: str, *, named: str
) -> Table:
    from rich.table import Table  # noqa: PLC0415 - rich only where something is laid out

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
            figure.bet,
            ", ".join(choices),
            figure.manner or "",
            *(format_percentage(figure.of(result)) for result in results),
            str(figure.edge) if figure.priced else "",
            format_percentage(figure.edge) if figure.priced else "",
            format_percentage(decided) if apart and decided is not None else "",
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
