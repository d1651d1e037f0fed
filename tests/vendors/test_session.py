"""Answers find their requests, whatever order they come in; what fits nowhere ends the talk."""

import json
import random
from collections import deque

import pytest

from selo.examine.tally.answer_count import fraction_fault
from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.session import Session

from .conftest import LOST, Said, answered, line_of


def test_every_request_has_its_answer_in_the_order_of_the_requests():
    def numbered(line):
        asked = json.loads(line)
        many = asked if isinstance(asked, list) else [asked]
        answers = [
            {"jsonrpc": "2.0", "id": one["id"], "result": {"outcomes": [one["params"]]}}
            for one in many
        ]
        random.Random(len(line)).shuffle(answers)  # noqa: S311 - any order will do
        return [line_of(one) for one in answers]

    session = Session(Said(numbered), Limits())
    asked = [{"n": n} for n in range(3000)]

    replies = [reply.result.outcomes[0] for _, reply in session.ask_all("draw", asked)]

    assert replies == asked


def test_lines_may_be_answered_in_any_order():
    waiting = deque()

    def backwards(line):
        # Four lines are under way at once; they are answered when all four are there.
        waiting.append(line_of(answered(line)))
        if len(waiting) < 4:
            return []
        said = list(reversed(waiting))
        waiting.clear()
        return said

    session = Session(Said(backwards), Limits())
    asked = [{"n": n} for n in range(4)]

    assert [params for params, _ in session.ask_all("settle", asked)] == asked


def test_batches_grow_while_answers_come_quickly(talk):
    sizes = []

    def measured(line):
        asked = json.loads(line)
        sizes.append(len(asked) if isinstance(asked, list) else 1)
        return [line_of(answered(line))]

    talk(measured, many=4000)

    assert sizes[0] == 1
    assert max(sizes) == 512


def test_ids_tell_nothing_and_never_come_again():
    transport = Said(lambda line: [line_of(answered(line))])
    session = Session(transport, Limits())

    list(session.ask_all("settle", [{}] * 2000))

    ids = [
        one["id"]
        for line in transport.sent
        for one in (json.loads(line) if line.startswith(b"[") else [json.loads(line)])
    ]
    assert len(set(ids)) == 2000
    assert sorted(ids) != ids
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in ids)


def test_a_wrong_answer_is_a_fault_of_that_answer_alone(talk):
    def one_wrong(line):
        answers = answered(line)
        if isinstance(answers, list):
            answers[1] = {**answers[1], "result": {"settlements": [{"result": "win"}]}}
        return [line_of(answers)]

    replies = talk(one_wrong, many=7)

    wrong = [reply.fault for reply in replies if reply.fault is not None]
    assert wrong
    assert all(one.kind is FaultKind.WRONG_SHAPE for one in wrong)
    assert all(one.path.startswith("$.result.settlements[0]") for one in wrong)
    assert sum(reply.result is not None for reply in replies) == 7 - len(wrong)


def test_an_error_is_an_answer(talk):
    def refusing(line):
        answer = answered(line)
        many = answer if isinstance(answer, list) else [answer]
        for one in many:
            del one["result"]
            one["error"] = {"code": -32001, "message": "not offered", "data": {"bet": "x"}}
        return [line_of(answer)]

    assert {reply.error.code for reply in talk(refusing)} == {-32001}


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lambda one: {**one, "id": "0123456789abcdef"}, FaultKind.UNKNOWN_ID),
        (lambda one: {**one, "id": 7}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {**one, "id": None}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {name: one[name] for name in ("jsonrpc", "result")}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {**one, "jsonrpc": "1.0"}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {**one, "method": "settle"}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {**one, "error": {"code": 1, "message": ""}}, FaultKind.NOT_AN_ANSWER),
        (lambda one: {name: one[name] for name in ("jsonrpc", "id")}, FaultKind.NOT_AN_ANSWER),
        (lambda _: [], FaultKind.NOT_AN_ANSWER),
        (lambda _: "settled", FaultKind.NOT_AN_ANSWER),
        (lambda one: [[one]], FaultKind.NOT_AN_ANSWER),
    ],
)
def test_what_fits_no_request_ends_the_conversation(broken_by, spoil, kind):
    fault = broken_by(lambda line: [line_of(spoil(answered(line)))], many=1)

    assert fault.kind is kind
    assert fault.raw
    assert fault.sent
    assert fault.stderr == b"said nothing"


def test_an_answer_too_many_is_told_from_a_strange_one(broken_by):
    fault = broken_by(lambda line: [line_of(answered(line))] * 2, many=3)

    assert fault.kind is FaultKind.ANSWERED_TWICE


def test_an_answer_twice_within_a_batch_is_noticed(broken_by):
    def twice(line):
        answers = answered(line)
        return [line_of([answers[0], *answers] if isinstance(answers, list) else answers)]

    assert broken_by(twice, many=20).kind is FaultKind.ANSWERED_TWICE


