"""What is wrong is found: by the schemas, by the structs, and by both alike."""

import json

import msgspec
import pytest

from selo.protocol import messages

FISH = {"dice": ["fish", "fish", "crab"]}
BACARA = {"player": ["3H", "4D"], "banker": ["KS", "7C"]}


@pytest.mark.parametrize(
    ("schema", "spoiled"),
    [
        ("fish-prawn-crab.outcome", {"dice": ["fish", "fish"]}),
        ("fish-prawn-crab.outcome", {"dice": ["fish", "fish", "dragon"]}),
        ("fish-prawn-crab.outcome", {**FISH, "lying": ["flat", "flat", "upright"]}),
        ("fish-prawn-crab.outcome", {**FISH, "table": "1"}),
        ("bacara.outcome", {**BACARA, "banker": ["KS"]}),
        ("bacara.outcome", {**BACARA, "banker": ["KS", "7C", "2C", "3C"]}),
        ("bacara.outcome", {**BACARA, "banker": ["KS", "1C"]}),
        ("craps.outcome", {"throws": [[6, 7]]}),
        ("craps.outcome", {"throws": [[6]]}),
        ("craps.outcome", {"throws": [[6, 5, 4]]}),
        ("three-card-baccarat.outcome", {"banker": ["KH", "QS"], "seats": {}}),
        ("three-card-baccarat.outcome", {"seats": {"1": ["2H", "3C", "4D"]}}),
        ("fortune-three-card-poker.outcome", {"croupier": ["QH", "QH", "2D"]}),
        ("pai-kao.hand", ["3/3"]),
        ("pai-kao.hand", ["3/3", "7/7"]),
        ("pai-kao.hand", ["1/2", "1/2"]),
        ("fish-prawn-crab.bet", {"bet": "small", "stake": 0}),
        ("fish-prawn-crab.bet", {"bet": "small", "stake": 100.5}),
        ("fish-prawn-crab.bet", {"bet": "small", "stake": "100"}),
        ("fish-prawn-crab.bet", {"bet": "small", "stake": 2**53}),
        ("fish-prawn-crab.bet", {"bet": "small", "stake": 100, "choice": "fish"}),
        ("fish-prawn-crab.bet", {"bet": "number", "stake": 100, "choice": 18}),
        ("fish-prawn-crab.bet", {"bet": "number", "stake": 100}),
        ("fish-prawn-crab.bet", {"bet": "medium", "stake": 100}),
        ("craps.bet", {"bet": "pass-line-additional", "stake": 100}),
        ("craps.bet", {"bet": "hard-way", "stake": 100, "choice": 5}),
        ("bacara.bet", {"bet": "jackpot", "stake": 100}),
        ("fortune-three-card-poker.bet", {"bet": "ante", "stake": 100}),
        ("bacara.options", {"commission": "ten-percent"}),
        ("bacara.options", {"jackpot": {"modality": "D"}}),
        ("bacara.options", {"jackpot": {"modality": "A", "percentage": [1, 10]}}),
        ("bacara.options", {"jackpot": {"modality": "A", "fixed": {"six-alike": 100}}}),
        ("bacara.options", {"jackpot": {"modality": "C", "percentage": [0.1, 1]}}),
        ("bacara.options", {"jackpot": {"accumulated": 1000000}}),
        ("fish-prawn-crab.options", {"highest_prize": 1.5}),
        ("craps.options", {"packs": 8}),
        ("bacara.table-options", {"jackpot_stake_declared": "yes"}),
        ("craps.event", {"event": "throw-dice", "player": "p1", "by": "dealer"}),
        ("craps.event", {"event": "throw-dice", "player": "p1"}),
        ("craps.event", {"event": "place-bet", "ticket": "k1"}),
        ("craps.act", {"act": "go-on", "until": "place-bet"}),
        ("craps.act", {"act": "happen", "event": {"event": "take-dice"}}),
        ("craps.act", {"act": "force", "outcome": {}}),
        ("pai-kao.offer", {"game": "pai-kao", "methods": ["settle"]}),
        ("bacara.offer", {"game": "bacara", "methods": ["settle"], "bets": ["dragon"]}),
        ("bacara.offer", {"game": "bacara", "methods": []}),
    ],
)
def test_a_spoiled_value_has_faults(faults, schema, spoiled):
    assert faults(schema, spoiled)


