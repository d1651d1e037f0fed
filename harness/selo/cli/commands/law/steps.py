"""``selo steps``: the lawful order of a round, constraint by constraint, with its provisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error

if TYPE_CHECKING:
    import argparse

    from selo.law import Law
    from selo.law.files.events_file import EventsFile
    from selo.rules.procedure.step_reader import Constraint


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo steps``."""
    parser.add_argument("game")
    shared.add_rulings(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the steps of a game under the readings followed."""
    from selo.cli.resolved_options.vendor_options import choose_rulings
    from selo.law import load_law
    from selo.rules.procedure.step_reader import find_events_file, list_step_games, read_constraints
    from selo.rules.readings import Readings

    law = load_law()
    file = find_events_file(law, arguments.game)
    if file is None:
        raise user_error("steps", game=arguments.game, known=", ".join(list_step_games(law)))
    steps = read_constraints(
        law, arguments.game, Readings(law, choose_rulings(arguments, law).followed)
    )
    if arguments.json:
        print_json(_record(arguments.game, file, steps))
        return Exit.CONFORMS
    _print(law, steps, arguments.lang)
    return Exit.CONFORMS


def _print(law: Law, steps: list[Constraint], language: str) -> None:
    from selo.law import cite

    out = console()
    provision = None
    for step in steps:
        if step.provision != provision:
            provision = step.provision
            located = law.find(provision)
            citation = cite(law, located)
            published = located.instrument.languages.published
            out.print(provision, style="bold")
            out.print(
                f"  {citation.pt}" + (f" · {citation.zh}" if "zh" in published else ""),
                style="dim",
            )
        out.print(f"  {step.key.rpartition('#')[2]}. {step.required.get(language)}")
        for divergence, reading in step.under.items():
            out.print(f"     {divergence}={reading}", style="dim")
    out.print(str(len(steps)))


def _record(game: str, file: EventsFile, steps: list[Constraint]) -> dict[str, Any]:
    return {
        "game": game,
        "options": file.options,
        "fields": file.fields,
        "events": file.events,
        "steps": [
            {
                "key": step.key,
                "provision": step.provision,
                "step": step.kind,
                "event": sorted(step.events),
                "after": sorted(step.after),
                "before": sorted(step.before),
                "until": sorted(step.until),
                "times": step.times,
                "when": None if step.when is None else step.when.text,
                "given": None if step.given is None else step.given.text,
                "same": step.same,
                "everywhere": sorted(step.everywhere),
                "by": step.by,
                "descending": sorted(step.descending),
                "together": step.together,
                "called": step.called,
                "under": step.under,
                "required": step.required,
            }
            for step in steps
        ],
    }
