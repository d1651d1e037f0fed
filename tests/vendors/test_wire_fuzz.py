"""Nothing that comes over the wire, in either direction, can crash the one who reads it.

Towards us: a session reads answers that were spoiled in every way, and ends with replies or with a
fault that says what is wrong, never with anything else. Towards adapters: requests that were
spoiled in every way are answered, or refused with a code, and the adapter goes on.
"""

import json
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tools import need

from selo.protocol.messages import RESULTS
from selo.vendors.faults import VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.session import Session

from .conftest import Said, answered, line_of

FEW, MANY = 300, 50_000
METHODS = sorted(RESULTS)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["win", "lose", "2.0", "accepted", "higher", "1.0", "fish-prawn-crab"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([
                "jsonrpc", "id", "result", "error", "code", "message", "settlements", "prize",
                "stake", "events", "event", "order", "outcomes", "games", "method", "params",
            ])
            | st.text(max_size=8),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)  # fmt: skip
edits = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "insert", "repeat", "swap"]),
        st.integers(0, 1 << 16),
        st.binary(max_size=6),
    ),
    max_size=5,
)


def spoiled(line, changes):
    """Return `line` with bytes cut, flipped, put in, repeated or swapped."""
    for how, where, what in changes:
        at = where % (len(line) + 1)
        if how == "cut":
            line = line[:at] + line[at + len(what) :]
        elif how == "flip" and line:
            at %= len(line)
            line = line[:at] + bytes([line[at] ^ (1 + where % 255)]) + line[at + 1 :]
        elif how == "insert":
            line = line[:at] + what + line[at:]
        elif how == "repeat":
            line = line[:at] + line[at // 2 :]
        else:
            line = line[at:] + line[:at]
    return line


def told(answer, method, many=3):
    """Ask a vendor function, and say whether it answered or broke; anything else is raised."""
    session = Session(Said(answer), Limits())
    try:
        replies = [reply for _, reply in session.ask_all(method, [{}] * many)]
    except VendorBroken as error:
        found = error
    else:
        found = None
    if found is not None:
        assert all("\x1b" not in line for code in ("pt", "zh") for line in found.fault.lines(code))
        return "broken"
    assert len(replies) == many
    for reply in replies:
        parts = (reply.result, reply.error, reply.fault)
        assert sum(part is not None for part in parts) == 1
    return "answered"


def towards_us(count):
    @settings(max_examples=count, deadline=None, database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(
        method=st.sampled_from(METHODS),
        result=json_values,
        changes=edits,
        junk=st.one_of(st.none(), st.binary(max_size=200), json_values.map(line_of)),
    )
    def read(method, result, changes, junk):
        def vendor(line):
            said = spoiled(line_of(answered(line, result)), changes)
            return [part for part in (junk, said) if part is not None]

        told(vendor, method)

    read()


def test_no_answer_can_crash_the_reader():
    towards_us(FEW)


@pytest.mark.full
def test_fifty_thousand_answers_cannot_crash_the_reader():
    towards_us(MANY)


def requests(count, seed):
    """Yield lines for an adapter: lawful ones, and ones spoiled in value or in bytes."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    lawful = [
        ("describe", {}),
        ("settle", {"game": "fish-prawn-crab", "options": {},
                    "outcome": {"dice": ["fish", "fish", "crab"]},
                    "bets": [{"bet": "small", "stake": 100}]}),
        ("settle", {"game": "craps", "options": {}, "outcome": {"throws": [[3, 4], [6, 6]]},
                    "bets": [{"bet": "pass-line", "stake": 100}, {"bet": "field", "stake": 5}]}),
        ("compare", {"game": "pai-kao", "a": ["6/6", "6/6"], "b": ["1/2", "2/4"]}),
        ("table.open", {"table": "t", "game": "craps", "options": {}}),
        ("table.act", {"table": "t", "act": {"act": "go-on"}}),
        ("table.close", {"table": "t"}),
        ("draw", {"game": "craps", "options": {}, "count": 3}),
    ]  # fmt: skip
    odd = [None, True, -1, 0, 1.5, 2**70, "", "x" * 300, "\u202e", [], {}, [[[]]], {"bet": []}]

    def changed(value):
        if chance.random() < 0.15:
            return chance.choice(odd)
        if isinstance(value, dict):
            made = {name: changed(one) for name, one in value.items()}
            if chance.random() < 0.1:
                made[chance.choice(["choice", "seat", "x", "at", "to"])] = chance.choice(odd)
            return made
        if isinstance(value, list):
            return [changed(one) for one in value] * chance.choice([1, 1, 1, 0, 2])
        return value

    for number in range(count):
        method, params = chance.choice(lawful)
        message = {"jsonrpc": "2.0", "id": f"r{number}", "method": method, "params": params}
        kind = chance.random()
        if kind < 0.6:
            message["params"] = changed(params)
        elif kind < 0.7:
            message = changed(message)
        line = json.dumps(message).encode()
        if kind > 0.85:
            changes = [
                (chance.choice(["cut", "flip", "insert", "repeat", "swap"]),
                 chance.randrange(1 << 16), chance.randbytes(chance.randrange(6)))
                for _ in range(chance.randrange(1, 4))
            ]  # fmt: skip
            line = spoiled(line, changes)
        yield line.replace(b"\n", b" ").replace(b"\r", b" ") or b" "


def towards(command, count, folder=None):
    """Give an adapter a file of requests, and check that it answered and came to its end."""
    end = line_of({"jsonrpc": "2.0", "id": "the-end", "method": "end", "params": {}})
    lines = [line for line in requests(count, seed=count) if b'"end"' not in line]
    done = subprocess.run(
        command, input=b"\n".join([*lines, end]) + b"\n", capture_output=True, cwd=folder,
        timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    answers = done.stdout.splitlines()
    assert json.loads(answers[-1])["id"] == "the-end"
    # An empty batch, a notification and a blank line have no answer; nearly all others have one.
    assert len(answers) > 0.9 * count
    for one in answers:
        for part in json.loads(one) if one.startswith(b"[") else [None]:
            answer = json.loads(one) if part is None else part
            assert answer["jsonrpc"] == "2.0"
            # The id of a spoiled request may be a number; that is for the adapter to repeat.
            assert answer["id"] is None or isinstance(answer["id"], str | int | float)
            assert ("result" in answer) != ("error" in answer)
            assert "error" not in answer or isinstance(answer["error"]["code"], int)


TOOLS = {"python": "python3", "javascript": "node", "c": "cc", "java": "javac"}


@pytest.fixture
def adapter(language, root, request):
    """Return the command of an adapter and the folder in which it runs."""
    if language != "python":
        need(TOOLS[language])
    fixtures = root / "fixtures" / "adapters"
    if language == "python":
        return [sys.executable, fixtures / "python" / "reference.py"], root
    if language == "javascript":
        return ["node", "adapter.mjs"], fixtures / "javascript"
    built = request.getfixturevalue(f"adapter_{language}")
    if language == "c":
        return [built], built.parent
    return ["java", "-cp", built, "Main"], fixtures / "java"


@pytest.mark.parametrize("language", list(TOOLS))
@pytest.mark.parametrize(
    "count", [1000, pytest.param(12_500, marks=pytest.mark.full)], ids=["few", "many"]
)
def test_no_request_can_crash_an_adapter(adapter, count):
    command, folder = adapter

    towards(command, count, folder)
