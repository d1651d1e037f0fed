"""The reference vendor as it is served: over standard input, over HTTP and in process."""

import hashlib
import http.client
import json
import os
import subprocess
import sys
import threading
from urllib.parse import urlsplit

import msgspec
import pytest
from tests.fixture_modules import load_fixture
from tests.games import GAMES

from selo.protocol.messages import RESULTS, Answer, Description, Settled

SETTLES = {
    "fish-prawn-crab": {
        "outcome": {"dice": ["fish", "prawn", "prawn"]},
        "bets": [{"bet": "small", "stake": 100}, {"bet": "dragon", "stake": 50}],
    },
    "three-card-baccarat": {
        "options": {"packs": 1},
        "outcome": {"banker": ["KH", "QS", "9D"], "seats": {"1": ["2H", "3C", "4D"]}},
        "bets": [{"bet": "beat-banker", "stake": 100, "seat": "1"}],
    },
    "bacara": {
        "options": {"commission": "five-percent"},
        "outcome": {"player": ["3H", "4D"], "banker": ["KS", "8C"]},
        "bets": [{"bet": "banker", "stake": 100}],
    },
    "fortune-three-card-poker": {
        "outcome": {"croupier": ["QH", "7S", "2D"], "places": {"1": ["AH", "KH", "QS"]}},
        "bets": [{"bet": "ante", "stake": 100, "place": "1"}],
    },
    "craps": {
        "outcome": {"throws": [[6, 5]]},
        "bets": [{"bet": "pass-line", "stake": 100}, {"bet": "hard-way", "stake": 5, "choice": 4}],
    },
}
COMPARES = {
    "three-card-baccarat": (["KH", "QS", "JD"], ["2H", "3C", "4D"]),
    "fortune-three-card-poker": (["AH", "AD", "AC"], ["2H", "3C", "4D"]),
    "pai-kao": (["1/2", "2/4"], ["3/3", "1/4"]),
}


def request(method, params=None, at="1"):
    return {"jsonrpc": "2.0", "id": at, "method": method, "params": params or {}}


def line(message):
    return json.dumps(message).encode() + b"\n"


@pytest.fixture(scope="module")
def command(root):
    return [sys.executable, str(root / "fixtures" / "adapters" / "python" / "reference.py")]


@pytest.fixture(scope="module")
def served(root):
    """Return the module of the reference vendor, and one vendor that stands in the root folder."""
    module = load_fixture("adapters/python/reference.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        return module, module.ReferenceVendor()


@pytest.fixture(scope="module")
def adapter(served):
    """Return the module that serves, which the vendor brought along."""
    return sys.modules[served[0].Refusal.__module__]


@pytest.fixture(scope="module")
def answer(served, adapter):
    """Answer a message in process."""
    return lambda message: adapter.answer(served[1], message)


@pytest.fixture(scope="module")
def ask(answer):
    """Ask for one result in process, and return the whole answer."""
    return lambda method, params=None: json.loads(answer(line(request(method, params))))


@pytest.fixture(scope="module")
def run(command, root):
    """Give a process all of its input, and return what it did."""

    def ran(text, *arguments):
        return subprocess.run(
            [*command, *arguments],
            input=text,
            capture_output=True,
            cwd=root,
            timeout=180,
            check=False,
        )

    return ran


@pytest.fixture
def stdio(command, root):
    """Start a process that is talked to line by line."""
    # The adapter must flush by itself, so the environment may not do it.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env=environment
    ) as process:
        # A process that keeps its answers to itself fails the test, and does not hold it up.
        patience = threading.Timer(30, process.kill)
        patience.start()
        yield process
        patience.cancel()
        process.stdin.close()


@pytest.fixture
def over_http(command, root):
    """Start a server, and return its process and a connection to it."""
    with subprocess.Popen(
        [*command, "--http", "0"], stderr=subprocess.PIPE, cwd=root, text=True
    ) as process:
        address = urlsplit(process.stderr.readline().removeprefix("listening on ").strip())
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=180)
        yield process, connection
        connection.close()
        process.terminate()


def post(connection, body, **headers):
    connection.request("POST", "/", body, {"Content-Type": "application/json", **headers})
    response = connection.getresponse()
    return response.status, response.read()


