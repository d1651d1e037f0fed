"""Options that several commands share."""

from __future__ import annotations

import argparse
import datetime as dt
from typing import Final

from selo.cli.output.language_choice import LANGUAGES
from selo.cli.parser.defaults import AppendAction, Default

#: The largest sample of draws or rounds.
_MAX_SAMPLE: Final = 10**9
#: In the place of a number of draws: as many of each game as a certificate needs.
CERTIFICATE_DRAWS: Final = "certificate"


def add_games(parser: argparse.ArgumentParser) -> None:
    """Add the choice of games."""
    parser.add_argument("--game", action=AppendAction, metavar="GAME", default=Default(key="games"))


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Add the budget and the seed of a plan."""
    parser.add_argument(
        "--budget",
        choices=["quick", "standard", "full"],
        default=Default(key="budget", fallback="quick"),
    )
    parser.add_argument("--seed", type=int, default=Default(key="seed", fallback=0))


def add_samples(parser: argparse.ArgumentParser) -> None:
    """Add the sizes of samples, where the budget does not decide."""
    parser.add_argument("--draws", type=_parse_draws, metavar="N|certificate", default=0)
    parser.add_argument("--rounds", type=parse_count, metavar="N", default=0)


def _parse_draws(written: str) -> int | str:
    """Return the size of a sample, or the word for what a certificate needs."""
    return written if written == CERTIFICATE_DRAWS else parse_count(written)


def parse_count(written: str) -> int:
    """Return the size of a sample."""
    try:
        number = float(written) if "e" in written.lower() else int(written)
    except ValueError:
        number = 0
    if not 1 <= number <= _MAX_SAMPLE or number != int(number):
        msg = f"'{written}' is not a number from 1 to {_MAX_SAMPLE}"
        raise argparse.ArgumentTypeError(msg)
    return int(number)


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add workers on other machines."""
    parser.add_argument("--cluster", metavar="ADDRESS")
    parser.add_argument("--cluster-keys", metavar="DIR")


def add_vendor(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the address of a vendor, its games and its limits."""
    parser.add_argument(
        "--vendor", default=Default(key="vendor", required="--vendor" if required else "")
    )
    parser.add_argument("--folder", metavar="DIR", default=Default(key="folder"))
    parser.add_argument(
        "--visible", action=AppendAction, metavar="PATH", default=Default(key="visible")
    )
    add_games(parser)
    add_limits(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the resource limits of a vendor."""
    for name, kind, metavar in (
        ("time", float, "SECONDS"),
        ("total", float, "SECONDS"),
        ("memory", int, "MIB"),
        ("grace", float, "SECONDS"),
    ):
        parser.add_argument(
            f"--{name}-limit", type=kind, metavar=metavar, default=Default(key=f"limits.{name}")
        )


def add_rulings(parser: argparse.ArgumentParser) -> None:
    """Add the readings to adopt."""
    parser.add_argument("--ruling", action="append", metavar="ID=READING")
    parser.add_argument("--rulings", metavar="FILE", default=Default(key="rulings"))


def add_permissions(parser: argparse.ArgumentParser) -> None:
    """Add permissions of the authority, and the certificates that they are checked with."""
    parser.add_argument(
        "--permission", action=AppendAction, metavar="FILE", default=Default(key="permissions")
    )
    add_trust(parser)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add trusted certificates and revocation lists."""
    parser.add_argument(
        "--trust", action=AppendAction, metavar="CERT", default=Default(key="trust")
    )
    parser.add_argument("--crl", action=AppendAction, metavar="FILE", default=Default(key="crl"))


def add_registry(parser: argparse.ArgumentParser) -> None:
    """Add the registry that is asked about a document, and the policy under which it is trusted."""
    parser.add_argument("--registry", metavar="PATH")
    parser.add_argument("--registry-policy", metavar="FILE")


def add_signing_key(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the key that signs: in a file, or on a token."""
    key = parser.add_mutually_exclusive_group(required=required)
    key.add_argument("--p12", metavar="FILE")
    key.add_argument("--pkcs11-module", metavar="FILE")
    parser.add_argument("--passphrase-file", metavar="FILE")
    parser.add_argument("--token", metavar="LABEL")
    parser.add_argument("--key-label", metavar="LABEL")
    parser.add_argument("--certificate", metavar="FILE")
    parser.add_argument("--pin-file", metavar="FILE")
    parser.add_argument("--chain", action="append", default=[], metavar="FILE")


def add_date(parser: argparse.ArgumentParser) -> None:
    """Add the day on which the law is applied."""
    parser.add_argument("--as-of", type=parse_day, metavar="DATE", default=Default(key="as-of"))


def add_text_as_stored(parser: argparse.ArgumentParser) -> None:
    """Add the choice to apply the stored text whatever the day."""
    parser.add_argument(
        "--text-as-stored",
        action="store_true",
        default=Default(key="text-as-stored", fallback=False),
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """Add how many processes of a vendor run side by side."""
    parser.add_argument("--processes", type=int, metavar="N", default=Default(key="processes"))


def parse_day(written: str) -> dt.date:
    """Return a date written as YYYY-MM-DD."""
    try:
        return dt.date.fromisoformat(written)
    except ValueError as error:
        msg = f"'{written}' is not a day"
        raise argparse.ArgumentTypeError(msg) from error


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the language of messages."""
    # It may stand before or after the command, so a missing one must not overwrite the other.
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add output as JSON."""
    parser.add_argument("--json", action="store_true")


def add_witness_forms(parser: argparse.ArgumentParser) -> None:
    """Add the forms that witnesses filled in."""
    parser.add_argument("--witness", action="append", metavar="FORM")


def add_plan_scope(parser: argparse.ArgumentParser) -> None:
    """Add everything that determines a plan, besides the vendor."""
    parser.add_argument("--provision", action="append", metavar="ID")
    add_date(parser)
    add_text_as_stored(parser)
    add_budget(parser)
    add_samples(parser)
    parser.add_argument("--seal", metavar="FILE")
    add_rulings(parser)
    add_permissions(parser)


def add_examination(parser: argparse.ArgumentParser) -> None:
    """Add everything that an examination takes."""
    add_vendor(parser)
    add_plan_scope(parser)
    add_witness_forms(parser)
    parser.add_argument("--par", action="append", metavar="FILE")
    add_processes(parser)
    add_cluster(parser)
    parser.add_argument("--out", metavar="DIR", default=Default(key="out", fallback="selo-run"))
