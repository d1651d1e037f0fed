"""``selo law site DIR``: the whole law as pages to browse."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit, show_progress
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.storage.atomic_write import write_new_files
from selo.text import say, user_error

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law site``."""
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--most", type=int, default=25, metavar="N")
    shared.add_date(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write every page, each whole or not at all."""
    from selo.examine.coverage import measure_coverage
    from selo.law import load_law
    from selo.law.status import macau_today
    from selo.report.formats import render_law_pages
    from selo.rules.odds import OddsCatalogue
    from selo.rules.readings import Readings

    law = load_law()
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # An unwritable folder is reported before half a minute of counting.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise user_error("folder-unmade", folder=folder, error=error.strerror) from error
    with show_progress(say("coverage.counting", arguments.lang)) as done:
        coverage = measure_coverage(law, most=arguments.most, done=done)
    catalogue = OddsCatalogue(law)
    odds = {game: catalogue.figures(game, Readings(law)) for game in catalogue.games()}
    day = arguments.as_of or macau_today()
    pages = dict(render_law_pages(law, day, coverage=coverage, odds=odds))
    write_new_files(folder, ((name, text.encode()) for name, text in pages.items()))
    written = list(pages)
    if arguments.json:
        print_json({"folder": str(folder), "pages": written})
    else:
        console().print(say("site.written", arguments.lang, count=len(written), folder=folder))
    return Exit.CONFORMS
