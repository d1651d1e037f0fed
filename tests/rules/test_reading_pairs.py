"""Readings together: every reading of a game, and every pair of them, settles whatever is asked."""

from itertools import combinations

import pytest
from tests.games import GAMES_WITH_BETS as GAMES

from selo.cases.generate.case_stream import stream_cases
from selo.cases.generate.situation_cases import SITUATION_GROUP
from selo.cases.scope import offer_everything
from selo.rules.checks import settlement_points
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

#: Cases that are settled under each.
SOME = 120


def others_of(law, game):
    """Return the readings of a game that are not the default, as pairs of point and reading."""
    default = Readings(law)
    return [
        (point, reading)
        for point, readings in settlement_points(law, game).items()
        for reading in readings
        if reading != default.of(point)
    ]


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_no_two_readings_contradict_each_other(law, game):
    cases = [
        case
        for case in stream_cases(law, offer_everything(law, [game]))
        if case.method == "settle" and case.group != SITUATION_GROUP
    ]
    cases = sorted(cases, key=lambda case: case.key)[:SOME]
    others = others_of(law, game)
    alone = [(one,) for one in others]
    pairs = [pair for pair in combinations(others, 2) if pair[0][0] != pair[1][0]]

    for together in (*alone, *pairs):
        rules = compile_game(law, game, Readings(law, dict(together))).without_reasons()
        for case in cases:
            # Readings that contradict each other raise.
            rules.settle_plain(case.options, case.outcome, case.bets)

    assert cases
    assert len(others) > 1
