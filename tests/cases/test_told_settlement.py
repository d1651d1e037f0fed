"""A settlement is compared in what it tells, and in nothing else."""

import msgspec
import pytest

from selo.cases.case import settlement_case
from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import ToldAnswers, net_amount, tell_settlement
from selo.protocol import messages as m

GAME = "fish-prawn-crab"
BET = {"bet": "small", "stake": 100}


def plain(result, prize=0, commission=0, **more):
    return {"result": result, "prize": prize, "commission": commission, **more}


@pytest.mark.parametrize(
    ("settlement", "net"),
    [
        # The protocol's own example: a prize of 100 at a commission of 5.
        (plain("win", 100, 5), 95),
        (plain("lose"), -100),
        (plain("push"), 0),
        (plain("stands"), 0),
        (plain("refused"), 0),
        (plain("void", stake=100), 0),
        (plain("void", stake=0), 0),
        # A prize of which the stake is no part, and which is kept.
        (plain("win", 1000, stake=0), 900),
        (plain("win", [5, 2], [1, 4]), [9, 4]),
    ],
)
def test_the_net_amount_is_what_the_bettor_has_more_or_less(settlement, net):
    assert net_amount(settlement, BET["stake"]) == net


@pytest.fixture(scope="module")
def small(law):
    """Return an oracle and a case in which 100 on small wins 100."""
    return Oracle(law), settlement_case(GAME, "", {"dice": ["fish", "fish", "prawn"]}, [BET])


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (m.ResultSettlement(result="win"), []),
        (m.ResultSettlement(result="lose"), [0]),
        (m.NetSettlement(net=100), []),
        (m.NetSettlement(net=101), [0]),
        (m.NetSettlement(net=-100), [0]),
        (m.ResultAndNetSettlement(result="win", net=100), []),
        (m.ResultAndNetSettlement(result="push", net=100), [0]),
        (m.ResultAndNetSettlement(result="win", net=0), [0]),
        (m.Settlement(result="win", prize=100, commission=0, stake=100), []),
        (m.Settlement(result="win", prize=100, commission=0, stake=0), [0]),
    ],
)
def test_what_is_told_is_compared_and_nothing_else(small, told, wrong):
    oracle, case = small

    assert oracle.wrong_bets(case, [told]) == wrong
    assert oracle.is_exactly_expected(case, [told]) is (not wrong)


@pytest.mark.parametrize("level", ["result", "net", "result-and-net", "full"])
def test_a_lawful_vendor_of_every_level_is_right_at_that_level(law, level):
    oracle = Oracle(law, levels={GAME: level})
    bets = [BET, {"bet": "big", "stake": 50}, {"bet": "nothing", "stake": 10}]
    case = settlement_case(GAME, "", {"dice": ["fish", "fish", "prawn"]}, bets)

    answer = oracle.answer(case)

    assert oracle.wrong_bets(case, answer) == []
    assert {type(one) for one in answer} == {type(tell_settlement(level, plain("lose"), BET))}


@pytest.mark.parametrize(
    ("level", "other", "differs"),
    [
        ("full", plain("win", 100, 5), True),
        ("result", plain("win", 200), False),
        ("result", plain("lose"), True),
        ("net", plain("win", 105, 5), False),
        ("net", plain("win", 101), True),
        ("result-and-net", plain("push", 100), True),
    ],
)
def test_two_settlements_differ_only_in_what_is_told(level, other, differs):
    assert ToldAnswers(level=level).differ(BET, plain("win", 100), other) is differs


def test_what_another_than_the_product_settles_tells_nothing_of_it():
    told = ToldAnswers(foreign_bets=frozenset({"small"}))

    assert not told.differ(BET, plain("win", 100), plain("lose"))
    assert told.differ({**BET, "bet": "big"}, plain("win", 100), plain("lose"))


@pytest.mark.parametrize("level", ["result", "net", "result-and-net"])
def test_an_answer_has_exactly_the_fields_of_its_level(level):
    form = m.RESULTS[m.answer_form("settle", level)]
    full = {"result": "win", "prize": 100, "commission": 0, "stake": 100}

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"settlements": [full]}, form)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"settlements": [{}]}, form)
