"""What is known of hands is shared between games in which a word means the same, and no others."""

import pytest
from tests.often import often

from selo.cases.generate.case_stream import stream_cases
from selo.cases.oracle import compare_hands
from selo.cases.scope import offer_everything
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement import hand_order

GAMES = ["three-card-baccarat", "fortune-three-card-poker", "bacara"]


def answers(compile_mutant, cases):
    try:
        game = compile_mutant().without_reasons()
        return [
            compare_hands(game, case)
            if case.method == "compare"
            else game.settle_plain(case.options, case.outcome, case.bets)
            for case in cases
        ]
    except ANSWER_ERRORS as error:
        return type(error)


@pytest.mark.parametrize(
    ("game", "every"),
    [("three-card-baccarat", 60), *often([(game, 3) for game in GAMES])],
)
def test_mutants_that_share_what_is_known_answer_as_each_alone(law, game, every):
    cases = sorted(stream_cases(law, offer_everything(law, [game])), key=lambda case: case.key)[:40]
    mutants = list(generate_mutants(law, game, Readings(law)))[::every]

    together = [answers(one.compile, cases) for one in mutants]
    apart = []
    for one in mutants:
        hand_order._share_memo.cache_clear()  # noqa: SLF001 - the switch
        apart.append(answers(one.compile, cases))

    assert together == apart
    assert any(one != together[0] for one in together)
