"""The template in Java, filled for three games: it speaks the protocol before it knows a game."""

import hashlib
import json
import subprocess

import msgspec
import pytest
from tests.tools import needs

from selo.protocol.messages import RESULTS, Description

pytestmark = needs("java")

MOST_LINES = 260
#: Three games of different kinds: one with options, one without compare, one with nothing else.
GAMES = {
    "three-card-baccarat": {
        "methods": ["settle", "compare"],
        "bets": ["beat-banker", "odd", "even", "three-figures", "points", "tie"],
        "options": {"packs": {"from": 1, "to": 8}, "commission": ["waived"]},
    },
    "craps": {"methods": ["settle"], "bets": ["pass-line", 'odd "\\ name'], "options": {}},
    "pai-kao": {"methods": ["compare"], "bets": [], "options": {}},
}
ODD_ID = 'x"\\\u0001é中\U0001f0a1'
LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}


def request(id_, method, **params):
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def script(game):
    """Return everything that is asked of a filled template, by line."""
    bet = {"bet": "odd", "stake": 5}
    settle = {"game": game, "options": {}, "outcome": {}, "bets": [bet, bet, bet]}
    hands = {"game": game, "a": ["2H"], "b": ["3H"]}
    wrong = [
        {**settle, "game": "whist"},
        {**settle, "options": {"colour": "red"}},
        {**settle, "bets": [{**bet, "colour": "red"}]},
        {**settle, "bets": {}},
        {**settle, "outcome": None},
        {"game": game},
    ]
    asked = [
        request("describe", "describe"),
        [request("settle", "settle", **settle), request("compare", "compare", **hands), 7],
        [request(f"wrong {at}", "settle", **params) for at, params in enumerate(wrong)],
        [request(f"no {name}", name) for name in ("table.open", "table.act", "draw", "toString")],
        {"jsonrpc": "2.0", "id": "list", "method": "settle", "params": []},
        {"jsonrpc": "2.0", "id": "bare", "method": "describe"},
        {"jsonrpc": "1.0", "id": "old", "method": "describe", "params": {}},
        {"jsonrpc": "2.0", "id": "no method", "params": {}},
        {"jsonrpc": "2.0", "method": "describe", "params": {}},
        [],
        request(ODD_ID, "describe", new={"field": [1.5, -2e3, True, None]}),
    ]
    return [json.dumps(one).encode() for one in asked] + NOT_JSON


NOT_JSON = [
    b"", b"{", b"[1,]", b"[1 2]", b"{} {}", b'{"a":1,"a":2}', b'{"a":null,"a":2}', b'{"a":NaN}',
    b'{"a":01}', b'{"a":"\\x"}', b'{"a":"\\u12"}', b'{"a":"', b'{"a" 1}', b"{1:2}", b'"\xff"',
    b"\xef\xbb\xbf{}", b"[" * 65 + b"]" * 65, b"[" * 100_000, b"1\0",
]  # fmt: skip


class Filled:
    """What a filled template answered: by id, and what had none."""

    def __init__(self, game, folder, done):
        self.game, self.folder, self.code, self.errors = game, folder, done.returncode, done.stderr
        self.lines = [json.loads(line) for line in done.stdout.splitlines()]
        every = [one for line in self.lines for one in (line if isinstance(line, list) else [line])]
        self.by_id = {one["id"]: one for one in every if one["id"] is not None}
        self.faults = [one["error"]["code"] for one in every if one["id"] is None]

    def result(self, id_, method):
        answer = self.by_id[id_]
        assert answer.keys() == {"jsonrpc", "id", "result"}, answer
        msgspec.convert(answer["result"], RESULTS[method], strict=True)
        return answer["result"]

    def refused(self, id_):
        return self.by_id[id_]["error"]["code"]

    def offers(self, method):
        return method in GAMES[self.game]["methods"]


def escaped(value):
    return json.dumps(value).replace("\\", "\\\\").replace('"', '\\"')


def filled(source, game):
    marks = {f"@{name}_escaped@": escaped(value) for name, value in GAMES[game].items()}
    for mark, value in {**marks, "@game@": game}.items():
        assert mark in source
        source = source.replace(mark, value)
    return source


@pytest.fixture(scope="module")
def source(root):
    path = root / "fixtures" / "skeletons" / "java" / "Adapter.java"
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=list(GAMES))
def adapter(request, source, tmp_path_factory):
    """Run a filled template once over the whole script; one game is ended, the others run out."""
    game = request.param
    folder = tmp_path_factory.mktemp("skeleton")
    (folder / "Adapter.java").write_text(filled(source, game), encoding="utf-8")
    last = b'{"jsonrpc":"2.0","id":"end","method":"end","params":{}}'
    lines = [*script(game), last, b"never read"] if game == "craps" else script(game)
    done = subprocess.run(
        ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "Adapter.java"],
        input=b"\n".join(lines) + b"\n" * (game == "craps"),
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=180,
    )
    return Filled(game, folder, done)


def test_it_is_short_and_says_where_the_game_goes(source):
    assert len(source.splitlines()) <= MOST_LINES
    assert "YOUR GAME HERE" in source


def test_every_mark_is_filled(source):
    assert "@" not in filled(source, "craps")


def test_it_describes_what_was_filled_in_and_its_own_digest(adapter):
    told = adapter.result("describe", "describe")
    description = msgspec.convert(told, Description, strict=True)
    own = (adapter.folder / "Adapter.java").read_bytes()

    assert told["games"] == [{"game": adapter.game, **GAMES[adapter.game]}]
    assert [(file.path, file.sha256) for file in description.files] == [
        ("Adapter.java", hashlib.sha256(own).hexdigest())
    ]
    assert told == adapter.result(ODD_ID, "describe") == adapter.result("bare", "describe")


def test_every_bet_is_lost_until_the_game_is_there(adapter):
    if adapter.offers("settle"):
        assert adapter.result("settle", "settle") == {"settlements": [LOST, LOST, LOST]}
    else:
        assert adapter.refused("settle") == -32601


def test_all_hands_are_equal_until_the_game_is_there(adapter):
    if adapter.offers("compare"):
        assert adapter.result("compare", "compare") == {"order": "equal"}
    else:
        assert adapter.refused("compare") == -32601


def test_wrong_params_and_unknown_methods_are_refused(adapter):
    wrong = [id_ for id_ in adapter.by_id if id_.startswith("wrong")]

    assert len(wrong) == 6
    expected = -32602 if adapter.offers("settle") else -32601
    assert {adapter.refused(id_) for id_ in wrong} == {expected}
    assert adapter.refused("list") == -32602
    for name in ("table.open", "table.act", "draw", "toString"):
        assert adapter.refused(f"no {name}") == -32601
    assert adapter.refused("old") == adapter.refused("no method") == -32600


def test_what_is_no_request_or_not_json_is_answered_without_an_id(adapter):
    assert adapter.faults == [-32600] * 3 + [-32700] * len(NOT_JSON)


def test_each_line_is_answered_by_one_line_and_the_adapter_exits_well(adapter):
    ended = adapter.game == "craps"

    assert len(adapter.lines) == len(script(adapter.game)) + ended
    assert ended == ("end" in adapter.by_id)
    assert adapter.code == 0
    assert adapter.errors == b""
