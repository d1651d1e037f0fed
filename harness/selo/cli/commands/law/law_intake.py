"""``selo law intake PAGE…``: gazette pages become the folder of an instrument."""

from __future__ import annotations

import dataclasses
import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import LAW_LANGUAGES, say
from selo.text.error_translation import problem_in_language

if TYPE_CHECKING:
    import argparse

    from selo.law.intake import IntakeResult


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law intake``."""
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    # The language of the pages; messages follow it, as they follow every --lang.
    parser.add_argument("--lang", choices=LAW_LANGUAGES, dest="page_language")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True)
    parser.add_argument("--number", metavar="NUMBER")
    parser.add_argument("--id", dest="instrument", metavar="ID")
    parser.add_argument("--game", metavar="GAME")
    parser.add_argument("--published", type=dt.date.fromisoformat, metavar="YYYY-MM-DD")
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the folder; print what it holds and what is missing."""
    from selo.law.intake import IntakeOrder, take_in

    result = take_in(
        IntakeOrder(
            pages=arguments.pages,
            language=arguments.page_language,
            out=arguments.out,
            number=arguments.number,
            instrument=arguments.instrument,
            game=arguments.game,
            published=arguments.published,
        )
    )
    if arguments.json:
        _print_json(result)
    else:
        _print(result, arguments.lang)
    return Exit.USAGE if result.problems else Exit.CONFORMS


def _print(result: IntakeResult, language: str) -> None:
    for source, file, sha256 in result.sources:
        print(say("intake.page", language, source=source, file=file, sha256=sha256))
    draft = result.draft
    slots = {"articles": result.articles, "units": draft.units, "folder": result.folder}
    print(say("intake.units", language, languages=", ".join(result.languages), **slots))
    print(say("intake.rules", language, count=len(draft.missing_rules)))
    for key, units in (("one-language", draft.one_language), ("numbers", draft.differing_numbers)):
        if units:
            print(say(f"intake.{key}", language, count=len(units), units=", ".join(units)))
    for problem in result.problems:
        print(problem_in_language(problem, language), file=sys.stderr)
    if result.problems:
        print(say("law.check.wrong", language, count=len(result.problems)), file=sys.stderr)
    else:
        print(say("intake.next", language, folder=result.folder.parent.parent))


def _print_json(result: IntakeResult) -> None:
    draft = result.draft
    print_json(
        {
            "instrument": result.instrument,
            "folder": str(result.folder),
            "languages": result.languages,
            "sources": [
                {"id": source, "file": file, "sha256": sha256}
                for source, file, sha256 in result.sources
            ],
            "articles": result.articles,
            "units": draft.units,
            "missing_rules": draft.missing_rules,
            "one_language": draft.one_language,
            "differing_numbers": draft.differing_numbers,
            "problems": [
                {**dataclasses.asdict(problem), "path": str(problem.path)}
                for problem in result.problems
            ],
        }
    )