@pytest.mark.parametrize(
    ("schema", "lawful"),
    [
        ("fish-prawn-crab.outcome", {**FISH, "lying": ["flat", "leaning", "stacked"]}),
        ("bacara.outcome", {"player": ["3H", "3H", "3H"], "banker": ["KS", "7C", "2C"]}),
        ("craps.outcome", {"throws": [[6, 0]]}),
        ("fortune-three-card-poker.outcome", {"croupier": ["QH", "7S"], "places": {"1": []}}),
        ("pai-kao.hand", ["1/1", "1/1"]),
        ("bacara.options", {"jackpot": {"modality": "C", "percentage": [1, 10]}}),
        ("craps.act", {"act": "go-on"}),
        ("three-card-baccarat.bet", {"bet": "points", "stake": 100, "choice": 0, "bettor": "1"}),
        ("three-card-baccarat.offer", {"game": "three-card-baccarat", "methods": ["settle"],
                                       "options": {"packs": {"from": 1, "to": 8}}}),
    ],
)  # fmt: skip
def test_a_lawful_value_has_none(faults, schema, lawful):
    assert not faults(schema, lawful)


def test_an_unknown_field_is_ignored_beside_the_params_and_refused_inside(faults):
    asked = {"game": "fish-prawn-crab", "options": {}, "outcome": FISH, "bets": []}

    assert not faults("fish-prawn-crab.params.settle", {**asked, "hint": 1})
    assert faults("fish-prawn-crab.params.settle", {**asked, "options": {"hint": 1}})
    assert faults("fish-prawn-crab.params.settle", {**asked, "outcome": {**FISH, "hint": 1}})
    bet = {"bet": "small", "stake": 100, "hint": 1}
    assert faults("fish-prawn-crab.params.settle", {**asked, "bets": [bet]})


def test_every_event_and_act_refuses_a_field_that_it_does_not_know(protocol, faults):
    spoiled = 0
    for name, body in protocol["components"]["schemas"].items():
        if ".event." in name or ".act." in name or ".bet." in name:
            for example in body["examples"]:
                assert faults(name, {**example, "hint": 1}), name
                spoiled += 1
    assert spoiled > 100


def test_every_event_act_and_bet_misses_each_required_field(protocol, faults):
    for name, body in protocol["components"]["schemas"].items():
        if ".event." in name or ".act." in name or ".bet." in name:
            for field in body.get("required", []):
                example = dict(body["examples"][0])
                del example[field]
                assert faults(name, example), (name, field)


DESCRIBED = {
    "protocol": "1.0",
    "vendor": {"name": "Reference vendor"},
    "product": {"name": "Fish-Prawn-Crab", "version": "1"},
    "files": [{"path": "adapter.py", "sha256": "0" * 64}],
    "currency": {"code": "MOP", "decimals": 2},
    "rounding": {"prize": "down", "commission": "exact"},
    "games": [{"game": "fish-prawn-crab", "methods": ["settle"]}],
}
SETTLED = {"result": "win", "prize": 100, "commission": 0, "stake": 100}
ACTED = {"answer": "accepted", "events": []}


def described(**changes):
    return "Description", {**DESCRIBED, **changes}


def offered(**changes):
    return described(games=[{**DESCRIBED["games"][0], **changes}])


def settled(**changes):
    return "Settled", {"settlements": [{**SETTLED, **changes}]}


