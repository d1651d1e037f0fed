"""``selo coverage``: the decisive cases of each provision, or why it is not examined."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit, show_progress
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

    from rich.table import Table

    from selo.examine.coverage import Coverage, CoverageRow


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo coverage``."""
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--most", type=int, metavar="N")
    shared.add_budget(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the ledger of decisive cases; a provision without one is a defect of Selo."""
    from selo.examine.coverage import measure_coverage
    from selo.law import load_law
    from selo.rules.checks import list_games

    law = load_law()
    for name in arguments.games:
        if name not in list_games(law):
            raise user_error("game", name=name, known=", ".join(list_games(law)))
    with show_progress(say("coverage.counting", arguments.lang)) as done:
        book = measure_coverage(
            law,
            arguments.games,
            budget=arguments.budget,
            seed=arguments.seed,
            most=arguments.most,
            done=done,
        )
    if arguments.json:
        print_json(book)
    else:
        _print(book, arguments.lang)
    undecided = book.undecided()
    for name in undecided:
        print(say("coverage.undecided", arguments.lang, id=name), file=sys.stderr)
    return Exit.SUITE if undecided else Exit.CONFORMS


def _print(book: Coverage, language: str) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("id", overflow="fold")
    table.add_column(say("law.field.verified", language), no_wrap=True)
    for heading in (
        "coverage.cases", "coverage.decisive", "coverage.rounds", "coverage.decisive",
    ):  # fmt: skip
        table.add_column(say(heading, language), justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for row in book.provisions:
        _add_row(table, row, book.most, language)
    out = console()
    out.print(table)
    for total in book.totals:
        slots = {**msgspec.structs.asdict(total), "cases": f"{total.cases:,}"}
        out.print(say("coverage.total", language, **slots))
    out.print(f"sha256:{book.spec_digest}")


def _add_row(table: Table, row: CoverageRow, most: int | None, language: str) -> None:
    ways = ", ".join(
        say(f"way.{way}", language) for way in (row.verified_by, *row.also_verified_by)
    )
    why = "" if row.examined or row.played else (row.because or {}).get(language, "")
    if row.steps_elsewhere:
        why = say("coverage.steps-elsewhere", language)
    if row.without_effect:
        why = say("verdict.reason.without-effect", language)
    table.add_row(
        row.id,
        ways,
        str(row.cases or ""),
        _render_count(row.decisive, most, shown=row.cases > 0 or row.examined),
        str(row.rounds or ""),
        _render_count(row.decisive_rounds, most, shown=row.rounds > 0 or row.played),
        why,
    )


def _render_count(count: int, most: int | None, *, shown: bool) -> str:
    """Return a count of decisive cases; where counting stopped at the limit, as a minimum."""
    if most is not None and count >= most:
        return f"≥ {count}"
    return str(count) if shown else ""
