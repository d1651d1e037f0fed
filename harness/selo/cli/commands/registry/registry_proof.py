"""``selo registry prove`` and ``verify-proof``: what a log contains, in one file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.commands.registry.registry_view import print_freshness
from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import argparse


def add_prove_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry prove``."""
    parser.add_argument("folder", metavar="DIR")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--line", type=int, metavar="N")
    what.add_argument("--of", metavar="NUMBER")
    what.add_argument("--head", metavar="FILE")
    parser.add_argument("--out", required=True, metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_prove(arguments: argparse.Namespace) -> int:
    """Write a proof of a line, of the newest event of a certificate, or of an older head."""
    from selo.registry import CertificateRegistry
    from selo.registry.status.log_proof import prove_line, prove_older
    from selo.registry.tree_heads import parse_head
    from selo.storage import read_bounded, write_file

    registry = CertificateRegistry.at(Path(arguments.folder))
    if arguments.head is not None:
        heads = [line for line in read_bounded(Path(arguments.head)).splitlines() if line]
        if not heads:
            raise user_error("registry-head-file", path=arguments.head)
        proof = prove_older(registry, parse_head(heads[-1]))
    else:
        number = arguments.line
        if number is None:
            book = registry.check(signatures=False).book
            record = book.certificates.get(arguments.of)
            if record is None:
                raise user_error("registry-unknown", certificate=arguments.of)
            number = record.events[-1].number
        proof = prove_line(registry, number)
    write_file(Path(arguments.out), proof.encode())
    if arguments.json:
        print_json({"proof": arguments.out, "size": proof.head.head.size})
    else:
        slots = {"path": arguments.out, "size": proof.head.head.size}
        console().print(say("registry.proof.written", arguments.lang, **slots), soft_wrap=True)
    return Exit.CONFORMS


def add_verify_proof_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo registry verify-proof``."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--policy", required=True, metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run_verify_proof(arguments: argparse.Namespace) -> int:
    """Verify a proof by a policy alone; a head past its expiry leaves it open."""
    from selo.registry import read_registry_policy
    from selo.registry.certificate_lookup import ListFreshness, head_freshness
    from selo.registry.status.log_proof import find_proof_faults, read_proof

    proof = read_proof(Path(arguments.file))
    faults = list(find_proof_faults(proof, read_registry_policy(Path(arguments.policy))))
    freshness = head_freshness(proof.head.head, dt.datetime.now(dt.UTC))
    sure = freshness is ListFreshness.CURRENT
    code = Exit.TAMPERED if faults else Exit.CONFORMS if sure else Exit.OPEN
    event = None if proof.line is None else proof.line.event
    older = None if proof.old is None else proof.old.head.size
    if arguments.json:
        print_json(
            {
                "event": event, "older": older, "size": proof.head.head.size,
                "freshness": freshness, "faults": faults, "exit": int(code),
            }
        )  # fmt: skip
        return code
    out = console()
    for fault in faults:
        out.print(f"✗ {escape_unseen(fault)}", style="red", soft_wrap=True)
    print_freshness(out, proof.head.head, freshness, arguments.lang)
    if not faults:
        slots = {"size": proof.head.head.size, "day": proof.head.head.at.date()}
        key = "registry.proof.older" if event is None else "registry.proof.line"
        number = older if event is None else event.number
        out.print(say(key, arguments.lang, number=number, **slots), soft_wrap=True)
    return code
