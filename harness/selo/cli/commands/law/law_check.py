"""``selo law check``: checks the law files."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import print_json
from selo.cli.output.terminal import text_width
from selo.cli.parser import shared_arguments as shared
from selo.text import say
from selo.text.error_translation import problem_in_language

if TYPE_CHECKING:
    import argparse

    from selo.errors import Problem
    from selo.law import Law


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo law check``."""
    shared.add_json(parser)
    parser.add_argument("--specs")
    parser.add_argument("--bilingual")
    shared.add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the law files; print the problems, or what was proven."""
    law, problems = find_law_problems(
        specs=_path_or_none(arguments.specs), bilingual=_path_or_none(arguments.bilingual)
    )
    if arguments.json:
        _print_json(law, problems)
    else:
        _print(law, problems, arguments.lang)
    return Exit.USAGE if problems or law is None else Exit.CONFORMS


def find_law_problems(
    *, specs: Path | None = None, bilingual: Path | None = None
) -> tuple[Law | None, list[Problem]]:
    """Return the law, if it can be read, and everything that is wrong with it or its rules."""
    from selo.cases.generate.rule_proof import prove_rules
    from selo.law.lint import check_law
    from selo.parallel import rare_garbage_collection
    from selo.rounds.generate import check_written_rounds

    with rare_garbage_collection():
        law, problems = check_law(specs=specs, bilingual=bilingual)
        if law is not None:
            problems += _check_rules(law, wrong_before=bool(problems))
        if law is not None and not problems:
            # What compiles is settled on every class of outcomes.
            problems += [*prove_rules(law), *check_written_rounds(law)]
    return law, problems


def _check_rules(law: Law, *, wrong_before: bool) -> list[Problem]:
    """Return the problems of rules; what is wrong before may keep them from being read."""
    from selo.rules.checks import check_games

    problems: list[Problem] = []
    try:
        problems.extend(check_games(law))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        if not wrong_before:
            raise
    return problems


def _passed_checks() -> list[str]:
    """Return the checks that a clean run has passed."""
    from selo.law.lint import LINTS

    return [*LINTS, "rules", "settlements", "rounds"]


def _path_or_none(path: str | None) -> Path | None:
    return None if path is None else Path(path)


def _print(law: Law | None, problems: list[Problem], language: str) -> None:
    for problem in problems:
        here = dataclasses.replace(problem, path=Path(_relative_path(problem.path)))
        print(problem_in_language(here, language), file=sys.stderr)
    if problems or law is None:
        print(say("law.check.wrong", language, count=len(problems)), file=sys.stderr)
        return
    from selo.law import compute_spec_digest

    lines = sum(len(source.received) for source in law.sources.by_id.values())
    rows = {
        "instruments": len(law.folders),
        "provisions": len(law.provisions),
        "divergences": len(law.divergences),
        "repairs": len(law.sources.log.repairs),
        "terms": len(law.glossary.terms),
        "lines": say("law.check.accounted", language, lines=lines),
        "proven": ", ".join(_passed_checks()),
        "digest": f"sha256:{compute_spec_digest(law)}",
    }
    titles = {name: say(f"law.check.{name}", language) for name in rows}
    wide = max(text_width(title) for title in titles.values())
    for name, value in rows.items():
        print(f"{titles[name]}{' ' * (wide - text_width(titles[name]))} {value}")


def _print_json(law: Law | None, problems: list[Problem]) -> None:

    from selo.law import compute_spec_digest

    clean = law is not None and not problems
    result = {
        "clean": clean,
        "spec_digest": compute_spec_digest(law) if law is not None and clean else None,
        "proven": _passed_checks() if clean else [],
        "problems": [
            {
                "path": _relative_path(problem.path),
                "line": problem.line,
                "code": problem.code,
                "problem": problem.problem,
                "hint": problem.hint,
            }
            for problem in problems
        ],
    }
    print_json(result)


def _relative_path(path: Path) -> str:
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else relative