GOOD = [
    described(),
    described(note="kept"),
    described(random=None),
    described(random={"source": "dice", "model": "x"}),
    described(vendor={"name": "Reference vendor", "city": "Macau"}),
    described(processes=64),
    described(protocol="1.12"),
    offered(options={"highest_prize": {"from": 1, "to": 9}}),
    offered(options={"limits": ["none"]}, forces=True, happens=["cover"]),
    settled(),
    settled(prize=[1, 3]),
    # Read in order to be judged: no law has such a prize.
    settled(prize=-1),
    settled(prize=2**53 - 1),
    ("Settled", {"settlements": []}),
    ("Compared", {"order": "equal"}),
    ("Happened", {"events": [{"event": "cover"}]}),
    ("Acted", ACTED),
    ("Acted", {**ACTED, "answer": "refused", "reason": "bets are closed"}),
    ("Acted", {**ACTED, "settlements": [{**SETTLED, "ticket": "k1"}]}),
    ("Drawn", {"outcomes": [FISH]}),
    ("Ended", {}),
    ("Ended", {"bye": True}),
    ("Fault", {"code": -32602, "message": "no"}),
    ("Fault", {"code": -32602, "message": "no", "data": [1], "trace": ""}),
]
BAD = [
    described(protocol="2.0"),
    described(protocol="1.01"),
    described(protocol=1.0),
    described(games=[]),
    described(currency={"code": "mop", "decimals": 2}),
    described(currency={"code": "MOP", "decimals": 2, "sign": "$"}),
    described(files=[{"path": "a", "sha256": "0" * 63}]),
    described(files=[{"path": "a", "sha256": "A" * 64}]),
    described(rounding={"prize": "sideways", "commission": "down"}),
    described(rounding={"prize": "down"}),
    described(processes=0),
    described(vendor={"name": ""}),
    described(vendor="Reference vendor"),
    offered(methods=[]),
    offered(methods=["table.open"]),
    offered(extra=1),
    offered(options={"limits": []}),
    offered(options={"limits": "none"}),
    offered(options={"packs": {"from": 1}}),
    offered(options={"packs": [True]}),
    offered(forces="yes"),
    settled(prize=1.5),
    settled(prize=2**53),
    settled(prize="100"),
    settled(prize=True),
    settled(prize=None),
    settled(prize=[1]),
    settled(prize=[1, 2, 3]),
    settled(prize=[0.5, 1]),
    settled(stake=[1, 2]),
    settled(result="won"),
    settled(odds=8),
    ("Settled", {"settlements": [{"result": "lose"}]}),
    ("Settled", {}),
    ("Settled", []),
    ("Compared", {"order": "above"}),
    ("Compared", {"order": "higher", "by": 2}),
    ("Happened", {"events": ["cover"]}),
    ("Happened", {"events": [], "outcome": {}}),
    ("Acted", {"events": []}),
    ("Acted", {**ACTED, "answer": "yes"}),
    ("Acted", {**ACTED, "settlements": [SETTLED]}),
    ("Acted", {**ACTED, "outcome": []}),
    ("Drawn", {"outcomes": {}}),
    ("Fault", {"code": "-32602", "message": "no"}),
    ("Fault", {"code": -32602}),
]


def read(name, value):
    return msgspec.json.decode(json.dumps(value), type=getattr(messages, name))


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_struct_and_schema_both_take_a_good_message(faults, name, value):
    read(name, value)

    assert not faults(name, value)


@pytest.mark.parametrize(("name", "value"), BAD)
def test_struct_and_schema_both_refuse_a_bad_message(faults, name, value):
    with pytest.raises(msgspec.ValidationError):
        read(name, value)

    assert faults(name, value)


def test_money_with_a_decimal_point_is_refused_even_if_whole():
    # To JSON Schema 100.0 is an integer; the struct looks at how it is written.
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(
            b'{"result":"win","prize":100.0,"commission":0,"stake":100}', type=messages.Settlement
        )


def test_an_answer_has_a_result_or_an_error_and_not_both(faults):
    envelope = {"jsonrpc": "2.0", "id": "1"}
    error = {"code": -32000, "message": "fault"}

    assert not faults("Answer", {**envelope, "result": {}, "took": 3})
    assert not faults("Answer", {**envelope, "error": error})
    assert faults("Answer", envelope)
    assert faults("Answer", {**envelope, "result": {}, "error": error})
