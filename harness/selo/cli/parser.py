"""The tree of commands and what each of them takes."""

from __future__ import annotations

import argparse
import datetime as dt
import importlib
import sys

from selo import __version__
from selo.cli.exits import Exit
from selo.errors import SeloError

_EPILOG = """\
exit codes: 0 done, or conforms · 1 violates · 2 inconclusive or not fully verified ·
3 usage, configuration or law file · 4 vendor unreachable or broken · 5 defect of the suite ·
6 bad signature or tampered evidence
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]  # argparse says NoReturn
        self.print_usage(sys.stderr)
        self.exit(Exit.USAGE, f"{self.prog}: {message}\n  hint: {self.prog} --help\n")


def build() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = _Parser(
        prog="selo",
        description="Examines casino game software against the law of Macau, article by article.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"selo {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _law(commands.add_parser("law", help="read, check and list the law"))
    _explain(commands.add_parser("explain", help="what becomes of a bet, and why, by provision"))
    _readings(commands.add_parser("readings", help="which readings can be followed, and decide"))
    _steps(commands.add_parser("steps", help="the lawful order of a round, by provision"))
    _odds(commands.add_parser("odds", help="the exact odds of every bet"))
    return top


def run(arguments: argparse.Namespace) -> int:
    """Run the command that was parsed and return its exit code."""
    command = importlib.import_module(f"selo.cli.{arguments.module}")
    try:
        return int(command.run(arguments))
    except SeloError as error:
        print(error, file=sys.stderr)
        return Exit.USAGE
    except BrokenPipeError:
        # The reader went away, as `selo law list | head` does; that is no error.
        sys.stderr.close()
        return Exit.CONFORMS


def _law(law: argparse.ArgumentParser) -> None:
    commands = law.add_subparsers(title="commands", metavar="COMMAND", required=True)

    check = commands.add_parser("check", help="prove the law files right; file, line, what to do")
    check.set_defaults(module="law_check")
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    check.add_argument("--specs", help="folder of law files (default: the one that ships)")
    check.add_argument("--bilingual", help="folder of words (default: the one that ships)")

    listing = commands.add_parser("list", help="list instruments, articles and provisions")
    listing.set_defaults(module="law_list")
    listing.add_argument("instrument", nargs="?", help="an instrument, to see its provisions")
    _date(listing)
    _language(listing)
    listing.add_argument("--json", action="store_true", help="print the result as JSON")

    show = commands.add_parser("show", help="show one provision in both languages")
    show.set_defaults(module="law_show")
    show.add_argument("id", help="a provision, such as portaria-21-96-m/5/d")
    _date(show)
    _language(show)
    show.add_argument("--json", action="store_true", help="print the result as JSON")

    ledger = commands.add_parser("ledger", help="every provision, one line each")
    ledger.set_defaults(module="law_ledger")
    ledger.add_argument("--json", action="store_true", help="print the result as JSON")
    _language(ledger)

    divergences = commands.add_parser("divergences", help="where the law can be read in two ways")
    divergences.set_defaults(module="law_divergences")
    divergences.add_argument("id", nargs="?", help="one of them, to read it whole")
    divergences.add_argument("--json", action="store_true", help="print the result as JSON")
    divergences.add_argument("--instrument", help="only those of one instrument")
    divergences.add_argument("--severity", choices=["outcome", "conduct", "wording"])
    _language(divergences)

    schema = commands.add_parser("schema", help="print the JSON Schemas of the law files")
    schema.set_defaults(module="law_schema")
    schema.add_argument("name", nargs="?", help="one of them; without it, all")


def _explain(explain: argparse.ArgumentParser) -> None:
    explain.set_defaults(module="explain")
    explain.add_argument("game", help="a game, such as fish-prawn-crab")
    explain.add_argument("--bet", action="append", metavar="NAME[=CHOICE][@PLACE][:STAKE]")
    explain.add_argument("--throw", action="append", help="fish,fish,crab, or 3,4 for each throw")
    explain.add_argument("--lying", help="how the dice lie: flat,flat,leaning")
    for name in ("banker", "croupier", "player"):
        explain.add_argument(f"--{name}", metavar="CARDS", help="a hand: KH,QS,9D")
    explain.add_argument("--seat", action="append", metavar="N=CARDS", help="a seat's hand")
    explain.add_argument("--place", action="append", metavar="N=CARDS", help="a place's hand")
    explain.add_argument("--outcome", metavar="JSON", help="the outcome as docs/games.md writes it")
    explain.add_argument("--options", metavar="JSON", help="the options of the table")
    _rulings(explain)
    _language(explain)
    explain.add_argument("--json", action="store_true", help="print the result as JSON")


def _odds(odds: argparse.ArgumentParser) -> None:
    odds.set_defaults(module="odds")
    odds.add_argument("game", nargs="?", metavar="GAME", help="one game; without it, all")
    odds.add_argument("--packs", type=int, metavar="N", help="packs of cards in the shoe")
    odds.add_argument("--readings", action="store_true", help="also where other readings differ")
    _rulings(odds)
    _language(odds)
    odds.add_argument("--json", action="store_true", help="print the result as JSON")


def _steps(steps: argparse.ArgumentParser) -> None:
    steps.set_defaults(module="steps")
    steps.add_argument("game", help="a game, such as fish-prawn-crab")
    _rulings(steps)
    _language(steps)
    steps.add_argument("--json", action="store_true", help="print the steps and events as JSON")


def _readings(readings: argparse.ArgumentParser) -> None:
    readings.set_defaults(module="readings")
    readings.add_argument("game", nargs="?", help="one game; without it, all")
    _language(readings)
    readings.add_argument("--json", action="store_true", help="print the result as JSON")


def _rulings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ruling", action="append", metavar="ID=READING", help="follow a reading on one point"
    )
    parser.add_argument(
        "--rulings", metavar="FILE", help="a YAML file of rulings: one ID: READING on each line"
    )


def _date(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--as-of",
        type=_day,
        metavar="DATE",
        help="the day whose law is asked for, as 2008-12-31 (default: today)",
    )


def _day(written: str) -> dt.date:
    try:
        return dt.date.fromisoformat(written)
    except ValueError as error:
        msg = f"'{written}' is not a day such as 2008-12-31"
        raise argparse.ArgumentTypeError(msg) from error


def _language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang", choices=["pt", "zh", "en"], default="en", help="language of our own words"
    )
