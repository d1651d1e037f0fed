"""Every fault planted in 3-Card Baccarat breaks its own provision and no other."""

from itertools import islice

import msgspec
import pytest
from tests.planted import judging

from selo.cases.generate.case_stream import stream_cases
from selo.cases.scope import Scope
from selo.examine.vendor_description.describe_check import offered_of
from selo.protocol.messages import Offer
from selo.rules.procedure.procedure_rules import compile_procedure
from selo.rules.readings.reading_choice import Readings

# The other games are the part that every run of the tests tries.
pytestmark = pytest.mark.full

GAME = "three-card-baccarat"
SERVING, PLANTED = judging.modules(GAME)
FAULTS = PLANTED.FAULTS
SETTLED = [name for name, one in FAULTS.items() if not one.shows and not one.declares]
PLAYED = [name for name, one in FAULTS.items() if one.shows]
LAW = "portaria-22-96-m"
#: The lines of the annex are alike: the ends and a few between stand for them in a quick run.
OFTEN = {1, 2, 15, 28, 31}
LINES = [name for name in SETTLED if FAULTS[name].provision.startswith(f"{LAW}/annex/")]
SETTLED_OFTEN = [
    name
    for name in SETTLED
    if name not in LINES or int(FAULTS[name].provision.rpartition("/")[2]) in OFTEN
]
MORE_LINES = [
    pytest.param(name, marks=pytest.mark.full) for name in LINES if name not in SETTLED_OFTEN
]
#: Faults that no derivation names: it does not tell that a stake goes back with a win, nor that
#: a prize bears no commission.
NOT_TOLD = {"keeps-the-stake-of-a-win", "commission-on-points"}
SHOE = {"packs": 8, "device": "shoe"}
LIMITED = {"limits": "declared", "maximum": 1000}


@pytest.fixture(scope="module")
def judge(law):
    one = judging.Judge(law, GAME)
    offers = msgspec.convert(SERVING.load(GAME).describe({})["games"], list[Offer])
    # What the vendor does not offer, such as a commission waived, is not asked.
    one.cases = list(stream_cases(law, Scope(games=tuple(map(offered_of, offers)))))
    return one


def test_every_provision_has_a_fault_or_a_reason_why_not(judge):
    covered = {one.provision for one in FAULTS.values()}

    assert covered | PLANTED.UNBREAKABLE.keys() == judge.provisions()
    assert not covered & PLANTED.UNBREAKABLE.keys()


@pytest.mark.parametrize("name", [*SETTLED_OFTEN, *MORE_LINES])
def test_a_fault_of_settling_is_seen_and_the_law_names_its_provision(judge, name):
    fault = FAULTS[name]
    seen = list(islice(judge.differences(name), judging.SOME))

    assert seen
    # A loss is derived from the general rule alone, so that not every difference can be named.
    assert any(judge.names(one, fault.provision) for one in seen) is (name not in NOT_TOLD)
    assert any(judge.readings(one) <= {fault.point} for one in seen)


@pytest.mark.parametrize("name", PLAYED)
def test_a_fault_of_steps_breaks_its_provision_and_no_other(judge, name):
    fault = FAULTS[name]

    assert judge.broken(fault, judge.log(fault, name)) == {fault.provision}


@pytest.mark.parametrize("name", PLAYED)
def test_the_round_that_shows_a_fault_is_lawful_without_it(judge, name):
    fault = FAULTS[name]

    assert judge.broken(fault, judge.log(fault)) == set()


@pytest.mark.full
def test_every_step_is_broken_by_some_fault(law, judge):
    asked, broken, tables = set(), set(), {}
    for options in ({}, {**SHOE, **LIMITED}):
        procedure = compile_procedure(law, GAME, Readings(law), options)
        asked |= {one.key for one in procedure.constraints if one.kind != "names"}
    for name in PLAYED:
        options = FAULTS[name].options
        if repr(options) not in tables:
            tables[repr(options)] = compile_procedure(law, GAME, Readings(law), options)
        breaches = tables[repr(options)].judge(judge.log(FAULTS[name], name))
        broken |= {one.constraint.key for one in breaches}

    assert broken == asked


@pytest.mark.full
@pytest.mark.parametrize("line", range(1, 32))
def test_a_misplaced_line_is_seen_only_where_a_hand_of_that_line_is(judge, line):
    [name] = [one for one in FAULTS if FAULTS[one].provision == f"{LAW}/annex/{line}"]

    for one in islice(judge.differences(name, methods=("compare",)), judging.SOME):
        assert judge.names(one, f"{LAW}/annex/{line}")


@pytest.mark.full
@pytest.mark.parametrize("name", SETTLED)
def test_so_many_bets_show_a_fault(judge, name, capsys):
    provision = FAULTS[name].provision
    seen = list(judge.differences(name))
    cases = len({id(one.case) for one in seen})
    with capsys.disabled():
        # The table of what differs is what this is for.
        print(f"{provision:31} {name:52} {cases:5} cases {len(seen):5} bets")  # noqa: T201

    assert seen


@pytest.mark.full
@pytest.mark.parametrize("name", PLAYED)
def test_a_fault_of_steps_is_lawful_only_under_another_reading_of_the_point_it_tells(judge, name):
    fault = FAULTS[name]

    assert judge.lawful_readings(fault, judge.log(fault, name)) == {fault.point} - {""}
