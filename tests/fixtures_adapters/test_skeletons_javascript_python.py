"""The skeletons in JavaScript and Python speak the protocol at once, filled for any game."""

import hashlib
import json
import subprocess
import sys

import msgspec
import pytest
from tests.tools import needs

from selo.protocol.messages import RESULTS, Description

MOST_LINES = 130
#: Of every game: what a first adapter answers, some of its bets, some of its options.
GAMES = {
    "fish-prawn-crab": (["settle"], ["small", "figure"], {}),
    "three-card-baccarat": (["settle", "compare"], ["beat-banker", "tie"], {"packs": [8]}),
    "bacara": (["settle"], ["player", "jackpot"], {"jackpot": ["A", "B"]}),
    "fortune-three-card-poker": (["settle", "compare"], ["ante", "raise"], {}),
    "craps": (["settle"], ["pass-line", "hard-way"], {"limits": ["none", "declared"]}),
    "pai-kao": (["compare"], [], {}),
}
FILES = {"javascript": "adapter.mjs", "python": "adapter.py"}
RUNS = {"javascript": "node", "python": sys.executable}
LANGUAGES = [
    pytest.param("javascript", marks=needs("node")),
    "python",
]
LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}

pytestmark = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def filled(root, tmp_path, language):
    """Fill the skeleton of a language for a game by plain replacement of its marks."""

    def fill(game):
        methods, bets, options = GAMES[game]
        marks = {
            "@game@": game,
            "@methods@": json.dumps(methods),
            "@bets@": json.dumps(bets),
            "@options@": json.dumps(options),
        }
        for path in (root / "fixtures" / "skeletons" / language).iterdir():
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                for mark, value in marks.items():
                    text = text.replace(mark, value)
                (tmp_path / path.name).write_text(text, encoding="utf-8")
        return tmp_path

    return fill


@pytest.fixture
def run(filled, language):
    """Run the adapter of a game on some bytes; return its answers, line by line."""

    def answers(game, asked):
        ran = subprocess.run(
            [RUNS[language], FILES[language]],
            input=asked,
            cwd=filled(game),
            capture_output=True,
            check=False,
            timeout=180,
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert ran.stdout.count(b"\n") == len(ran.stdout.splitlines())
        return [json.loads(line) for line in ran.stdout.splitlines()]

    return answers


def request(method, key="問", **params):
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


def lines(*messages):
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in messages)


def settle(of, **change):
    bets = [{"bet": name, "stake": 100} for name in GAMES[of][1]]
    return request("settle", **{"game": of, "options": {}, "outcome": {}, "bets": bets, **change})


def codes(answers):
    return [one.get("error", {}).get("code") for one in answers]


@pytest.mark.parametrize("game", GAMES)
def test_it_describes_its_offer_and_its_own_file(run, tmp_path, language, game):
    (answer,) = run(game, lines(request("describe")))

    told = msgspec.convert(answer["result"], Description, strict=True)
    digest = hashlib.sha256((tmp_path / FILES[language]).read_bytes()).hexdigest()
    assert [(one.path, one.sha256) for one in told.files] == [(FILES[language], digest)]
    assert [(one.game, one.methods, one.bets, one.options) for one in told.games] == [
        (game, *GAMES[game])
    ]


@pytest.mark.parametrize("game", GAMES)
def test_it_answers_what_it_offers_and_nothing_else(run, game):
    methods, bets, options = GAMES[game]
    asked = [
        settle(game, options=dict.fromkeys(options, "A")),
        request("compare", game=game, a=["1/1", "1/1"], b=["6/6", "6/6"]),
        request("draw", game=game, options={}, count=1),
        request("table.open", table="t", game=game, options={}),
        request("table.act", table="t", act={"act": "go-on"}),
        request("table.close", table="t"),
        request("constructor"),
        request("end"),
    ]

    settled, compared, *others, ended = run(game, lines(*asked))

    if "settle" in methods:
        assert settled["result"] == {"settlements": [LOST for _ in bets]}
        msgspec.convert(settled["result"], RESULTS["settle"])
    else:
        assert codes([settled]) == [-32601]
    if "compare" in methods:
        assert compared["result"] == {"order": "equal"}
    else:
        assert codes([compared]) == [-32601]
    assert codes(others) == [-32601] * 5
    assert ended == {"jsonrpc": "2.0", "id": "問", "result": {}}


