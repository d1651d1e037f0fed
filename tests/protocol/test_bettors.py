"""A bet without a bettor means what the protocol says, in the rules and in the reference vendor."""

import pytest
from tests.fixture_modules import load_vendor

from selo.cases.case import settlement_case
from selo.cases.oracle import Oracle

GAME = "bacara"
#: Player 7, banker 8: banker wins, and neither hand is a pair.
OUTCOME = {"player": ["3H", "4D"], "banker": ["KS", "8C"]}
ONE_SIDE = {"2-2009-13-1--opposite-bets": "one-side"}
JACKPOT = {"jackpot": {"modality": "B", "accumulated": 1000, "fixed": {}}}


def bets(first, second, *bettors):
    made = [{"bet": name, "stake": 100} for name in (first, second)]
    return [
        bet if bettor is None else {**bet, "bettor": bettor}
        for bet, bettor in zip(made, bettors, strict=True)
    ]


def results(law, laid, rulings=None, options=None):
    case = settlement_case(GAME, "", OUTCOME, laid, options)
    return [one.result for one in Oracle(law, rulings).expected_settlements(case)]


@pytest.mark.parametrize(
    ("bettors", "pair"),
    [
        ((None, None), "lose"),
        (("ana", "ana"), "lose"),
        (("ana", None), "lose"),
        ((None, "ana"), "lose"),
        (("ana", "rui"), "refused"),
    ],
)
def test_a_bet_without_a_name_serves_as_anybodys_companion(law, bettors, pair):
    laid = bets("banker", "player-pair", *bettors)

    assert results(law, laid) == ["win", pair]
    assert [one["result"] for one in load_vendor(GAME).settle({}, OUTCOME, laid)] == ["win", pair]


@pytest.mark.parametrize(
    ("bettors", "second"),
    [
        ((None, None), "refused"),
        (("ana", "ana"), "refused"),
        (("ana", None), "win"),
        ((None, "ana"), "win"),
        (("ana", "rui"), "win"),
    ],
)
def test_bets_without_a_name_are_those_of_one_person_who_is_nobody_named(law, bettors, second):
    laid = bets("player", "banker", *bettors)

    assert results(law, laid, ONE_SIDE) == ["lose", second]


@pytest.mark.parametrize(("bettor", "result"), [(None, "refused"), ("ana", "lose")])
def test_a_bet_that_shares_a_jackpot_is_refused_without_a_bettor(law, bettor, result):
    laid = bets("banker", "jackpot", bettor, bettor)

    assert results(law, laid, options=JACKPOT) == ["win", result]
    told = load_vendor(GAME).settle(JACKPOT, OUTCOME, laid)
    assert [one["result"] for one in told] == ["win", result]
