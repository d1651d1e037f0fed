"""Whoever rounds nothing, where no text says how an amount is rounded, keeps to the law."""

import pytest

from selo.cases import Case
from selo.cases.oracle import Oracle, is_answer_of
from selo.protocol.messages import NetSettlement, Settlement

HAND = {"player": ["4S", "6S"], "banker": ["3S", "2S"]}
OPTIONS = {"commission": "five-percent"}
#: 5 per cent of 30 are 1.5.
STAKE = 30


@pytest.fixture(scope="module")
def oracle(law):
    return Oracle(law, {one.id: one.default for one in law.divergences})


@pytest.fixture(scope="module")
def case():
    bets = [{"bet": "banker", "stake": STAKE}]
    return Case(
        game="bacara", method="settle", group="own", options=OPTIONS, outcome=HAND, bets=bets
    )


def settled(prize, commission):
    return [Settlement(result="win", prize=prize, commission=commission, stake=STAKE)]


@pytest.mark.parametrize(
    "answer", [settled(30, 1), settled(30, [3, 2]), [NetSettlement(net=29)],
               [NetSettlement(net=[57, 2])]]
)  # fmt: skip
def test_a_commission_is_right_as_adopted_and_right_exactly(oracle, case, answer):
    assert oracle.wrong_bets(case, answer) == []


@pytest.mark.parametrize(
    "answer",
    [
        # Rounded as nobody adopted, nearly exact, exact in the wrong part, off by one.
        settled(30, 2),
        settled(30, [14, 10]),
        settled([57, 2], 0),
        settled([61, 2], [3, 2]),
        [NetSettlement(net=[55, 2])],
        [NetSettlement(net=28)],
    ],
)
def test_any_other_fraction_is_wrong(oracle, case, answer):
    assert oracle.wrong_bets(case, answer) == [0]


def test_an_exact_answer_follows_no_reading_of_the_rounding_more_than_another(oracle, case):
    point = "2-2009-18-1--commission-rounding"
    games = [oracle.under([(point, reading)]).game("bacara") for reading in ("down", "up")]

    assert all(is_answer_of(game, case, settled(30, [3, 2])) for game in games)
    assert not all(is_answer_of(game, case, settled(30, 1)) for game in games)


def test_a_rounding_that_the_text_prescribes_is_not_open(oracle):
    game = oracle.game("bacara")

    assert game.open_roundings == {"commission", "prize", "share", "percentage"}
    assert oracle.game("fish-prawn-crab").without_open_roundings() is None
