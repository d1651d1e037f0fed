"""Thousands of outcomes are read in one go, and no key may hide behind another."""

import pytest

from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.reply_reader import ReplyReader

HEAD = b'{"jsonrpc":"2.0","id":"a","result":{"outcomes":['
THROW = b'{"dice":["fish","crab","coin"],"lying":["flat","flat","flat"]}'
DEAL = b'{"croupier":["AS","2S","3S"],"places":{"1":["AH","2H","3H"]}}'


@pytest.mark.parametrize("outcome", [THROW, DEAL])
def test_outcomes_without_a_flaw_are_read_in_one_go(outcome):
    answers = ReplyReader("draw").decode_batch(HEAD + outcome + b"," + outcome + b"]}}")

    assert [len(one.result.outcomes) for one in answers] == [2]


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(b'{"dice":["fish"],"dice":["crab"]}', id="in an outcome"),
        pytest.param(b'{"croupier":[],"places":{"1":["AS"],"1":["AH"]}}', id="among the places"),
    ],
)
def test_a_key_that_comes_twice_is_refused(outcome):
    line = HEAD + outcome + b"]}}"

    assert ReplyReader("draw").decode_batch(line) is None
    with pytest.raises(VendorBroken) as caught:
        ReplyReader("draw").decode_each(line)
    assert caught.value.fault.kind is FaultKind.KEY_TWICE


NUMBERS = {
    "half": "1.5", "minus-zero": "-0.0", "exponent": "1e3", "beyond": str(2**53),
    "digits": "9" * 390, "deep": "[" * 900 + "]" * 900,
}  # fmt: skip
#: Where an answer may hold a number, by method; the place in the path of the fault.
PLACES = {
    "table.open": '{"events":[{"event":"x","number":%s}]}',
    "table.act": '{"answer":"accepted","events":[],"outcome":{"throws":[[%s]]}}',
    "table.close": '{"events":[{"event":"x","inner":{"number":[%s]}}]}',
    "draw": '{"outcomes":[{"throws":[[%s,2]]}]}',
    "settle": '{"settlements":[{"result":"wins","prize":%s,"commission":0,"stake":1}]}',
    "compare": '{"order":"higher","hand_points":[%s,1]}',
}


@pytest.mark.parametrize("method", PLACES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_that_no_evidence_can_hold_is_a_fault_with_its_path_and_line(method, number):
    text = PLACES[method] % NUMBERS[number]
    line = f'{{"jsonrpc":"2.0","id":"a","result":{text}}}'.encode()
    reader = ReplyReader(method)

    batch = reader.decode_batch(line) or reader.decode_batch(b"[" + line + b"]")
    (reply,) = reader.decode_each(line)

    assert batch is None
    assert reply.result is None
    assert reply.fault.kind in {FaultKind.WRONG_SHAPE, FaultKind.TOO_DEEP}
    assert reply.fault.path.startswith("$.result.")
    assert reply.fault.raw == line


def test_numbers_at_the_bound_and_ordinary_depth_are_read():
    text = PLACES["table.open"] % f"[[[{2**53 - 1}, {-(2**53 - 1)}]]]"
    line = f'{{"jsonrpc":"2.0","id":"a","result":{text}}}'.encode()

    (reply,) = ReplyReader("table.open").decode_each(line)

    assert reply.fault is None
