"""Commands on what can be proven afterwards: seeds, evidence, witnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _seal(commands.add_parser("seal"))
    _evidence(commands.add_parser("evidence"))
    _witness(commands.add_parser("witness"))


def _seal(seal: argparse.ArgumentParser) -> None:
    commands = seal.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new")
    new.set_defaults(module="proof.seal", action="new")
    shared.vendor(new)
    new.add_argument("--out", required=True, metavar="FILE")
    shared.language(new)
    shared.result(new)

    check = commands.add_parser("check")
    check.set_defaults(module="proof.seal", action="check")
    check.add_argument("file", metavar="FILE")
    check.add_argument("--commitment", metavar="HEX")
    shared.language(check)
    shared.result(check)


def _evidence(evidence: argparse.ArgumentParser) -> None:
    commands = evidence.add_subparsers(metavar="COMMAND", required=True)
    check = commands.add_parser("check")
    proof = commands.add_parser("proof")
    verify = commands.add_parser("verify-proof")
    verify.add_argument("file", metavar="FILE")
    for action, parser in (("check", check), ("proof", proof), ("verify-proof", verify)):
        parser.set_defaults(module="proof.evidence", action=action)
        if parser is not verify:
            parser.add_argument("folder", metavar="DIR")
        parser.add_argument("--root", metavar="HEX", required=parser is verify)
        shared.language(parser)
        shared.result(parser)
    check.add_argument("--draws-root", metavar="HEX")
    proof.add_argument("case", metavar="CASE")
    proof.add_argument("--draws", action="store_true")
    proof.add_argument("--out", metavar="FILE")


def _witness(witness: argparse.ArgumentParser) -> None:
    commands = witness.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new")
    new.set_defaults(module="proof.witness", action="new")
    shared.games(new)
    new.add_argument("--out", default=".", metavar="DIR")
    shared.language(new)
    shared.result(new)

    check = commands.add_parser("check")
    check.set_defaults(module="proof.witness", action="check")
    check.add_argument("forms", nargs="+", metavar="FILE")
    check.add_argument(
        "--as-of",
        type=shared.day,
        metavar="DATE",
    )
    shared.language(check)
    shared.result(check)
