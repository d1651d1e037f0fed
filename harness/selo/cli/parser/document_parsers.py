"""Commands on documents: made from an examination, signed, and verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.cli.parser.command_tree import Commands


def add(commands: Commands) -> None:
    """Add the commands of this group."""
    _report(commands.add_parser("report"))
    _keys(commands.add_parser("keys"))
    _sign(commands.add_parser("sign"))
    _verify(commands.add_parser("verify"))
    _reproduce(commands.add_parser("reproduce"))


def _report(report: argparse.ArgumentParser) -> None:
    report.set_defaults(module="document.report")
    report.add_argument("folder", metavar="DIR")
    report.add_argument("--dossier", metavar="FILE")
    report.add_argument("--kind", choices=["pre-check", "test-report", "certificate"])
    report.add_argument("--witness", action="append", metavar="FORM")
    report.add_argument(
        "--format",
        action="append",
        choices=["terminal", "json", "junit", "sarif", "html", "pdf"],
    )
    report.add_argument("--lang-add", action="append", choices=["en"])
    report.add_argument("--selftest", metavar="FILE")
    report.add_argument("--out", metavar="DIR")
    shared.language(report)
    shared.result(report)


def _keys(keys: argparse.ArgumentParser) -> None:
    commands = keys.add_subparsers(metavar="COMMAND", required=True)
    demo = commands.add_parser("demo")
    demo.set_defaults(module="document.keys")
    demo.add_argument("--out", required=True, metavar="DIR")
    demo.add_argument("--passphrase-file", metavar="FILE")
    shared.language(demo)
    shared.result(demo)


def _sign(sign: argparse.ArgumentParser) -> None:
    sign.set_defaults(module="document.sign")
    sign.add_argument("file", metavar="FILE")
    sign.add_argument("--out", required=True, metavar="FILE")
    sign.add_argument(
        "--as", dest="capacity", choices=["laboratory", "bureau"], default="laboratory"
    )
    sign.add_argument("--level", choices=["b-b", "b-t", "b-lt", "b-lta"])
    shared.signer(sign)
    sign.add_argument("--tsa", metavar="URL")
    sign.add_argument("--clock-tolerance", type=float, metavar="SECONDS")
    sign.add_argument("--trust", action="append", default=[], metavar="FILE")
    sign.add_argument("--crl", action="append", default=[], metavar="FILE")
    sign.add_argument("--qualified-root", action="append", default=[], metavar="FILE")
    sign.add_argument("--font", action="append", default=[], metavar="FILE")
    shared.language(sign)
    shared.result(sign)


def _verify(verify: argparse.ArgumentParser) -> None:
    verify.set_defaults(module="document.verify")
    verify.add_argument("file", metavar="FILE")
    verify.add_argument("--trust", action="append", default=[], metavar="CERT")
    verify.add_argument("--crl", action="append", default=[], metavar="FILE")
    verify.add_argument("--beside", metavar="DIR")
    verify.add_argument("--pages", action="store_true")
    # What a project examines by default is not what somebody else's document speaks of.
    verify.add_argument("--vendor", metavar="VENDOR")
    verify.add_argument("--folder", metavar="DIR")
    shared.limits(verify)
    shared.language(verify)
    shared.result(verify)


def _reproduce(reproduce: argparse.ArgumentParser) -> None:
    reproduce.set_defaults(module="document.reproduce")
    reproduce.add_argument("file", metavar="FILE")
    shared.vendor(reproduce)
    reproduce.add_argument("--out", default="selo-reproduced", metavar="DIR")
    shared.language(reproduce)
    shared.result(reproduce)
