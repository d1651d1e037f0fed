"""``selo odds``: exact probabilities and house edge of each bet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from selo.cli.output import Exit
from selo.cli.output.console import print_json
from selo.cli.parser import shared_arguments as shared
from selo.text import user_error

if TYPE_CHECKING:
    import argparse

    from selo.law import Law
    from selo.rules.odds import OddsCatalogue
    from selo.rules.readings import Readings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo odds``."""
    parser.add_argument("game", nargs="?", metavar="GAME")
    parser.add_argument("--packs", type=int, metavar="N")
    parser.add_argument("--readings", action="store_true")
    parser.add_argument("--par", metavar="FILE")
    shared.add_rulings(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the odds of one game or of all."""
    from selo.cli.printers.odds_table import OddsNames, print_odds, record_odds
    from selo.cli.resolved_options.vendor_options import choose_rulings
    from selo.law import load_law
    from selo.report.phrases import Labels
    from selo.rules.odds import OddsCatalogue, list_odds_changes
    from selo.rules.readings import Readings

    law = load_law()
    catalogue = OddsCatalogue(law)
    readings = Readings(law, choose_rulings(arguments, law).followed)
    if arguments.par is not None:
        return _check_declared(arguments, law, catalogue, readings)
    chosen = _choose_games(catalogue, arguments)
    records = []
    for game in chosen:
        figures = catalogue.figures(game, readings, wanted=arguments.packs)
        others = (
            list(list_odds_changes(catalogue, law, game, readings, wanted=arguments.packs))
            if arguments.readings
            else []
        )
        packs = catalogue.packs(game, arguments.packs)
        if arguments.json:
            records.append(record_odds(game, packs, readings, figures, others))
        else:
            names = OddsNames(labels=Labels(law), game=game, language=arguments.lang)
            print_odds(packs, figures, others, names)
    if arguments.json:
        print_json(records)
    return Exit.CONFORMS


def _check_declared(
    arguments: argparse.Namespace, law: Law, catalogue: OddsCatalogue, readings: Readings
) -> int:
    """Hold what a vendor declares of its bets against the exact figures."""
    from selo.cli.printers.odds_table import OddsNames, print_par, record_odds
    from selo.report.phrases import Labels
    from selo.rules.odds import check_par_sheet, read_par_sheet

    path = Path(arguments.par)
    sheet = read_par_sheet(path, arguments.game)
    arguments.game = sheet.game
    arguments.packs = arguments.packs or sheet.packs
    (game,) = _choose_games(catalogue, arguments)
    figures = catalogue.figures(game, readings, wanted=arguments.packs)
    checks = list(check_par_sheet(path, sheet, figures))
    if arguments.json:
        packs = catalogue.packs(game, arguments.packs)
        print_json([{**record_odds(game, packs, readings, figures, []), "declared": checks}])
    else:
        print_par(
            figures, checks, OddsNames(labels=Labels(law), game=game, language=arguments.lang)
        )
    if not checks:
        return Exit.OPEN
    return Exit.CONFORMS if all(check.right for check in checks) else Exit.VIOLATES


def _choose_games(catalogue: OddsCatalogue, arguments: argparse.Namespace) -> list[str]:
    game_names = catalogue.games()
    if arguments.game is None:
        return game_names
    if arguments.game not in game_names:
        raise user_error("game-with-bets", name=arguments.game, known=", ".join(game_names))
    if arguments.packs is not None and catalogue.packs(arguments.game, None) is None:
        raise user_error("packs-none", game=arguments.game)
    return [arguments.game]
