"""Every fault planted in Bacará breaks its own provision, and nothing else is seen to be broken."""

import pytest
from tests.planted import judging

from selo.cases.case import settlement_case

# The other games are the part that every run of the tests tries.
pytestmark = pytest.mark.full

GAME = "bacara"
_, PLANTED = judging.modules(GAME)
FAULTS = PLANTED.FAULTS
SETTLED = [name for name, one in FAULTS.items() if not one.shows and not one.declares]
PLAYED = [name for name, one in FAULTS.items() if one.shows]
#: The law does not tell of a bet that loses which combinations were missed, and there is no quick
#: case in which such cards lie beside a combination.
ALIKE = "kings-queens-jacks-and-tens-are-alike"
SETTLED.remove(ALIKE)


@pytest.fixture(scope="module")
def judge(law):
    return judging.Judge(law, GAME)


def test_every_provision_under_examination_has_a_fault_or_a_reason_why_not(judge):
    covered = {one.provision for one in FAULTS.values()}

    assert covered | PLANTED.UNBREAKABLE.keys() == judge.provisions()
    assert not covered & PLANTED.UNBREAKABLE.keys()


@pytest.mark.parametrize("name", SETTLED)
def test_a_fault_of_settling_is_seen_and_the_law_names_its_provision(judge, name):
    fault = FAULTS[name]

    assert judge.is_seen(judge.differences(name), fault)


@pytest.mark.parametrize(("modality", "provision"), [("B", "17/8"), ("C", "17/11")])
def test_a_queen_beside_three_kings_makes_no_four_alike(judge, modality, provision):
    fixed = {"three-alike": 300, "four-alike": 4000}
    jackpot = {"modality": modality, "accumulated": 90_000, "fixed": fixed, "percentage": [1, 10]}
    case = settlement_case(
        GAME, "by-hand", {"player": ["KS", "KH", "QD"], "banker": ["KD", "7C"]},
        [{"bet": "banker", "stake": 100, "bettor": "1"},
         {"bet": "jackpot", "stake": 100, "bettor": "1"}],
        {"commission": "five-percent", "jackpot": jackpot},
    )  # fmt: skip
    found = next(judge.differences(ALIKE, [case]))

    # 13/2/1: a queen is not of the value of a king, so that three cards are alike and not four.
    assert [one.prize for one in judge.oracle.expected_settlements(case)] == [100, 300]
    assert (found.case, found.bet, found.answer[1].prize) == (case, 1, 4000)
    assert judge.names(found, FAULTS[ALIKE].provision)
    assert judge.names(found, f"{PLANTED.LAW}/{provision}")
    assert judge.readings(found) == set()


@pytest.mark.parametrize("name", PLAYED)
def test_a_fault_of_steps_breaks_its_provision_and_no_other(judge, name):
    fault = FAULTS[name]
    log = judge.log(fault, name)

    assert judge.broken(fault, log) == {fault.provision}
    assert judge.lawful_readings(fault, log) == {fault.point} - {""}


@pytest.mark.parametrize("name", PLAYED)
def test_the_round_that_shows_a_fault_is_lawful_without_it(judge, name):
    fault = FAULTS[name]

    assert judge.broken(fault, judge.log(fault)) == set()


@pytest.mark.full
@pytest.mark.parametrize("name", SETTLED)
def test_every_difference_follows_from_the_provision(judge, name, capsys):
    provision = FAULTS[name].provision
    seen = list(judge.differences(name))
    named = sum(judge.names(one, provision) for one in seen)
    cases = len({id(one.case) for one in seen})
    with capsys.disabled():
        # The table of what differs is what this is for.
        print(f"{provision:31} {name:52} {cases:5} cases {len(seen):5} bets")  # noqa: T201

    assert named == len(seen) > 0
