"""One message to a vendor, the law's answer beside it; and exchanges kept for replay."""

import json
import re

import pytest

from selo.text.message_catalogue import message_words

CASE = {
    "game": "fish-prawn-crab",
    "options": {},
    "outcome": {"dice": ["fish", "prawn", "gourd"]},
    "bets": [{"bet": "small", "stake": 100}],
}
WON = {"result": "win", "prize": 100, "commission": 0, "stake": 100}


@pytest.fixture
def vendor(root):
    return f"python3 {root}/fixtures/adapters/python/reference.py"


@pytest.fixture
def stub(selo, tmp_path):
    folder = tmp_path / "stub"
    selo("adapter", "new", "--lang", "python", "--game", "fish-prawn-crab", "--out", folder)
    return ("--vendor", "python3 adapter.py", "--folder", folder)


def test_a_right_answer_stands_beside_that_of_the_law_with_its_articles(selo, vendor):
    done = selo("ask", json.dumps(CASE), "--vendor", vendor)

    assert done.returncode == 0
    assert done.stdout.count(json.dumps({"settlements": [WON]})) == 2
    assert "The answer matches the law." in done.stdout
    assert "portaria-21-96-m/5/a" in done.stdout


def test_a_wrong_answer_is_told_beside_the_right_one(selo, stub):
    done = selo("ask", json.dumps({"method": "settle", "params": CASE}), *stub, "--json")

    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert told["differs"]
    assert told["answer"]["settlements"][0]["result"] == "lose"
    assert told["expected"] == {"settlements": [WON]}
    assert told["derivations"][0][0]["provision"] == "portaria-21-96-m/5/a"


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_a_comparison_stands_with_the_articles_that_order_the_hands(selo, vendor, language):
    hands = {"game": "pai-kao", "a": ["3/3", "1/4"], "b": ["5/6", "4/5"]}

    done = selo("ask", json.dumps(hands), "--vendor", vendor, "--lang", language)

    assert done.returncode == 0, done.stderr
    assert done.stdout.count('{"order": "higher"}') == 2
    assert "portaria-96-85-m/" in done.stdout


def test_every_role_of_a_provision_can_be_told(root):
    settlement = root / "harness" / "selo" / "rules" / "settlement"
    code = "".join(path.read_text(encoding="utf-8") for path in settlement.glob("*.py"))
    roles = {
        *re.findall(r'DerivationStep\([^()]*role="(\w+)"', code),
        *re.findall(r'refuse\([\w.]+, "(\w+)"\)', code),
    }

    assert {"rank", "alike", "excludes", "bet", "limit"} <= roles
    for role in roles:
        assert message_words(f"explain.role.{role}").en


def test_where_the_law_is_silent_nothing_conforms(selo, vendor):
    hands = {"game": "pai-kao", "a": ["3/3", "1/4"], "b": ["6/6", "1/1"]}

    done = selo("ask", json.dumps(hands), "--vendor", vendor)

    assert done.returncode == 2
    assert "says nothing" in done.stdout


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("", "invalid message"),
        ("[]", "invalid message"),
        ("{", "invalid message"),
        ('{"game": 7}', "names no method"),
        ('{"method": "sing"}', "unknown method 'sing'"),
    ],
)
def test_what_is_no_message_is_refused(selo, vendor, message, told):
    done = selo("ask", message, "--vendor", vendor)

    assert done.returncode == 3
    assert told in done.stderr


def test_an_exchange_is_kept_and_replayed_and_says_what_changed(selo, vendor, stub, tmp_path):
    messages, kept = tmp_path / "messages.jsonl", tmp_path / "kept.jsonl"
    compare = {"game": "pai-kao", "a": ["6/6", "6/6"], "b": ["1/1", "1/1"]}
    messages.write_text(f"{json.dumps(CASE)}\n\n{json.dumps(compare)}\n", encoding="utf-8")

    recorded = selo("record", messages, "--out", kept, "--vendor", vendor)
    again = selo("replay", kept, "--vendor", vendor)
    other = selo("replay", kept, *stub, "--json")

    assert recorded.returncode == again.returncode == 0
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2
    assert "All 2 answers are the same." in again.stdout
    assert other.returncode == 2
    assert json.loads(other.stdout)["changed"] == [1, 2]


def test_an_exchange_is_never_overwritten(selo, vendor, tmp_path):
    messages = tmp_path / "messages.jsonl"
    messages.write_text(json.dumps(CASE), encoding="utf-8")

    done = selo("record", messages, "--out", messages, "--vendor", vendor)

    assert done.returncode == 3
    assert messages.read_text(encoding="utf-8") == json.dumps(CASE)
