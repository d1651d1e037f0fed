"""Two runs of one product that answers out of form are not two products."""

import base64

import msgspec
import pytest

from selo.examine.behaviour.answer_facts import comparable_answer, decode_fact_line

FAULT = {"kind": "wrong-shape", "path": "$.result.settlements[0]", "told": "Expected `int`"}
HEAD = {"game": "bacara", "group": "own", "method": "settle", "params": {}}


def line(raw, **changed):
    fault = {**FAULT, **changed, "raw": base64.b64encode(raw.encode()).decode()}
    return decode_fact_line(msgspec.json.encode({**HEAD, "fault": fault}))


def test_a_fault_is_the_same_whatever_id_its_request_had():
    assert comparable_answer(line('{"id": "4b"}')) == comparable_answer(line('{"id": "2b"}'))


@pytest.mark.parametrize("changed", [{"kind": "too-late"}, {"path": "$"}, {"told": "other"}])
def test_another_fault_is_another_answer(changed):
    assert comparable_answer(line("x")) != comparable_answer(line("x", **changed))
