"""Games of throws share what they compute by rules that are the same."""

from itertools import islice

import pytest
from tests.often import often

from selo.cases import offer_everything
from selo.cases.generate.case_stream import stream_cases
from selo.rules.mutants import MUTANT_ERRORS, generate_mutants
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.rules.settlement.settlement_models import placing_order

GAME = "craps"


def settled_slowly(game, case):
    return [one.plain() for one in game.settle(case.options, case.outcome, case.bets)]


@pytest.mark.parametrize("every", often((11, 47), 47))
def test_a_mutant_takes_over_nothing_that_its_own_rules_say_otherwise(law, every):
    """What is kept of the lawful game, of roundings and of earlier mutants spoils no other."""
    cases = list(islice(stream_cases(law, offer_everything(law, [GAME])), 0, None, 397))
    lawful = compile_game(law, GAME, Readings(law))
    unlike = 0
    for case in cases:
        assert lawful.without_reasons().settle_plain(
            case.options, case.outcome, case.bets
        ) == settled_slowly(lawful, case)

    mutants = [*generate_mutants(law, GAME, Readings(law))]
    roundings = [mutant for mutant in mutants if "ounding" in type(mutant.was).__name__]
    assert roundings
    for mutant in [*roundings, *mutants[::every]]:
        try:
            game = mutant.compile()
            slow = [settled_slowly(game, case) for case in cases]
        except MUTANT_ERRORS:
            continue
        fast = game.without_reasons()

        assert [
            fast.settle_plain(case.options, case.outcome, case.bets) for case in cases
        ] == slow, mutant.cause.code
        unlike += slow != [settled_slowly(lawful, case) for case in cases]
    assert unlike


def test_a_bet_is_placed_before_those_that_are_added_to_it(law):
    bets = compile_game(law, GAME, Readings(law)).bets
    added = {"bet": "pass-line-additional", "stake": 100, "to": 1, "at": 1}
    base = {"bet": "pass-line", "stake": 100, "at": 1}

    assert placing_order(bets, base, 1) < placing_order(bets, added, 0)
