"""New module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cli.output.tables import console
from selo.cli.output.terminal import text_width
from selo.rules.odds import percent
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

    from selo.rules.odds import Change, Figure
    from selo.rules.readings import Readings


#: The results that may have a column; those in brackets only where they occur.
_COLUMNS_ALWAYS: Final = ("win", "push", "lose")


_COLUMNS: Final = ("win", "push", "stands", "void", "lose")


#: Below so many columns a table of figures has no room.
_MIN_TABLE_WIDTH: Final = 110


_INDENT: Final = "  "


def record_odds(
    game: str,
    packs: int | None,
    readings: Readings,
    figures: Sequence[Figure],
    others: Sequence[Change],
) -> dict[str, Any]:
    return {
        "game": game,
        "packs": packs,
        "rulings": readings.rulings,
        "figures": [_record_figure(figure) for figure in figures],
        "other_readings": [
            {
                "divergence": one.divergence,
                "reading": one.reading,
                "figures": [_record_figure(figure) for figure in one.figures],
                "not_taken": one.gone,
                "unknown": one.unknown,
            }
            for one in others
        ],
    }


def _record_figure(one: Figure) -> dict[str, Any]:
    decided = one.edge_decided
    return {
        "bet": one.bet,
        "choice": one.choice,
        "manner": one.manner,
        **{result: str(one.of(result)) for result in _COLUMNS},
        "edge": str(one.edge) if one.priced else None,
        "edge_percent": percent(one.edge) if one.priced else None,
        "edge_decided": str(decided) if one.priced and decided is not None else None,
        "staked": str(one.staked),
        "ends": [
            {
                "result": end.result,
                "prize": str(end.prize) if one.priced else None,
                "commission": str(end.commission),
                "probability": str(chance),
            }
            for end, chance in one.ends.items()
        ],
        "notes": dict(one.notes),
    }


def print_odds(
    game: str,
    packs: int | None,
    figures: Sequence[Figure],
    others: Sequence[Change],
    language: str,
) -> None:
    out = console()
    title = game if packs is None else f"{game} · {say('odds.packs', language, count=packs)}"
    out.print(title, style="bold")
    _print_figures(out, [(figure, "") for figure in figures], language)
    _print_notes(out, figures)
    if others:
        out.print(say("odds.other-readings", language), style="bold")
        rows = [(figure, f"{one.divergence} = {one.reading}")
                for one in others for figure in one.figures]  # fmt: skip
        _print_figures(out, rows, language, named=say("odds.divergence", language))
    for one in others:
        slots = {"divergence": one.divergence, "reading": one.reading}
        if one.gone:
            out.print(say("odds.not-taken", language, **slots, bets=", ".join(one.gone)))
        if one.unknown is not None:
            out.print(say("odds.unknown", language, **slots, why=one.unknown))
    out.print()


def _print_notes(out: Console, figures: Sequence[Figure]) -> None:
    for figure in figures:
        told = ", ".join(f"{name} {value}" for name, value in figure.notes)
        if told:
            out.print(f"  {figure.bet} ({figure.manner}): {told}")


def _print_figures(
    out: Console, rows: Sequence[tuple[Figure, str]], language: str, *, named: str = ""
) -> None:
    """Print a table, or where there is no room for one, each bet by itself."""
    shown = [one for one in _COLUMNS
             if one in _COLUMNS_ALWAYS or any(figure.of(one) for figure, _ in rows)]  # fmt: skip
    if out.width >= _MIN_TABLE_WIDTH:
        out.print(_build_table(rows, shown, language, named=named))
        return
    for figure, choices, where in _join_equal_choices(rows):
        words = [figure.bet, *([", ".join(choices)] if choices else []), figure.manner or ""]
        out.print(" · ".join(word for word in words if word), style="bold", overflow="fold")
        if where:
            out.print(f"  {named}: {where}", overflow="fold")
        pieces = [f"{say(f'odds.{one}', language)} {percent(figure.of(one))}" for one in shown]
        if figure.priced:
            edge = f"{figure.edge} ({percent(figure.edge)})"
            pieces.append(f"{say('odds.edge', language)} {edge}")
            decided = figure.edge_decided
            if decided is not None and decided != figure.edge:
                pieces.append(f"{say('odds.decided', language)} {percent(decided)}")
        for line in _fill_lines(pieces, out.width - len(_INDENT)):
            out.print(f"{_INDENT}{line}", overflow="fold")


def _fill_lines(pieces: Sequence[str], columns: int) -> list[str]:
    """Return lines that hold as many pieces as have room, and break none of them."""
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]}   {piece}" if lines[-1] else piece
        if text_width(longer) <= columns or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _build_table(
    rows: Sequence[tuple[Figure, str]], shown: Sequence[str], language: str, *, named: str
) -> Table:
    from rich.table import Table  # noqa: PLC0415 - rich only where something is laid out

    table = Table(box=None, pad_edge=False)
    for name in ("bet", "choice", "manner"):
        table.add_column(say(f"odds.{name}", language), overflow="fold")
    for name in (*shown, "edge"):
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
            *(percent(figure.of(one)) for one in shown),
            str(figure.edge) if figure.priced else "",
            percent(figure.edge) if figure.priced else "",
            percent(decided) if apart and decided is not None else "",
            *([where] if named else []),
        )
    return table


def _join_equal_choices(rows: Sequence[tuple[Figure, str]]) -> list[tuple[Figure, list[str], str]]:
    """Return the rows with the choices of one bet that have the same odds together."""
    joined: dict[Any, tuple[Figure, list[str], str]] = {}
    for figure, where in rows:
        # What has a choice is never joined with what has none.
        at = (figure.bet, figure.manner, where, figure.choice is None, tuple(figure.ends.items()))
        _, choices, _ = joined.setdefault(at, (figure, [], where))
        if figure.choice is not None:
            choices.append(str(figure.choice))
    return list(joined.values())
