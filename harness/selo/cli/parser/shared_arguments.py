"""Arguments that many commands share."""

from __future__ import annotations

import argparse
import datetime as dt

from selo.cli.output.language_choice import LANGUAGES
from selo.cli.parser.defaults import Default, Gather


def games(parser: argparse.ArgumentParser) -> None:
    """Add which games are meant."""
    parser.add_argument("--game", action=Gather, metavar="GAME", default=Default(key="games"))


def budget(parser: argparse.ArgumentParser) -> None:
    """Add how much is tried, and with which seed."""
    parser.add_argument(
        "--budget",
        choices=["quick", "standard", "full"],
        default=Default(key="budget", otherwise="quick"),
    )
    parser.add_argument("--seed", type=int, default=Default(key="seed", otherwise=0))


def vendor(parser: argparse.ArgumentParser, *, needed: bool = True) -> None:
    """Add where a vendor is and within which limits it runs."""
    parser.add_argument(
        "--vendor", default=Default(key="vendor", needed="--vendor" if needed else "")
    )
    parser.add_argument("--folder", metavar="DIR", default=Default(key="folder"))
    games(parser)
    limits(parser)


def limits(parser: argparse.ArgumentParser) -> None:
    """Add within which limits a vendor runs."""
    for name, kind, metavar in (
        ("time", float, "SECONDS"),
        ("total", float, "SECONDS"),
        ("memory", int, "MIB"),
        ("grace", float, "SECONDS"),
    ):
        parser.add_argument(
            f"--{name}-limit", type=kind, metavar=metavar, default=Default(key=f"limits.{name}")
        )


def rulings(parser: argparse.ArgumentParser) -> None:
    """Add which readings are followed."""
    parser.add_argument("--ruling", action="append", metavar="ID=READING")
    parser.add_argument("--rulings", metavar="FILE", default=Default(key="rulings"))


def permissions(parser: argparse.ArgumentParser) -> None:
    """Add what the authority has signed, and whose signature counts."""
    parser.add_argument(
        "--permission", action=Gather, metavar="FILE", default=Default(key="permissions")
    )
    trust(parser)


def trust(parser: argparse.ArgumentParser) -> None:
    """Add whose signature counts."""
    parser.add_argument("--trust", action=Gather, metavar="CERT", default=Default(key="trust"))
    parser.add_argument("--crl", action=Gather, metavar="FILE", default=Default(key="crl"))


def signer(parser: argparse.ArgumentParser) -> None:
    """Add the key that signs: in a file, or on a token."""
    key = parser.add_mutually_exclusive_group(required=True)
    key.add_argument("--p12", metavar="FILE")
    key.add_argument("--pkcs11-module", metavar="FILE")
    parser.add_argument("--passphrase-file", metavar="FILE")
    parser.add_argument("--token", metavar="LABEL")
    parser.add_argument("--key-label", metavar="LABEL")
    parser.add_argument("--certificate", metavar="FILE")
    parser.add_argument("--pin-file", metavar="FILE")
    parser.add_argument("--chain", action="append", default=[], metavar="FILE")


def date(parser: argparse.ArgumentParser) -> None:
    """Add the day whose law is asked for."""
    parser.add_argument("--as-of", type=day, metavar="DATE", default=Default(key="as-of"))


def day(written: str) -> dt.date:
    """Return a day that a person wrote."""
    try:
        return dt.date.fromisoformat(written)
    except ValueError as error:
        msg = f"'{written}' is not a day"
        raise argparse.ArgumentTypeError(msg) from error


def language(parser: argparse.ArgumentParser) -> None:
    """Add the language of our own words."""
    # It may stand before the command or after it: whoever does not give it leaves it as it is.
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS)


def result(parser: argparse.ArgumentParser) -> None:
    """Add that the result is printed for programs."""
    parser.add_argument("--json", action="store_true")


def out(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add the folder in which an examination leaves what it made."""
    parser.add_argument("--out", metavar="DIR", default=Default(key="out", otherwise=otherwise))
