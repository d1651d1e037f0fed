"""``selo examine`` and ``selo resume``: a vendor is examined, from the plan to the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from selo.examine.conclusion import ExaminationResult


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo examine``."""
    shared.add_examination(parser)
    parser.add_argument("--edition", metavar="FILE")
    parser.add_argument("--submission", metavar="DIR")
    parser.add_argument("--since", metavar="CERTIFICATE")
    shared.add_registry(parser)
    parser.add_argument("--signers", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine a vendor."""
    from selo.cli.runs import examine_vendor

    return _run(arguments, examine_vendor)


def add_resume_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo resume``."""
    parser.add_argument("out", metavar="DIR")
    shared.add_cluster(parser)
    shared.add_witness_forms(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run_resume(arguments: argparse.Namespace) -> int:
    """Resume an examination."""
    from selo.cli.runs import resume_examination

    return _run(arguments, resume_examination)


def _run(arguments: argparse.Namespace, examine: Callable[..., ExaminationResult]) -> int:
    from selo.cli.printers.examination_outcome import print_outcome
    from selo.law import load_law

    law = load_law()
    out = None if arguments.json else console()
    result = examine(arguments, law, out)
    if out is None:
        print_json(msgspec.to_builtins(result))
    else:
        print_outcome(out, law, result, Path(arguments.out), arguments.lang)
    return result.exit