#: What is wrong in a case, and the code that says so.
CASES = [
    ({"game": "mahjong"}, -32602),
    ({"game": None}, -32602),
    ({"options": {"hat": 1}}, -32602),
    ({"options": []}, -32602),
    ({"outcome": None}, -32602),
    ({"bets": {}}, -32602),
    ({"bets": ["pass-line"]}, -32602),
    ({"bets": [{"bet": "pass-line", "stake": 1, "hat": 1}]}, -32602),
    ({"hurry": True}, None),
]


def test_a_case_that_cannot_be_is_refused(run):
    answers = run("craps", lines(*(settle("craps", **change) for change, _ in CASES)))

    assert codes(answers) == [code for _, code in CASES]


def test_hands_that_cannot_be_are_refused(run):
    asked = [
        request("compare", game="pai-kao", a=["1/1", "1/1"]),
        request("compare", game="pai-kao", a="1/1", b=[]),
        request("compare", game="craps", a=[], b=[]),
    ]

    assert codes(run("pai-kao", lines(*asked))) == [-32602] * 3


#: Lines that are no request, with the id and the code of their answer.
WRONG = [
    (b"fish", None, -32700),
    (b"", None, -32700),
    (b'{"jsonrpc":"2.0","id":"a","method":"describe"', None, -32700),
    (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"a","method":"describe"}', None, -32700),
    (b'{"jsonrpc":"2.0","id":"\xff","method":"describe"}', None, -32700),
    (b'{"jsonrpc":"2.0","method":"describe"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":"describe"}', None, -32600),
    (b'{"jsonrpc":"1.0","id":"a","method":"describe"}', "a", -32600),
    (b'{"jsonrpc":"2.0","id":"a","method":7}', "a", -32600),
    (b'{"jsonrpc":"2.0","id":"a"}', "a", -32600),
    (b"7", None, -32600),
    (b"null", None, -32600),
    (b"[]", None, -32600),
    (b"[" + b",".join([b"1"] * 513) + b"]", None, -32600),
    (b'{"jsonrpc":"2.0","id":"a","method":"describe","params":[]}', "a", -32602),
]


def test_what_is_no_request_is_answered_with_its_error(run):
    answers = run("craps", b"".join(line + b"\n" for line, _, _ in WRONG))

    told = [(one["id"], one["error"]["code"]) for one in answers]
    assert told == [(key, code) for _, key, code in WRONG]
    assert all(one["error"]["message"] for one in answers)


def test_a_batch_is_answered_with_one_list(run):
    asked = [settle("craps"), 7, *(request("describe", key=f"d{n}") for n in range(510))]

    (answers,) = run("craps", lines(asked))

    assert [one["id"] for one in answers] == ["問", None, *(f"d{n}" for n in range(510))]
    assert codes(answers) == [None, -32600, *[None] * 510]


def test_nothing_is_read_after_end_and_a_last_line_needs_no_line_feed(run):
    end = lines(request("end"))

    assert len(run("craps", end + end)) == 1
    assert len(run("craps", lines([request("end"), request("describe", key="d")]))[0]) == 2
    assert codes(run("craps", lines(settle("craps")).rstrip())) == [None]
    assert run("craps", b"") == []


def test_a_fault_of_the_game_is_an_internal_error_and_the_next_request_is_answered(
    filled, language, tmp_path
):
    fault = {"javascript": ("// YOUR GAME HERE", "null.dice; //"), "python": ("# YOUR", "1 / 0  #")}
    filled("craps")
    path = tmp_path / FILES[language]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(*fault[language]), encoding="utf-8")

    ran = subprocess.run(
        [RUNS[language], FILES[language]],
        input=lines(settle("craps"), request("end")),
        cwd=tmp_path,
        capture_output=True,
        check=True,
        timeout=180,
    )

    assert codes(json.loads(line) for line in ran.stdout.splitlines()) == [-32000, None]


def test_each_line_is_answered_before_the_next_is_sent(filled, language):
    process = subprocess.Popen(
        [RUNS[language], FILES[language]],
        cwd=filled("craps"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    with process:
        for number in range(3):
            line = lines(request("describe", key=f"蟹{number}"))
            cut = line.index("蟹".encode()) + 1
            process.stdin.write(line[:cut])
            process.stdin.write(line[cut:])
            assert json.loads(process.stdout.readline())["id"] == f"蟹{number}"
        process.stdin.close()
        assert process.wait(timeout=180) == 0


def test_an_engineer_reads_it_in_five_minutes(filled, language):
    folder = filled("craps")
    text = (folder / FILES[language]).read_text(encoding="utf-8")
    readme = (folder / "README.md").read_text(encoding="utf-8")

    assert len(text.splitlines()) <= MOST_LINES
    assert text.count("YOUR GAME HERE:") == 2
    assert "--game craps" in readme
    assert "@" not in text + readme
