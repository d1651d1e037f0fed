"""``selo law sign``: an authority signs an edition of the law."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law sign``."""
    parser.add_argument("--out", required=True, metavar="FILE")
    shared.add_signing_key(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sign the edition of the law at hand; a law that fails its check is not signed."""
    from selo.cli.resolved_options.signing_key import open_signing_key
    from selo.edition import describe_edition, digest_edition, read_edition_files
    from selo.gate.permission_signature import sign_permission
    from selo.law.lint import check_law
    from selo.rules.checks import check_games
    from selo.signing.keys.certificates import certificate_name
    from selo.storage import write_file

    law, problems = check_law()
    if law is not None and not problems:
        problems = list(check_games(law))
    if law is None or problems:
        raise user_error("law-not-signed", count=len(problems), problem=problems[0])
    path = Path(arguments.out)
    signature = path.with_name(f"{path.name}.p7s")
    content = describe_edition(law)
    with open_signing_key(arguments) as key:
        signer = certificate_name(key.certificate)
        signed = sign_permission(content, key, dt.datetime.now(dt.UTC))
    write_file(path, content)
    write_file(signature, signed)
    edition = digest_edition(read_edition_files(law))
    if arguments.json:
        record = {"file": str(path), "signature": str(signature), "edition": edition}
        print_json({**record, "signer": signer})
    else:
        text = say("law.signed", arguments.lang, path=path, edition=edition, signer=signer)
        console().print(text, soft_wrap=True)
    return Exit.CONFORMS
