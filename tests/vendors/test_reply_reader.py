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
