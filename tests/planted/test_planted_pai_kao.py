"""Every fault planted in P'ai Kao breaks its own rank and no other."""

import pytest
from tests.planted import judging

GAME = "pai-kao"
_, PLANTED = judging.modules(GAME)
FAULTS = PLANTED.FAULTS


@pytest.fixture(scope="module")
def judge(law):
    return judging.Judge(law, GAME)


def test_every_provision_has_a_fault_or_a_reason_why_not(judge):
    covered = {one.provision for one in FAULTS.values()}

    assert covered | PLANTED.UNBREAKABLE.keys() == judge.provisions()
    assert not covered & PLANTED.UNBREAKABLE.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen_and_every_difference_rests_on_its_rank(judge, name):
    provision = FAULTS[name].provision
    seen = list(judge.differences(name))
    print(f"{provision:31} {name:52} {len(seen):5} comparisons")  # noqa: T201 - shown when it fails

    assert seen
    assert all(judge.names(one, provision) for one in seen)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_lawful_under_no_reading(judge, name):
    assert any(not judge.readings(one) for one in judge.differences(name))
