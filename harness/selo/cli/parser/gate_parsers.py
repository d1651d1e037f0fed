"""Commands for every day: the gate of a CI, and the permissions of the authority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared
from selo.cli.parser.defaults import Default
from selo.cli.parser.examination_parsers import examining

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _gate(commands.add_parser("gate"))
    _permission(commands.add_parser("permission"))


def _gate(gate: argparse.ArgumentParser) -> None:
    gate.set_defaults(module="gate.gate", action="examine")
    examining(gate)
    gate.add_argument("--deviations", metavar="FILE", default=Default(key="deviations"))
    gate.add_argument(
        "--fail-on",
        choices=["violates", "inconclusive", "not-examined", "to-be-witnessed"],
        default=Default(key="gate.fail-on", otherwise="inconclusive"),
    )
    gate.add_argument(
        "--at-least", type=int, metavar="N", default=Default(key="gate.at-least", otherwise=1)
    )
    gate.add_argument(
        "--format",
        action="append",
        choices=["none", "terminal", "json", "junit", "sarif", "html", "pdf"],
    )
    gate.add_argument("--on", type=shared.day, metavar="DATE")
    shared.language(gate)
    shared.result(gate)


def _permission(permission: argparse.ArgumentParser) -> None:
    commands = permission.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new")
    new.set_defaults(module="gate.permission", action="new")
    new.add_argument("--out", required=True, metavar="FILE")
    shared.vendor(new, needed=False)

    sign = commands.add_parser("sign")
    sign.set_defaults(module="gate.permission", action="sign")
    sign.add_argument("file", metavar="FILE")
    shared.signer(sign)

    check = commands.add_parser("check")
    check.set_defaults(module="gate.permission", action="check")
    check.add_argument("file", metavar="FILE")
    shared.trust(check)
    shared.vendor(check, needed=False)
    check.add_argument("--on", type=shared.day, metavar="DATE")

    for one in (new, sign, check):
        shared.language(one)
        shared.result(one)
