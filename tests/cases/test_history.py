"""Cases that state more than one round are put only to vendors that understand them."""

import pytest

from selo.cases import Scope
from selo.cases.generate.case_stream import stream_cases
from selo.cases.scope import OfferedGame, offer_everything

FIELDS = {"held", "exposed", "started_with", "won_before", "elsewhere", "this_round"}


def stated(law, offered):
    """Return the fields of history that the cases of a plan state."""
    cases = stream_cases(law, Scope(games=(offered,)), budget="quick", seed=1)
    names = set()
    for case in cases:
        if case.method == "settle" and case.group == "situations":
            jackpot = case.options.get("jackpot", {})
            names |= FIELDS & {*case.outcome, *jackpot, *(key for bet in case.bets for key in bet)}
    return names


@pytest.mark.parametrize("game", ["three-card-baccarat", "bacara"])
def test_only_a_vendor_that_says_so_is_asked_about_history(law, game):
    (offered,) = offer_everything(law, [game]).games
    without = OfferedGame(
        game=game, methods=offered.methods, bets=offered.bets, options=offered.options
    )

    assert stated(law, offered)
    assert stated(law, without) == set()