def every_kind():
    """Make one message of every kind whose answer does not depend on chance."""
    messages = [line(request("describe"))]
    messages += [line(request("settle", {"game": game, **SETTLES[game]})) for game in SETTLES]
    for game, (a, b) in COMPARES.items():
        messages.append(line(request("compare", {"game": game, "a": a, "b": b})))
    act = {"act": "force", "outcome": {"throws": [[1, 2]]}}
    bet = {"act": "place-bet", "ticket": "k", "player": "p", "bet": "field", "stake": 9}
    messages += [
        line(request("table.open", {"table": "t", "game": "craps", "options": {}}, "é")),
        line([request("table.act", {"table": "t", "act": one}, "2") for one in (act, bet)]),
        line(request("table.act", {"table": "t", "act": {"act": "go-on"}})),
        line(request("table.close", {"table": "t"})),
        line(request("table.close", {"table": "t"})),
        line(request("settle", {"game": "chess"})),
        line(request("shuffle")),
        line([]),
        b"{not json\n",
    ]
    return messages


def test_every_method_answers_in_the_shape_of_the_protocol(ask):
    asked = [("describe", {})]
    asked += [("settle", {"game": game, **SETTLES[game]}) for game in SETTLES]
    asked += [("compare", {"game": game, "a": a, "b": b}) for game, (a, b) in COMPARES.items()]
    asked += [("draw", {"game": game, "options": {}, "count": 3}) for game in SETTLES]
    for game in SETTLES:
        asked.append(("table.open", {"table": game, "game": game, "options": {}}))
        asked.append(("table.act", {"table": game, "act": {"act": "go-on"}}))
        asked.append(("table.close", {"table": game}))

    for method, params in asked:
        result = ask(method, params)["result"]

        assert msgspec.convert(result, RESULTS[method]) is not None


def test_the_description_names_all_games_and_hashes_every_file(ask, root):
    told = msgspec.convert(ask("describe")["result"], Description)

    assert tuple(offer.game for offer in told.games) == GAMES
    assert told.currency.code == "MOP"
    paths = {file.path for file in told.files}
    for wanted in (
        "adapters/python/selo_adapter.py",
        "vendors/craps.py",
        "vendors/tables/craps.py",
    ):
        assert f"fixtures/{wanted}" in paths
    for file in told.files:
        assert hashlib.sha256((root / file.path).read_bytes()).hexdigest() == file.sha256


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_methods_that_the_law_gives_it_matter_for(ask, game):
    offers = {offer["game"]: offer for offer in ask("describe")["result"]["games"]}

    wanted = {"compare"} if game in COMPARES else set()
    wanted |= {"settle", "table", "draw"} if game in SETTLES else set()
    wanted |= {"pack"} - ({"pack"} if game in {"fish-prawn-crab", "craps"} else set())

    assert set(offers[game]["methods"]) == wanted
    assert offers[game]["forces"] is (game in SETTLES)


def test_a_settlement_tells_what_goes_back_of_the_stake(ask):
    params = {"game": "craps"} | SETTLES["craps"]
    fish = {"game": "fish-prawn-crab"} | SETTLES["fish-prawn-crab"]
    fish["outcome"] = {"dice": ["fish", "fish", "fish"]}

    craps = ask("settle", params)["result"]["settlements"]
    refused = ask("settle", fish)["result"]["settlements"]

    assert [(one["result"], one["stake"]) for one in craps] == [("win", 100), ("stands", 0)]
    assert [(one["result"], one["stake"]) for one in refused] == [("lose", 0), ("refused", 50)]


