"""Two runs of one product that answers out of form are not two products."""

import base64

import msgspec
import pytest

from selo.examine.behaviour.answer_facts import comparable_answer, decode_fact_line

FAULT = {"kind": "wrong-shape", "path": "$.result.settlements[0]", "told": "Expected `int`"}


def line(**fault):
    raw = base64.b64encode(fault.pop("raw").encode()).decode()
    return decode_fact_line(
        msgspec.json.encode(
            {
                "game": "bacara",
                "method": "settle",
                "params": {},
                "fault": FAULT | fault | {"raw": raw},
            }
        )
    )


def test_a_fault_is_the_same_whatever_id_its_request_had():
    one, other = line(raw='{"id": "4bd192d0"}'), line(raw='{"id": "2b9ae20a"}')

    assert comparable_answer(one) == comparable_answer(other)


@pytest.mark.parametrize("fault", [{"kind": "too-late"}, {"path": "$.result"}, {"told": "other"}])
def test_another_fault_is_another_answer(fault):
    assert comparable_answer(line(raw="x")) != comparable_answer(line(raw="x", **fault))
