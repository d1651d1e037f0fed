"""One engine settles with derivations and without, observed and not, and says the same."""

from itertools import islice

import pytest
from tests.games import GAMES

from selo.cases.generate.case_stream import stream_cases
from selo.cases.scope import offer_everything
from selo.examine.kills.instrumented_game import instrument_game
from selo.rules.settlement.game import Game


@pytest.fixture(scope="module", params=GAMES)
def settled(request, law, compiled):
    """A game, and some of its cases with bets."""
    stream = stream_cases(law, offer_everything(law, [request.param]), at_random=40)
    cases = [case for case in stream if case.bets][::29]
    return compiled(request.param), cases


def _settle_all(game, cases):
    return [game.settle_plain(one.options, one.outcome, one.bets) for one in cases]


def test_settlements_are_the_same_without_reasons_and_observed(settled):
    game, cases = settled
    observed, log = instrument_game(game)

    explained = [game.settle(one.options, one.outcome, one.bets) for one in cases]
    plain = [[each.plain() for each in bets] for bets in explained]

    assert _settle_all(game, cases) == plain
    fast = game.without_reasons()
    assert _settle_all(fast, cases) == plain
    fast.forget_outcomes()
    assert _settle_all(fast, cases) == plain
    assert _settle_all(observed, cases) == plain
    assert bool(log.questions) == bool(cases)


def test_an_observed_game_keeps_every_reason(settled):
    game, cases = settled
    observed, _ = instrument_game(game)

    for one in islice(cases, 25):
        by_observed = observed.settle(one.options, one.outcome, one.bets)
        assert by_observed == game.settle(one.options, one.outcome, one.bets)


def test_no_game_is_a_class_of_its_own(compiled):
    games = [compiled(name) for name in GAMES]

    assert {type(getattr(game, "game", game)) for game in games} == {Game}
