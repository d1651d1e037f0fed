"""``selo seal``: a seed that an inspector commits to before a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say

if TYPE_CHECKING:
    import argparse


def add_new_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo seal new``."""
    shared.add_vendor(parser)
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument("--tsa", metavar="URL")
    parser.add_argument("--passphrase-file", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_new(arguments: argparse.Namespace) -> int:
    """Make a seal."""
    from selo.cli.resolved_options.vendor_options import folder_of, open_session
    from selo.examine.run.seed_commitment import create_seal, write_seal
    from selo.examine.vendor_description import check_declared_files, introduce_vendor
    from selo.law import compute_spec_digest, load_law
    from selo.vendors.faults import VendorBroken
    from selo.vendors.vendor_start import started_files, way_of

    law = load_law()
    session = open_session(arguments)
    try:
        introduction = introduce_vendor(session, law)
        faults = [
            *introduction.faults,
            *check_declared_files(introduction.description, folder_of(arguments)),
        ]
        faults += session.end()
    finally:
        session.kill()
    if faults:
        raise VendorBroken(faults[0])
    seal = create_seal(
        introduction.description,
        compute_spec_digest(law),
        reached=way_of(arguments.vendor),
        started=started_files(arguments.vendor, folder_of(arguments)),
    )
    if arguments.tsa is not None:
        seal = msgspec.structs.replace(seal, token=_stamp(seal.commitment, arguments))
    write_seal(Path(arguments.out), seal)
    if arguments.json:
        # The seed stays in its file: what is printed may be published.
        print_json({"commitment": seal.commitment, "file": arguments.out, "token": seal.token})
        return Exit.CONFORMS
    out = console()
    out.print(say("seal.made", arguments.lang, path=arguments.out))
    out.print(say("seal.commitment", arguments.lang, commitment=seal.commitment), style="bold")
    return Exit.CONFORMS


def _stamp(commitment: str, arguments: argparse.Namespace) -> str:
    from selo.cli.resolved_options.signing_key import create_stamper
    from selo.signing.verify import stamp_digest

    token: str = stamp_digest(commitment, create_stamper(arguments))
    return token


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo seal check``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--commitment", metavar="HEX")
    shared.add_language(parser)
    shared.add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Check a seal."""
    from selo.examine.run.seed_commitment import SealBroken, read_seal

    seal = read_seal(Path(arguments.file))
    if arguments.commitment is not None and arguments.commitment != seal.commitment:
        raise SealBroken(say("seal.other", arguments.lang, commitment=seal.commitment))
    if arguments.json:
        print_json({"commitment": seal.commitment, "holds": True})
        return Exit.CONFORMS
    console().print(say("seal.holds", arguments.lang, commitment=seal.commitment), style="green")
    return Exit.CONFORMS