def test_void_stakes_stay_in_fish_prawn_crab_and_go_back_in_poker(ask):
    # Portaria 21/96/M, art. 3 c), and Despacho 78/2008, art. 11, item 1).
    fish = SETTLES["fish-prawn-crab"] | {
        "outcome": {"dice": ["fish"] * 3, "lying": ["flat", "flat", "stacked"]}
    }
    poker = SETTLES["fortune-three-card-poker"] | {
        "outcome": {"croupier": ["QH", "7S", "2D"], "places": {"1": ["AH", "KH"]}}
    }

    stays = ask("settle", {"game": "fish-prawn-crab", **fish})["result"]["settlements"][0]
    back = ask("settle", {"game": "fortune-three-card-poker", **poker})["result"]["settlements"][0]

    assert (stays["result"], stays["stake"]) == ("void", 0)
    assert (back["result"], back["stake"]) == ("void", 100)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("settle", {"game": "chess", "outcome": {}, "bets": []}, -32602),
        ("settle", {"game": ["craps"], "outcome": {}, "bets": []}, -32602),
        ("settle", {"game": "pai-kao", "outcome": {}, "bets": []}, -32001),
        ("settle", {"game": "craps", "outcome": {"throws": [[1, 7]]}, "bets": []}, -32602),
        ("settle", {"game": "craps", "outcome": {"throws": 3}, "bets": []}, -32602),
        ("settle", {"game": "craps", "outcome": {"dice": []}, "bets": []}, -32602),
        ("settle", {"game": "craps", "outcome": {"throws": []}, "bets": {}}, -32602),
        ("settle", {"game": "craps", "outcome": {"throws": []}, "bets": [7]}, -32602),
        ("settle", {"game": "craps", "outcome": {"throws": []}, "bets": [{"odds": 9}]}, -32602),
        ("settle", {"game": "craps", "options": {"wind": 1}, "outcome": {}, "bets": []}, -32602),
        ("settle", {"game": "bacara", "outcome": {"player": 1, "banker": 2}, "bets": []}, -32602),
        (
            "settle",
            {"game": "bacara", "options": {"commission": "none"}, "outcome": {}, "bets": []},
            -32001,
        ),
        ("settle", {"game": "three-card-baccarat", "outcome": {"seats": []}, "bets": []}, -32602),
        ("compare", {"game": "craps", "a": [], "b": []}, -32001),
        ("compare", {"game": "pai-kao", "a": ["9/9", "1/1"], "b": ["1/1", "1/1"]}, -32602),
        ("compare", {"game": "fortune-three-card-poker", "a": 7}, -32602),
        ("draw", {"game": "craps", "count": 10_001}, -32602),
        ("draw", {"game": "craps", "count": True}, -32602),
        ("draw", {"game": "three-card-baccarat", "options": {"packs": 9}, "count": 1}, -32001),
        ("table.open", {"table": "t", "game": "pai-kao", "options": {}}, -32001),
        ("table.open", {"table": "", "game": "craps", "options": {}}, -32602),
        ("table.open", {"table": "t", "game": "craps", "options": {"limits": "x"}}, -32001),
        ("table.act", {"table": "nowhere", "act": {"act": "go-on"}}, -32003),
        ("table.act", {"act": {"act": "go-on"}}, -32003),
        ("table.close", {"table": "nowhere"}, -32003),
        ("shuffle", {}, -32601),
        ("__class__", {}, -32601),
        ("table_open", {}, -32601),
    ],
)
def test_what_cannot_be_answered_gets_its_code(ask, method, params, code):
    assert ask(method, params)["error"]["code"] == code


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        (b"", -32700, None),
        (b"\xff\xfe", -32700, None),
        (b"\xef\xbb\xbf{}", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b'{"jsonrpc":"2.0","id":"1","id":"2","method":"describe"}', -32700, None),
        (b'{"jsonrpc":"2.0","id":"1","method":"draw","params":{"count":NaN}}', -32700, None),
        (b"7", -32600, None),
        (b"[]", -32600, None),
        (b"[" + b",".join([b"{}"] * 513) + b"]", -32600, None),
        (b'{"jsonrpc":"2.0","method":"describe"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":[],"method":"describe"}', -32600, None),
        (b'{"jsonrpc":"1.0","id":"1","method":"describe"}', -32600, "1"),
        (b'{"jsonrpc":"2.0","id":"1","method":7}', -32600, "1"),
        (b'{"jsonrpc":"2.0","id":"1","method":"describe","params":[]}', -32602, "1"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_request_gets_its_code(answer, text, code, at):
    told = json.loads(answer(text))

    assert (told["error"]["code"], told["id"]) == (code, at)


def test_a_fault_of_the_vendor_is_an_answer_and_its_traceback_is_kept(adapter, capsys):
    class Broken:
        def describe(self, _):
            return 1 / 0

        def settle(self, _):
            return {"settlements": float("nan")}

    told = [
        json.loads(adapter.answer(Broken(), line(request(name))))["error"]
        for name in ("describe", "settle", "draw")
    ]

    assert [one["code"] for one in told] == [-32000, -32000, -32601]
    assert "division by zero" in told[0]["message"]
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_batch_is_answered_as_a_batch_with_its_faults(answer):
    batch = [request("end", at="a"), 7, request("shuffle", at="b"), request("describe", at="c")]

    told = json.loads(answer(line(batch)))

    assert [one["id"] for one in told] == ["a", None, "b", "c"]
    assert [one.get("error", {}).get("code") for one in told] == [None, -32600, -32601, None]


def test_answers_are_the_same_over_stdio_over_http_and_in_process(run, over_http, answer):
    messages = every_kind()

    process = run(b"".join(messages))
    posted = [post(over_http[1], message) for message in messages]

    inside = [answer(message) for message in messages]
    assert process.stdout.splitlines() == inside
    assert posted == [(200, body) for body in inside]


def test_lines_are_answered_as_they_come_and_many_may_be_under_way(stdio):
    stdio.stdin.write(line(request("describe", at="first")))
    stdio.stdin.flush()
    first = json.loads(stdio.stdout.readline())
    case = {"game": "craps", **SETTLES["craps"]}
    for number in range(300):
        stdio.stdin.write(line(request("settle", case, str(number))))
    stdio.stdin.flush()

    told = [msgspec.json.decode(stdio.stdout.readline(), type=Answer) for _ in range(300)]

    assert first["id"] == "first"
    assert [one.id for one in told] == [str(number) for number in range(300)]
    assert msgspec.json.decode(told[0].result, type=Settled).settlements[0].prize == 100


def test_the_process_ends_well_after_end_and_reads_no_further(run):
    done = run(line(request("end", at="bye")) + line(request("describe")))

    assert done.returncode == 0
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": "bye", "result": {}}


def test_the_process_ends_by_itself_after_end_while_its_input_is_open(stdio):
    stdio.stdin.write(line(request("end")))
    stdio.stdin.flush()

    assert stdio.wait(timeout=180) == 0


def test_the_process_ends_well_when_its_input_ends(run):
    done = run(b'{"jsonrpc":"2.0","id":"1","method":"describe"}')

    assert done.returncode == 0
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == 1


def test_only_the_games_that_are_named_are_offered(run):
    case = {"game": "bacara", **SETTLES["bacara"]}
    messages = line(request("describe")) + line(request("settle", case))

    done = run(messages, "--game", "craps", "--game", "pai-kao")

    told, refused = map(json.loads, done.stdout.splitlines())
    assert [offer["game"] for offer in told["result"]["games"]] == ["craps", "pai-kao"]
    assert refused["error"]["code"] == -32001


def test_http_keeps_the_connection_and_ends_after_end(over_http):
    process, connection = over_http
    post(connection, line(request("describe")))
    socket = connection.sock
    post(connection, line(request("describe")))

    kept = connection.sock is socket
    status, body = post(connection, line(request("end")))

    assert kept
    assert (status, json.loads(body)["result"]) == (200, {})
    assert process.wait(timeout=180) == 0


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"Content-Type": "application/json"}, 501),
        ("POST", {"Content-Type": "text/plain"}, 415),
        ("POST", {"Content-Type": "application/json", "Content-Length": "99999999999"}, 413),
        ("POST", {"Content-Type": "application/json", "Content-Length": "-1"}, 411),
    ],
)
def test_http_refuses_what_is_no_message(over_http, method, headers, status):
    connection = over_http[1]
    connection.putrequest(method, "/")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()

    assert connection.getresponse().status == status


