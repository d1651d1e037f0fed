"""``selo sign``: adds a signature to a document, or refuses and writes no file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.output.error_output import render_error
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.message_catalogue import message_words

if TYPE_CHECKING:
    import argparse

    from selo.signing.sign import DocumentFacts, SignatureRequest, SignatureStatement

#: Latin, Chinese, and what the two lack; in this order.
_FONTS: Final = (
    "SourceSerif4-Regular.ttf",
    "NotoSerifTC-Regular.ttf",
    "SeloFallback-Regular.ttf",
    "DejaVuSans.ttf",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo sign``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument(
        "--as", dest="capacity", choices=["laboratory", "bureau"], default="laboratory"
    )
    parser.add_argument("--level", choices=["b-b", "b-t", "b-lt", "b-lta"])
    shared.add_signing_key(parser)
    parser.add_argument("--tsa", metavar="URL")
    parser.add_argument("--clock-tolerance", type=float, metavar="SECONDS")
    parser.add_argument("--policy", metavar="FILE")
    for name in ("trust", "crl", "qualified-root", "font"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sign the document, or refuse."""
    from selo.signing import SigningRefused

    try:
        return _sign(arguments)
    except SigningRefused as error:
        print(render_error(error, arguments.lang), file=sys.stderr)
        return Exit.USAGE


def _sign(arguments: argparse.Namespace) -> int:
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.signing.sign import read_document_facts, sign_document
    from selo.storage import read_bounded
    from selo.storage.atomic_write import require_free, write_file

    document, out = read_bounded(Path(arguments.file)), Path(arguments.out)
    require_free(out)
    facts = read_document_facts(document)
    with open_signing_key(arguments) as key:
        request = _read_request(arguments, facts)
        signed = sign_document(document, key, request)
    write_file(out, signed.document)
    return _print(arguments, signed.statement)


def _read_request(arguments: argparse.Namespace, facts: DocumentFacts) -> SignatureRequest:
    from selo.cli.resolved_options.signing_key import (
        create_stamper,
        read_certificates,
        resolve_policy,
    )
    from selo.signing import Capacity, Level
    from selo.signing.sign import SignatureRequest

    capacity, policy = Capacity(arguments.capacity), resolve_policy(arguments)
    level = Level(arguments.level or ("b-t" if arguments.tsa else "b-b"))
    return SignatureRequest(
        capacity=capacity,
        capacity_text=facts.capacity_of(capacity) or message_words(f"sign.capacity.{capacity}"),
        level=level,
        demonstration=facts.demonstration,
        fonts=tuple(map(Path, arguments.font)) or _font_files(),
        stamper=create_stamper(arguments) if level.reaches(Level.T) and arguments.tsa else None,
        trust=policy.roots,
        revocations=policy.revocations,
        policy=policy if policy.signers else None,
        announced=facts.name_of(capacity),
        qualified=read_certificates(arguments.qualified_root),
    )


def _font_files() -> tuple[Path, ...]:
    folder = data_files.data_folder("reports") / "fonts"
    return tuple(folder / file for file in _FONTS)


def _print(arguments: argparse.Namespace, statement: SignatureStatement) -> int:
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
