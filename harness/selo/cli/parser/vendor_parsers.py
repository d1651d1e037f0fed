"""Commands on a vendor's adapter, before it is judged."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from selo.cli.output.language_choice import LANGUAGES
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _protocol(commands.add_parser("protocol"))
    _smoke(commands.add_parser("smoke"))
    _adapter(commands.add_parser("adapter"))
    _vectors(commands.add_parser("vectors"))


def _protocol(protocol: argparse.ArgumentParser) -> None:
    protocol.set_defaults(module="vendor.protocol")
    protocol.add_argument("--game", metavar="GAME")
    form = protocol.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--markdown", action="store_true")
    form.add_argument("--schema", metavar="NAME")
    shared.language(protocol)


def _smoke(smoke: argparse.ArgumentParser) -> None:
    smoke.set_defaults(module="vendor.smoke")
    shared.vendor(smoke)
    smoke.add_argument("--out", default="selo-faults", metavar="DIR")
    shared.language(smoke)
    shared.result(smoke)


def _adapter(adapter: argparse.ArgumentParser) -> None:
    commands = adapter.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new")
    new.set_defaults(module="vendor.adapter")
    # --lang is a language of people everywhere else; here it is one of machines.
    new.add_argument(
        "--lang",
        dest="to",
        required=True,
        choices=["python", "javascript", "java", "c", "rust"],
    )
    new.add_argument("--game", required=True)
    new.add_argument("--out", metavar="DIR")
    new.add_argument("--words", dest="lang", choices=LANGUAGES, default=argparse.SUPPRESS)
    shared.result(new)


def _vectors(vectors: argparse.ArgumentParser) -> None:
    commands = vectors.add_subparsers(metavar="COMMAND", required=True)

    write = commands.add_parser("write")
    write.set_defaults(module="vendor.vectors", action="write")
    write.add_argument("--out", required=True, metavar="DIR")
    shared.games(write)
    write.add_argument("--description", metavar="FILE")
    shared.budget(write)
    shared.rulings(write)
    shared.language(write)
    shared.result(write)

    grade = commands.add_parser("grade")
    grade.set_defaults(module="vendor.vectors", action="grade")
    grade.add_argument("folder", metavar="DIR")
    grade.add_argument("answers", metavar="ANSWERS")
    grade.add_argument("--out", default="selo-faults", metavar="DIR")
    shared.language(grade)
    shared.result(grade)
