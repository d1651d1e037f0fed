"""``selo diff``: two builds, runs or documents compared, provision by provision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared

if TYPE_CHECKING:
    import argparse

    from selo.delta import ComparedSide
    from selo.delta.build_comparison import Delta


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo diff``."""
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("--old-folder", metavar="DIR")
    parser.add_argument("--new-folder", metavar="DIR")
    parser.add_argument("--game", action="append", metavar="GAME")
    shared.add_date(parser)
    parser.add_argument("--text-as-stored", action="store_true")
    shared.add_rulings(parser)
    shared.add_limits(parser)
    parser.add_argument("--html", metavar="FILE")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare two sides and print what is different and what follows."""
    from selo.cli.printers.delta_summary import print_delta
    from selo.cli.runs.compared_sides import is_build, open_side
    from selo.delta import compare_sides, read_change_policy
    from selo.law import load_law
    from selo.law.status import macau_today

    law = load_law()
    sides = [(arguments.old, arguments.old_folder), (arguments.new, arguments.new_folder)]
    # A build is asked by the readings of the other side, if that has any.
    old_first = not is_build(arguments.old)
    first, second = sides if old_first else sides[::-1]
    with open_side(*first, arguments, law, None) as one:
        like = None if is_build(first[0]) else one.header
        with open_side(*second, arguments, law, like) as other:
            before, after = (one, other) if old_first else (other, one)
            delta = compare_sides(before, after, read_change_policy(), macau_today())
            if arguments.html is not None:
                _write_page(Path(arguments.html), before, after, delta)
    if arguments.json:
        print_json(msgspec.to_builtins(delta))
    else:
        print_delta(console(), law, delta, arguments.lang)
    return delta.exit


def _write_page(path: Path, before: ComparedSide, after: ComparedSide, delta: Delta) -> None:
    """Write the comparison as one HTML page; never over a file that is there."""
    from selo.delta.comparison_page import render_comparison
    from selo.delta.result_changes import compare_results
    from selo.examine.conclusion import RESULT_FILE, ExaminationResult
    from selo.storage import read_json
    from selo.storage.atomic_write import write_file

    files = [side.folder / RESULT_FILE for side in (before, after)]
    changes = None
    if all(file.is_file() for file in files):
        changes = compare_results(*(read_json(file, ExaminationResult) for file in files))
    currency = after.header.description.currency
    write_file(path, render_comparison(after.law, delta, changes, currency).encode())
