"""``selo seal``: a seed that an inspector commits to before a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.options.vendor_options import folder_of, session_of
from selo.cli.output import Exit
from selo.cli.output.tables import console, print_json
from selo.examine.exchange.describe_check import files_differ, introduced
from selo.examine.run.seed_commitment import SealBroken, new, read, write
from selo.law.loader import load
from selo.law.spec_digest import spec_digest
from selo.text.message_catalogue import say
from selo.vendors.faults import VendorBroken

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Make a seal, or check one."""
    return _new(arguments) if arguments.action == "new" else _check(arguments)


def _new(arguments: argparse.Namespace) -> int:
    law = load()
    session = session_of(arguments)
    try:
        known = introduced(session, law)
        faults = [*known.faults, *files_differ(known.description, folder_of(arguments))]
        faults += session.end()
    finally:
        session.kill()
    if faults:
        raise VendorBroken(faults[0])
    seal = new(known.description, spec_digest(law))
    write(Path(arguments.out), seal)
    if arguments.json:
        # The seed stays in its file: what is printed may be published.
        print_json({"commitment": seal.commitment, "file": arguments.out})
        return Exit.CONFORMS
    out = console()
    out.print(say("seal.made", arguments.lang, path=arguments.out))
    out.print(say("seal.commitment", arguments.lang, commitment=seal.commitment), style="bold")
    return Exit.CONFORMS


def _check(arguments: argparse.Namespace) -> int:
    seal = read(Path(arguments.file))
    if arguments.commitment is not None and arguments.commitment != seal.commitment:
        raise SealBroken(say("seal.other", arguments.lang, commitment=seal.commitment))
    if arguments.json:
        print_json({"commitment": seal.commitment, "holds": True})
        return Exit.CONFORMS
    console().print(say("seal.holds", arguments.lang, commitment=seal.commitment), style="green")
    return Exit.CONFORMS
