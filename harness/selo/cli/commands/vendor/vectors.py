"""``selo vectors``: questions written to a file, and the answers in another file graded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cli.output import Exit, show_progress
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage.bounded_read import TEXT_LIMIT, read_json
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse

    from selo.protocol.messages import Description


def add_write_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo vectors write``."""
    parser.add_argument("--out", required=True, metavar="DIR")
    shared.add_games(parser)
    parser.add_argument("--description", metavar="FILE")
    shared.add_budget(parser)
    shared.add_rulings(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_write(arguments: argparse.Namespace) -> int:
    """Write vectors: requests to a file, and what is needed to grade the answers."""
    from selo.cli.resolved_options.vendor_options import choose_rulings, games_of
    from selo.examine.offline import REQUESTS_FILE, vector_scope, vector_tables, write_vectors
    from selo.law import load_law

    law = load_law()
    described, games = _read_description(arguments.description), games_of(arguments, law)
    folder = Path(arguments.out)
    try:
        with show_progress(REQUESTS_FILE) as advance:
            vectors = write_vectors(
                folder,
                law,
                vector_scope(described, law, games),
                tables=vector_tables(described, law, games),
                budget=arguments.budget,
                seed=arguments.seed,
                rulings=choose_rulings(arguments, law).followed,
                on_progress=advance,
            )
    except OSError as error:
        raise user_error("unwritten-folder", path=folder, error=error) from error
    if arguments.json:
        print_json(vectors)
        return Exit.CONFORMS
    out = console()
    slots = {
        "count": vectors.cases, "rounds": vectors.rounds, "path": folder / REQUESTS_FILE,
        "folder": folder,
    }  # fmt: skip
    out.print(say("vectors.written", arguments.lang, **slots), style="bold")
    out.print(say("vectors.next", arguments.lang, **slots))
    return Exit.CONFORMS


def _read_description(path: str | None) -> Description | None:
    """Return a description from a file: the result alone, or the whole answer to describe."""
    from selo.protocol.messages import Description

    if path is None:
        return None
    try:
        plain: Any = read_json(Path(path), dict[str, Any], TEXT_LIMIT)
        return msgspec.convert(plain.get("result", plain), Description)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise user_error("description-file", path=path, error=error) from error


def add_grade_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo vectors grade``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("answers", metavar="ANSWERS")
    parser.add_argument("--out", default="selo-faults", metavar="DIR")
    shared.add_date(parser)
    shared.add_text_as_stored(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_grade(arguments: argparse.Namespace) -> int:
    """Grade the answers to vectors."""
    from selo.cli.printers.examination_outcome import print_findings, print_verdicts
    from selo.cli.printers.round_results import print_conclusion, print_rounds, record_rounds
    from selo.cli.printers.settlement_results import print_tally, record_tally
    from selo.examine.conclusion import judge_answer_file
    from selo.law import load_law
    from selo.law.status import macau_today
    from selo.vendors import store_faults
    from selo.vendors.faults import VendorBroken

    law = load_law()
    folder, answers = Path(arguments.folder), Path(arguments.answers)
    out = None if arguments.json else console()
    try:
        with show_progress(answers.name) as advance:
            graded, result = judge_answer_file(
                folder,
                answers,
                law,
                as_of=arguments.as_of or macau_today(),
                text_as_stored=arguments.text_as_stored,
                on_progress=advance,
            )
    except VendorBroken as error:
        store_faults(Path(arguments.out), [error.fault], str(answers))
        raise
    tally, rounds = graded.tally, graded.rounds
    if tally.faults:
        store_faults(Path(arguments.out), tally.faults, str(answers))
    if out is None:
        counted = {**record_tally(tally), "rounds": record_rounds(rounds)}
        summary = msgspec.to_builtins(result.summary)
        verdicts = {name: summary[name] for name in ("overall", "games", "provisions")}
        print_json({"answers": str(answers), **counted, **verdicts, "exit": result.exit})
    else:
        print_tally(out, tally, arguments.lang)
        print_rounds(out, rounds, arguments.lang)
        print_findings(out, law, result, arguments.lang)
        if tally.faults:
            out.print(say("smoke.evidence", arguments.lang, folder=arguments.out))
        print_conclusion(out, tally, rounds, arguments.lang)
        print_verdicts(out, law, result, arguments.lang)
    return result.exit
