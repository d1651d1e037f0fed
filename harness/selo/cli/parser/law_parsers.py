"""Commands on the law, read and proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _law(commands.add_parser("law"))
    _explain(commands.add_parser("explain"))
    _readings(commands.add_parser("readings"))
    _steps(commands.add_parser("steps"))
    _odds(commands.add_parser("odds"))


def _law(law: argparse.ArgumentParser) -> None:
    commands = law.add_subparsers(metavar="COMMAND", required=True)

    check = commands.add_parser("check")
    check.set_defaults(module="law.law_check")
    shared.result(check)
    check.add_argument("--specs")
    check.add_argument("--bilingual")
    shared.language(check)

    listing = commands.add_parser("list")
    listing.set_defaults(module="law.law_list")
    listing.add_argument("instrument", nargs="?")
    shared.date(listing)
    shared.language(listing)
    shared.result(listing)

    show = commands.add_parser("show")
    show.set_defaults(module="law.law_show")
    show.add_argument("id")
    shared.date(show)
    shared.language(show)
    shared.result(show)

    ledger = commands.add_parser("ledger")
    ledger.set_defaults(module="law.law_ledger")
    shared.result(ledger)
    shared.language(ledger)

    divergences = commands.add_parser("divergences")
    divergences.set_defaults(module="law.law_divergences")
    divergences.add_argument("id", nargs="?")
    shared.result(divergences)
    divergences.add_argument("--instrument")
    divergences.add_argument("--severity", choices=["outcome", "conduct", "wording"])
    shared.language(divergences)

    site = commands.add_parser("site")
    site.set_defaults(module="law.law_site")
    site.add_argument("folder", metavar="DIR")
    site.add_argument("--most", type=int, default=25, metavar="N")
    shared.date(site)
    shared.language(site)
    shared.result(site)

    schema = commands.add_parser("schema")
    schema.set_defaults(module="law.law_schema")
    schema.add_argument("name", nargs="?")
    shared.language(schema)


def _explain(explain: argparse.ArgumentParser) -> None:
    explain.set_defaults(module="law.explain")
    explain.add_argument("game")
    explain.add_argument("--bet", action="append", metavar="NAME[=CHOICE][@PLACE][:STAKE]")
    explain.add_argument("--throw", action="append")
    explain.add_argument("--lying")
    for name in ("banker", "croupier", "player"):
        explain.add_argument(f"--{name}", metavar="CARDS")
    explain.add_argument("--seat", action="append", metavar="N=CARDS")
    explain.add_argument("--place", action="append", metavar="N=CARDS")
    explain.add_argument("--outcome", metavar="JSON")
    explain.add_argument("--options", metavar="JSON")
    shared.rulings(explain)
    shared.language(explain)
    shared.result(explain)


def _readings(readings: argparse.ArgumentParser) -> None:
    readings.set_defaults(module="law.readings")
    readings.add_argument("game", nargs="?")
    shared.language(readings)
    shared.result(readings)


def _steps(steps: argparse.ArgumentParser) -> None:
    steps.set_defaults(module="law.steps")
    steps.add_argument("game")
    shared.rulings(steps)
    shared.language(steps)
    shared.result(steps)


def _odds(odds: argparse.ArgumentParser) -> None:
    odds.set_defaults(module="law.odds")
    odds.add_argument("game", nargs="?", metavar="GAME")
    odds.add_argument("--packs", type=int, metavar="N")
    odds.add_argument("--readings", action="store_true")
    shared.rulings(odds)
    shared.language(odds)
    shared.result(odds)