def test_a_missing_answer_names_the_request_that_waits(broken_by):
    def forgetful(line):
        answers = answered(line)
        return [line_of(answers[:-1] if isinstance(answers, list) else answers)]

    fault = broken_by(forgetful, many=20)

    assert fault.kind is FaultKind.LATE
    assert json.loads(fault.sent)["method"] == "settle"


def test_a_broken_vendor_is_killed():
    transport = Said(lambda _: [b"not json"])
    session = Session(transport, Limits())

    with pytest.raises(VendorBroken):
        session.ask("settle", {})

    assert transport.killed


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"", FaultKind.NOT_JSON),
        (b"{", FaultKind.NOT_JSON),
        (b'{"jsonrpc":"2.0","id":"a","result":NaN}', FaultKind.NOT_JSON),
        (b'{"jsonrpc":"2.0","id":"a","result":Infinity}', FaultKind.NOT_JSON),
        (b"[" * 200_000, FaultKind.TOO_DEEP),
        (b"[" * 200_000 + b"]" * 200_000, FaultKind.TOO_DEEP),
        (b'{"jsonrpc":"2.0","id":"\xff"}', FaultKind.NOT_UTF8),
        (b"\xef\xbb\xbf{}", FaultKind.NOT_JSON),
        (b'{"jsonrpc":"2.0","id":"a","result":' + b"9" * 5000 + b"}", FaultKind.NOT_JSON),
        (b'{"jsonrpc":"2.0","id":"a","id":"b","result":{}}', FaultKind.KEY_TWICE),
    ],
)
def test_what_is_no_message_is_named(broken_by, line, kind):
    assert broken_by(lambda _: [line], many=1).kind is kind


@pytest.mark.parametrize("at", ["result", "prize", "commission", "stake"])
def test_a_key_twice_in_a_settlement_is_noticed(broken_by, at):
    value = b'"lose"' if at == "result" else b"0"
    twice = b'"%s":%s,"%s":' % (at.encode(), value, at.encode())

    def spoilt(line):
        said = json.dumps(answered(line), separators=(",", ":")).encode()
        return [said.replace(b'"%s":%s' % (at.encode(), value), twice + value, 1)]

    assert broken_by(spoilt).kind is FaultKind.KEY_TWICE


@pytest.mark.parametrize(
    "change",
    [
        {"prize": 1.0},
        {"prize": 1e3},
        {"prize": 2**53},
        {"prize": -(2**53)},
        {"prize": "100"},
        {"prize": None},
        {"prize": True},
        {"prize": [1]},
        {"prize": [1, 2, 3]},
        {"prize": [1, 2**53]},
        {"prize": [1, 0.5]},
        {"stake": [1, 2]},
        {"commission": {}},
        {"result": "won"},
        {"result": None},
        {"bonus": 50},
    ],
)
def test_money_is_whole_and_nothing_is_added_to_it(talk, change):
    result = {"settlements": [{**LOST["settlements"][0], **change}]}

    for reply in talk(lambda line: [line_of(answered(line, result))]):
        assert reply.fault.kind is FaultKind.WRONG_SHAPE
        assert reply.fault.path.startswith("$.result.settlements[0]")


@pytest.mark.parametrize("prize", [-1, [-1, 2]])
def test_a_negative_amount_is_read_as_it_was_told(talk, prize):
    result = {"settlements": [{**LOST["settlements"][0], "prize": prize}]}

    for reply in talk(lambda line: [line_of(answered(line, result))]):
        assert reply.fault is None
        assert reply.result.settlements[0].prize == prize


@pytest.mark.parametrize("prize", [[1, -2], [1, 0], [-2, 4], [2, 1]])
def test_a_fraction_that_is_not_in_lowest_terms_is_a_fault_at_its_place(talk, prize):
    result = {"settlements": [{**LOST["settlements"][0], "prize": prize}]}

    for reply in talk(lambda line: [line_of(answered(line, result))]):
        fault = fraction_fault(reply.result.settlements)
        assert (fault.kind, fault.path) == (
            FaultKind.WRONG_SHAPE,
            "$.result.settlements[0].prize",
        )


def test_a_field_too_many_around_an_answer_does_no_harm(talk):
    def chatty(line):
        answers = answered(line)
        many = answers if isinstance(answers, list) else [answers]
        for one in many:
            one["took"] = {"ms": 0.25}
        return [line_of(answers)]

    assert all(reply.result is not None for reply in talk(chatty))


def test_the_whole_session_has_its_time():
    session = Session(Said(lambda line: [line_of(answered(line))]), Limits(total=1e-9))

    with pytest.raises(VendorBroken) as raised:
        session.ask("settle", {})

    assert raised.value.fault.kind is FaultKind.TOTAL_TIME
