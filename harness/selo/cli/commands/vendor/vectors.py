"""``selo vectors``: questions written to a file, and the answers in another file graded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cli.options.vendor_options import games_of, rulings_adopted
from selo.cli.output import Exit, counting
from selo.cli.output.tables import console, print_json
from selo.cli.printing import exit_of, print_tally, record
from selo.cli.printing.round_results import (
    exit_of_rounds,
    print_conclusion,
    print_rounds,
    record_rounds,
    worse,
)
from selo.examine.offline import REQUESTS, grade, scope_of, tables_offered, write
from selo.law.loader import load
from selo.protocol.messages import Description
from selo.text import wrong
from selo.text.message_catalogue import say
from selo.vendors import keep
from selo.vendors.faults import VendorBroken

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Write vectors, or grade them."""
    return _write(arguments) if arguments.action == "write" else _grade(arguments)


def _write(arguments: argparse.Namespace) -> int:
    law = load()
    described, games = _described(arguments.description), games_of(arguments, law)
    folder = Path(arguments.out)
    try:
        with counting(REQUESTS) as told:
            vectors = write(
                folder,
                law,
                scope_of(described, law, games),
                tables=tables_offered(described, law, games),
                budget=arguments.budget,
                seed=arguments.seed,
                rulings=rulings_adopted(arguments, law).followed,
                told=told,
            )
    except OSError as error:
        raise wrong("unwritten-folder", path=folder, error=error) from error
    if arguments.json:
        print_json(vectors)
        return Exit.CONFORMS
    out = console()
    slots = {
        "count": vectors.cases, "rounds": vectors.rounds, "path": folder / REQUESTS,
        "folder": folder,
    }  # fmt: skip
    out.print(say("vectors.written", arguments.lang, **slots), style="bold")
    out.print(say("vectors.next", arguments.lang, **slots))
    return Exit.CONFORMS


def _described(path: str | None) -> Description | None:
    """Return a description from a file: the result alone, or the whole answer to describe."""
    if path is None:
        return None
    try:
        plain: Any = msgspec.json.decode(Path(path).read_bytes())
        inner = plain.get("result", plain) if isinstance(plain, dict) else plain
        return msgspec.convert(inner, Description)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise wrong("description-file", path=path, error=error) from error


def _grade(arguments: argparse.Namespace) -> int:
    law = load()
    folder, answers = Path(arguments.folder), Path(arguments.answers)
    out = None if arguments.json else console()
    try:
        with counting(answers.name) as told:
            graded = grade(folder, answers, law, told)
    except VendorBroken as error:
        keep(Path(arguments.out), [error.fault], str(answers))
        raise
    tally, rounds = graded.tally, graded.rounds
    code = worse(exit_of(tally), exit_of_rounds(rounds))
    if tally.faults:
        keep(Path(arguments.out), tally.faults, str(answers))
    if out is None:
        counted = {**record(tally), "rounds": record_rounds(rounds)}
        print_json({"answers": str(answers), **counted, "exit": code})
    else:
        print_tally(out, law, tally, arguments.lang)
        print_rounds(out, law, rounds, arguments.lang)
        if tally.faults:
            out.print(say("smoke.evidence", arguments.lang, folder=arguments.out))
        print_conclusion(out, tally, rounds, arguments.lang)
    return code
