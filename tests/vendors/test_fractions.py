"""An amount may be a fraction as text; one that is negative is read, to be judged."""

import json

import pytest

from selo.vendors.reply_reader import ReplyReader


def settled(method="settle", **amounts):
    result = {"result": "win", "prize": 0, "commission": 0, "stake": 0, **amounts}
    line = json.dumps({"jsonrpc": "2.0", "id": "1", "result": {"settlements": [result]}})
    (reply,) = ReplyReader(method).decode_each(line.encode())
    return reply


@pytest.mark.parametrize(
    ("text", "amount"),
    [("39/2", [39, 2]), ("78/4", [39, 2]), ("10/2", 5), ("0/7", 0), ("-39/2", [-39, 2])],
)
def test_a_fraction_as_text_is_read_in_lowest_terms(text, amount):
    assert settled(prize=text).result.settlements[0].prize == amount
    assert settled(commission=text).result.settlements[0].commission == amount


@pytest.mark.parametrize(
    "text", ["", "1/0", "1/", "/2", "1.5", "a/b", "1/2/3", "5", " 1/2", "1e3/2"]
)
def test_a_text_that_is_no_fraction_is_a_fault_at_its_place(text):
    reply = settled(prize=text)

    assert reply.result is None
    assert reply.fault.path == "$.result.settlements[0].prize"


def test_a_stake_is_never_a_fraction():
    assert settled(stake="1/2").fault.path == "$.result.settlements[0].stake"


def test_a_negative_prize_is_read_so_that_it_can_be_judged():
    assert settled(prize=-1_951_217_296).result.settlements[0].prize == -1_951_217_296


def test_a_number_that_json_cannot_hold_is_a_fault_at_its_place():
    assert settled(prize=2**53).fault.path == "$.result.settlements[0].prize"


def test_a_net_amount_may_be_a_fraction_as_text():
    line = '{"jsonrpc": "2.0", "id": "1", "result": {"settlements": [{"net": "-1/2"}]}}'

    (reply,) = ReplyReader("settle:net").decode_each(line.encode())

    assert reply.result.settlements[0].net == [-1, 2]
