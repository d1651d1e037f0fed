"""Every fault planted in Fortune 3 Card Poker breaks its own provision, and no other."""

import pytest
from tests.planted import judging

# The other games are the part that every run of the tests tries.
pytestmark = pytest.mark.full

GAME = "fortune-three-card-poker"
_, PLANTED = judging.modules(GAME)
FAULTS = PLANTED.FAULTS
SETTLED = [name for name, one in FAULTS.items() if not one.shows and not one.declares]
PLAYED = [name for name, one in FAULTS.items() if one.shows]


def asked(provision):
    """Return what is asked: of a comparison the law tells the line of article 8, not article 4."""
    return ("settle",) if "/4/" in provision else ("settle", "compare")


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

    assert judge.is_seen(judge.differences(name, methods=asked(fault.provision)), fault)


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
    seen = list(judge.differences(name, methods=asked(provision)))
    named = sum(judge.names(one, provision) for one in seen)
    cases = len({id(one.case) for one in seen})
    with capsys.disabled():
        # The table of what differs is what this is for.
        print(f"{provision:31} {name:52} {cases:5} cases {len(seen):5} bets")  # noqa: T201

    assert named == len(seen) > 0
