"""``selo sign``: one signature more on a document, or a clear refusal and no file."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.cli.options.signing_key import certificates_in, key_of, passphrase_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.signing import Capacity, Level, SigningRefused, read, write
from selo.signing.keys import from_pkcs12
from selo.signing.keys.certificates import revocations
from selo.signing.keys.timestamps import TOLERANCE, Stamper, over_http
from selo.signing.sign import Wanted, facts, sign
from selo.text.message_catalogue import say, sentence

if TYPE_CHECKING:
    import argparse

    from selo.signing.sign import Facts, Statement

#: Latin, Chinese, and what the two lack; in this order.
_FONTS: Final = (
    "SourceSerif4-Regular.ttf",
    "NotoSerifTC-Regular.ttf",
    "SeloFallback-Regular.ttf",
    "DejaVuSans.ttf",
)


def run(arguments: argparse.Namespace) -> int:
    """Sign the document, or refuse."""
    try:
        return _signed(arguments)
    except SigningRefused as error:
        print(error.told(arguments.lang), file=sys.stderr)
        return Exit.USAGE


def _signed(arguments: argparse.Namespace) -> int:
    document = read(Path(arguments.file))
    said = facts(document)
    with key_of(arguments) as key:
        wanted = _wanted(arguments, said)
        signed = sign(document, key, wanted)
    write(Path(arguments.out), signed.document)
    return _told(arguments, signed.statement)


def _wanted(arguments: argparse.Namespace, said: Facts) -> Wanted:
    capacity = Capacity(arguments.capacity)
    level = Level(arguments.level or ("b-t" if arguments.tsa else "b-b"))
    return Wanted(
        capacity=capacity,
        says=said.says(capacity) or sentence(f"sign.capacity.{capacity}"),
        level=level,
        demonstration=said.demonstration,
        fonts=tuple(map(Path, arguments.font)) or _fonts(),
        stamper=_stamper(arguments) if level.reaches(Level.T) and arguments.tsa else None,
        trust=certificates_in(arguments.trust),
        revocations=tuple(revocations(Path(file)) for file in arguments.crl),
        qualified=certificates_in(arguments.qualified_root),
    )


def _fonts() -> tuple[Path, ...]:
    folder = data_files.folder("reports") / "fonts"
    return tuple(folder / file for file in _FONTS)


def _stamper(arguments: argparse.Namespace) -> Stamper:
    tolerance = TOLERANCE
    if arguments.clock_tolerance is not None:
        tolerance = dt.timedelta(seconds=arguments.clock_tolerance)
    if not arguments.tsa.endswith(".p12"):
        return Stamper(over_http(arguments.tsa), arguments.tsa, tolerance=tolerance)
    from selo.signing.keys import TimeAuthority  # noqa: PLC0415 - only demonstrations are their own

    key = from_pkcs12(Path(arguments.tsa), passphrase_of(arguments))
    return Stamper(TimeAuthority(key).answer, arguments.tsa, tolerance=tolerance)


def _told(arguments: argparse.Namespace, statement: Statement) -> int:
    if arguments.json:
        print_json(
            {
                "file": arguments.out,
                "signer": statement.name,
                "capacity": arguments.capacity,
                "level": statement.level,
                "standing": statement.standing,
                "at": statement.at,
                "demonstration": statement.demonstration,
            }
        )
        return Exit.CONFORMS
    out = console()
    out.print(
        say(
            "sign.done",
            arguments.lang,
            path=arguments.out,
            name=statement.name,
            standing=say(f"sign.standing.{statement.standing}", arguments.lang),
            level=statement.level.value,
        )
    )
    if statement.demonstration:
        out.print(say("sign.demonstration", arguments.lang), style="bold")
    return Exit.CONFORMS
