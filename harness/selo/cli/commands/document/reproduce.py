"""``selo reproduce``: the exact plan of a document, run again against a build."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.options.vendor_options import folder_of, limits_of
from selo.cli.output import counting
from selo.cli.output.tables import console, print_json
from selo.errors import SeloError
from selo.evidence.evidence_reader import Reader
from selo.examine.exchange.workers import Reached
from selo.examine.run.examination import Header
from selo.law.loader import load
from selo.signing import read
from selo.text import wrong
from selo.text.message_catalogue import say
from selo.text.sanitize import visible
from selo.vendors import keep
from selo.vendors.faults import VendorBroken
from selo.verification import laid_out, reproduce
from selo.verification.document_parts import Opened, Unreadable, enclosed_checks, opened

if TYPE_CHECKING:
    import argparse

    from selo.verification import Reproduced

_NAME = 200


class DocumentBroken(SeloError):
    """A document whose plan cannot be read."""

    code = "tampered"


def run(arguments: argparse.Namespace) -> int:
    """Run the plan of a document again and say which verdicts are other ones."""
    law, path, folder = load(), Path(arguments.file), Path(arguments.out)
    try:
        found = opened(read(path))
    except Unreadable as error:
        raise DocumentBroken(say("verify.document.unreadable", "en", problem=error)) from error
    header = _header(found, path.parent)
    vendor = Reached(arguments.vendor, limits_of(arguments), folder_of(arguments))
    try:
        with counting(visible(found.report.item.product, _NAME)) as told:
            came = reproduce(
                found.report, header, law, vendor, folder, cores=os.cpu_count() or 1, told=told
            )
    except VendorBroken as error:
        keep(folder / "faults", [error.fault], arguments.vendor)
        raise
    _tell(came, found, arguments)
    return came.exit


def _header(found: Opened, beside: Path) -> Header:
    """Return the first line of the evidence of a document, which determines its plan."""
    files = {}
    for check, data in enclosed_checks(found, beside):
        if data is not None:
            files[check.slots["file"]] = data
    with tempfile.TemporaryDirectory(prefix="selo-reproduce-") as place:
        laid_out(Path(place), files)
        try:
            return msgspec.convert(Reader(Path(place)).read().header, Header)
        except FileNotFoundError as error:
            raise wrong("evidence-absent") from error


def _tell(came: Reproduced, found: Opened, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(
            {
                "number": found.report.number,
                "exit": came.exit,
                "same": came.same,
                "witnessed": came.witnessed,
                "same_build": came.same_build,
                "changed": came.changed,
                "evidence_root": came.outcome.evidence_root,
            }
        )
        return
    out, language = console(), arguments.lang
    build = "same" if came.same_build else "other"
    out.print(
        say(f"reproduce.build.{build}", language), style=None if came.same_build else "yellow"
    )
    for one in came.changed:
        out.print(
            say("reproduce.changed", language, provision=one.provision,
                before=_verdict(one.before, language), after=_verdict(one.after, language)),
            style="bold red",
        )  # fmt: skip
    if came.witnessed:
        out.print(say("reproduce.witnessed", language, count=came.witnessed), style="dim")
    out.print(say("reproduce.unverified", language), style="dim")
    out.print(
        say("reproduce.conclusion", language, same=came.same, changed=len(came.changed)),
        style="green" if not came.changed else "bold red",
    )


def _verdict(name: str, language: str) -> str:
    return name if name == "–" else say(f"verdict.{name}", language)
