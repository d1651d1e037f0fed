"""``selo readings``: which readings can be followed, and whether each ever makes a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import say, user_error
from selo.text.message_catalogue import label_value

if TYPE_CHECKING:
    import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo readings``."""
    parser.add_argument("game", nargs="?")
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """List every reading that is not the default, and say of each whether it decides a case."""
    from selo.law import load_law
    from selo.rules.checks import list_games, list_reading_effects
    from selo.rules.checks.reading_effect import list_step_readings

    law = load_law()
    if arguments.game is not None and arguments.game not in list_games(law):
        raise user_error("game", name=arguments.game, known=", ".join(list_games(law)))
    chosen = [arguments.game] if arguments.game is not None else list_games(law)
    rows = [
        row
        for game in chosen
        for row in (*list_reading_effects(law, game), *list_step_readings(law, game))
    ]
    idle = [row for row in rows if not row.decisive]
    if arguments.json:
        print_json(rows)
        return Exit.CONFORMS
    from selo.report.phrases import Labels

    labels, out, language = Labels(law), console(), arguments.lang
    says = {
        (point.id, reading.id): reading.says.get(language)
        for point in law.divergences
        for reading in point.readings
    }
    for game in chosen:
        out.print(labels.game_in(game, language), style="bold")
        for row in (row for row in rows if row.game == game):
            key = "readings.decisive" if row.decisive else "readings.never"
            key = "readings.steps" if row.steps else key
            default = says[row.divergence, row.default]
            # What is typed as a ruling, then what it says.
            out.print(f"{row.divergence}={row.reading}  ({say(key, language)})")
            out.print(f"    {says[row.divergence, row.reading]}")
            out.print(f"    {label_value(say('law.field.default', language), default, language)}")
    never = label_value(say("readings.never", language), len(idle), language)
    out.print(f"{len(rows)} · {never}")
    return Exit.CONFORMS
