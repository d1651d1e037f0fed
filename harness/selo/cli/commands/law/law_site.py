"""``selo law site DIR``: the whole law as pages to browse."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit, counting
from selo.cli.output.tables import console, print_json
from selo.examine.coverage import cover
from selo.law import today
from selo.law.loader import load
from selo.report.formats import pages
from selo.rules.odds import Catalogue
from selo.rules.readings import Readings
from selo.text import wrong
from selo.text.message_catalogue import say

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Write every page, each whole or not at all."""
    law = load()
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # What can be known now must not be told after half a minute of counting.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise wrong("folder-unmade", folder=folder, error=error.strerror) from error
    with counting(say("coverage.counting", arguments.lang)) as done:
        coverage = cover(law, most=arguments.most, done=done)
    catalogue = Catalogue(law)
    odds = {game: catalogue.figures(game, Readings(law)) for game in catalogue.games()}
    day = arguments.as_of or today()
    written = []
    for name, text in pages(law, day, coverage=coverage, odds=odds):
        unfinished = folder / f"{name}.new"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(folder / name)
        written.append(name)
    if arguments.json:
        print_json({"folder": str(folder), "pages": written})
    else:
        console().print(say("site.written", arguments.lang, count=len(written), folder=folder))
    return Exit.CONFORMS
