"""Every fault planted in fish-prawn-crab breaks its own provision and no other."""

import json
import os
import subprocess
import sys
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

GAME = "fish-prawn-crab"
SERVING, PLANTED = judging.modules(GAME)
FAULTS = PLANTED.FAULTS
SETTLED = [name for name, one in FAULTS.items() if not one.shows and not one.declares]
PLAYED = [name for name, one in FAULTS.items() if one.shows]
LAW = "portaria-21-96-m"
#: Faces that no derivation names: it tells the colours and the sum, not from where they are known.
FACES = {
    f"{LAW}/1/a/1": "fish",
    f"{LAW}/1/a/2": "prawn",
    f"{LAW}/1/a/3": "gourd",
    f"{LAW}/1/a/4": "coin",
    f"{LAW}/1/a/5": "crab",
    f"{LAW}/1/a/6": "rooster",
}
#: Steps that cannot be broken without another: a sign that is not lit breaks article 2 as well.
NOT_ALONE = {f"{LAW}/3/a#1", f"{LAW}/3/c#10"}
LIMITED = {"limits": "declared", "minimum": 100, "maximum": 1000}


@pytest.fixture(scope="module")
def judge(law):
    one = judging.Judge(law, GAME)
    offers = msgspec.convert(SERVING.load(GAME).describe({})["games"], list[Offer])
    # What the vendor does not offer, such as a ceiling on prizes, is not asked.
    one.cases = list(stream_cases(law, Scope(games=tuple(map(offered_of, offers)))))
    return one


def rests_on(judge, difference, provision):
    if provision in FACES:
        return FACES[provision] in difference.case.outcome["dice"]
    return judge.names(difference, provision)


def test_every_provision_has_a_fault_or_a_reason_why_not(judge):
    covered = {one.provision for one in FAULTS.values()}

    assert covered | PLANTED.UNBREAKABLE.keys() == judge.provisions() | {
        f"{LAW}/1/a/close",
        f"{LAW}/1/c",
    }
    assert not covered & PLANTED.UNBREAKABLE.keys()


@pytest.mark.parametrize("name", SETTLED)
def test_a_fault_of_settling_is_seen_and_rests_on_its_provision(judge, name):
    fault = FAULTS[name]
    seen = list(islice(judge.differences(name), judging.SOME))

    assert seen
    assert all(rests_on(judge, one, fault.provision) for one in seen[: judging.FEW])
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
    procedure = compile_procedure(law, GAME, Readings(law), LIMITED)
    asked = {one.key for one in procedure.constraints if one.kind != "names"}
    broken, tables = set(), {}
    for name in PLAYED:
        options = FAULTS[name].options
        if repr(options) not in tables:
            tables[repr(options)] = compile_procedure(law, GAME, Readings(law), options)
        breaches = tables[repr(options)].judge(judge.log(FAULTS[name], name))
        broken |= {one.constraint.key for one in breaches}

    assert broken == asked - NOT_ALONE


def test_a_fault_leaves_no_trace_in_the_next_vendor():
    case = {
        "game": GAME, "options": {}, "outcome": {"dice": ["fish", "prawn", "gourd"]},
        "bets": [{"bet": "small", "stake": 100}],
    }  # fmt: skip
    lawful = SERVING.load(GAME).settle(case)

    changed = SERVING.load(GAME, "pays-small-two-to-one").settle(case)

    assert changed["settlements"][0]["prize"] == 200
    assert SERVING.load(GAME).settle(case) == lawful
    assert lawful["settlements"][0]["prize"] == 100


def asked(root, *arguments, **environment):
    settle = {"game": GAME, "options": {}, "outcome": {"dice": ["fish", "prawn", "gourd"]}}
    settle["bets"] = [{"bet": "small", "stake": 100}]
    lines = [
        {"jsonrpc": "2.0", "id": "1", "method": "settle", "params": settle},
        {"jsonrpc": "2.0", "id": "2", "method": "end", "params": {}},
    ]
    return subprocess.run(
        [sys.executable, *arguments],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={**os.environ, **environment},
    )


def test_the_server_serves_a_fault_over_standard_input(root):
    served = asked(root, "fixtures/planted/vendor.py", GAME, "pays-small-two-to-one")

    [first, _] = map(json.loads, served.stdout.splitlines())
    assert first["result"]["settlements"][0]["prize"] == 200


def test_the_server_refuses_a_fault_that_it_does_not_know(root):
    served = asked(root, "fixtures/planted/vendor.py", GAME, "pays-nobody")

    assert served.returncode == 2
    assert "has no fault 'pays-nobody'" in served.stderr


def test_a_vendor_in_process_is_named_by_the_environment(monkeypatch):
    monkeypatch.setenv("SELO_PLANTED", f"{GAME}/pays-small-two-to-one")

    described = SERVING.vendor.describe({})

    assert described["vendor"] == {"name": "Vendor with a planted fault"}
    assert [one["game"] for one in described["games"]] == [GAME]


@pytest.mark.full
@pytest.mark.parametrize("name", SETTLED)
def test_every_difference_rests_on_the_provision(judge, name, capsys):
    provision = FAULTS[name].provision
    seen = list(judge.differences(name))
    cases = len({id(one.case) for one in seen})
    with capsys.disabled():
        # The table of what differs is what this is for.
        print(f"{provision:31} {name:52} {cases:5} cases {len(seen):5} bets")  # noqa: T201

    assert seen
    assert all(rests_on(judge, one, provision) for one in seen)


@pytest.mark.full
@pytest.mark.parametrize("name", PLAYED)
def test_a_fault_of_steps_is_lawful_only_under_another_reading_of_the_point_it_tells(judge, name):
    fault = FAULTS[name]

    assert judge.lawful_readings(fault, judge.log(fault, name)) == {fault.point} - {""}