def test_what_a_vendor_prints_does_not_reach_the_answers(root, tmp_path):
    program = tmp_path / "noisy.py"
    program.write_text(
        "import selo_adapter\n"
        "class Noisy:\n"
        "    def describe(self, params):\n"
        "        print('hello')\n"
        "        return {}\n"
        "selo_adapter.serve_stdio(Noisy())\n",
        encoding="utf-8",
    )
    source = root / "fixtures" / "adapters" / "python" / "selo_adapter.py"
    (tmp_path / "selo_adapter.py").write_bytes(source.read_bytes())

    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import noisy",
        ],
        input=line(request("describe")),
        capture_output=True,
        timeout=180,
        check=True,
    )

    assert done.stdout == b'{"jsonrpc":"2.0","id":"1","result":{}}\n'
    assert done.stderr.strip() == b"hello"


@pytest.mark.parametrize("game", list(SETTLES))
def test_what_is_drawn_can_be_settled(ask, game):
    outcomes = ask("draw", {"game": game, "options": {}, "count": 50})["result"]["outcomes"]

    for outcome in outcomes:
        case = {"game": game, "outcome": outcome, "bets": []}
        assert ask("settle", case)["result"] == {"settlements": []}


def test_tables_are_known_by_name_and_at_most_ten_thousand_are_open(served):
    module, _ = served
    vendor = module.ReferenceVendor(["craps"])
    for number in range(10_000):
        vendor.table_open({"table": str(number), "game": "craps", "options": {}})

    with pytest.raises(module.Refusal) as full:
        vendor.table_open({"table": "more", "game": "craps", "options": {}})
    with pytest.raises(module.Refusal) as twice:
        vendor.table_open({"table": "7", "game": "craps", "options": {}})
    vendor.table_close({"table": "7"})

    assert full.value.code == -32001
    assert twice.value.code == -32602
    assert vendor.table_open({"table": "7", "game": "craps", "options": {}}) == {"events": []}
