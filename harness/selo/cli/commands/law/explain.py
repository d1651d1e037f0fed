"""``selo explain``: settles a bet, with the words of the law that the result follows from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cli.output import Exit
from selo.cli.output.console import console, print_json
from selo.cli.parser import shared_arguments as shared
from selo.errors import UsageError
from selo.text import say, user_error
from selo.text.error_translation import translate_message

if TYPE_CHECKING:
    import argparse

#: The only method whose findings are about bets.
_SETTLE: Final = "settle"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``selo explain``."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--bet", action="append", metavar="BET")
    parser.add_argument("--throw", action="append")
    parser.add_argument("--lying")
    for name in ("banker", "croupier", "player"):
        parser.add_argument(f"--{name}", metavar="CARDS")
    parser.add_argument("--seat", action="append", metavar="N=CARDS")
    parser.add_argument("--place", action="append", metavar="N=CARDS")
    parser.add_argument("--outcome", metavar="JSON")
    parser.add_argument("--options", metavar="JSON")
    shared.add_rulings(parser)
    shared.add_language(parser)
    shared.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Settle one case and print why."""
    from selo.cli.printers.settlement_explanation import (
        print_conclusion,
        print_derivation,
        print_facts,
        print_other_readings,
        record_derivation_step,
    )
    from selo.cli.resolved_options import parse_bets, parse_json_object, parse_outcome
    from selo.cli.resolved_options.vendor_options import choose_rulings
    from selo.law import load_law
    from selo.report.phrases import Labels
    from selo.rules.checks import AlternativeReadings, list_games
    from selo.rules.equipment.kits import BadOutcome
    from selo.rules.readings import Readings
    from selo.rules.settlement import Game, compile_game

    law = load_law()
    if Path(arguments.game).is_file():
        _read_finding(arguments)
    if arguments.game not in list_games(law):
        raise user_error("game", name=arguments.game, known=", ".join(list_games(law)))
    readings = Readings(law, choose_rulings(arguments, law).followed)
    game = compile_game(law, arguments.game, readings)
    inner = game if isinstance(game, Game) else game.game
    outcome, bets = parse_outcome(arguments, inner.kit), parse_bets(arguments)
    options = parse_json_object(arguments.options, "options")
    bets_known = inner.bets
    for bet in bets:
        if bet["bet"] not in bets_known:
            raise user_error("bet-unknown", name=bet["bet"], known=", ".join(bets_known))
    try:
        settlements = game.settle(options, outcome, bets)
    except BadOutcome as error:
        raise _outcome_error(str(error)) from error
    others = list(
        AlternativeReadings(law, arguments.game, readings).find_differing(options, outcome, bets)
    )
    if arguments.json:
        print_json(
            {
                "game": arguments.game,
                "outcome": outcome,
                "bets": [
                    {
                        **bet,
                        **settlement.plain(),
                        "derivation": [
                            record_derivation_step(law, reason) for reason in settlement.reasons
                        ],
                    }
                    for bet, settlement in zip(bets, settlements, strict=True)
                ],
                "other_readings": others,
            }
        )
        return Exit.CONFORMS
    out = console()
    facts = game.facts(outcome) if isinstance(game, Game) else {}
    labels = Labels(law)
    print_facts(out, {**outcome, **facts}, labels, arguments.game, arguments.lang)
    names = [labels.bet(arguments.game, bet).get(arguments.lang) for bet in bets]
    for bet, settlement, name in zip(bets, settlements, names, strict=True):
        print_derivation(out, law, settlement, arguments.lang)
        print_conclusion(out, bet, name, settlement, arguments.lang)
    print_other_readings(out, others, names, arguments.lang)
    return Exit.CONFORMS


def _read_finding(arguments: argparse.Namespace) -> None:
    """Take game, options, outcome and bets from the file of a finding."""
    from selo.examine.findings import Finding
    from selo.storage import read_json

    path = Path(arguments.game)
    try:
        finding = read_json(path, Finding)
    except (OSError, msgspec.DecodeError) as error:
        raise user_error("finding", path=path, error=error) from error
    if finding.method != _SETTLE:
        raise user_error("explain-finding", path=path, method=finding.method)
    arguments.game = finding.game
    arguments.outcome = arguments.outcome or json.dumps(finding.params["outcome"])
    arguments.options = arguments.options or json.dumps(finding.params.get("options", {}))
    arguments.bet = arguments.bet or [json.dumps(bet) for bet in finding.params["bets"]]
    # The readings under which it was found, unless others are asked for.
    if not arguments.ruling and arguments.rulings is None:
        arguments.ruling = [f"{name}={reading}" for name, reading in finding.origin.rulings.items()]


def _outcome_error(why: str) -> UsageError:
    """Return the error of an impossible outcome, in each language."""
    hint = "See docs/games.md."
    others = {}
    for language in ("pt", "zh"):
        advice = say("fault.hint", language, hint=translate_message(hint, language))
        others[language] = f"{translate_message(why, language)}\n  {advice}"
    return UsageError(problem=why, hint=hint, others=others)
