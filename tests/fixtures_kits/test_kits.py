"""The kit of each language: it converts, serves and refuses alike, compiled and run for real."""

import hashlib
import json
import random
import shlex
import subprocess
import sys

import msgspec
import pytest
from tests.often import often
from tests.tools import need

from selo.examine.adapter_tools.adapter_template import LANGUAGES, write_adapter
from selo.protocol import messages as m

TOOLS = {"python": "python3", "javascript": "node", "java": "javac", "c": "cc", "rust": "rustc"}
GAME = "three-card-baccarat"
MOST_LINES = 40
PROBES = {
    "python": ("probe.py", [], [sys.executable, "probe.py"]),
    "javascript": ("probe.mjs", [], ["node", "probe.mjs"]),
    "java": (
        "Probe.java",
        ["javac", "-Xlint:all", "-Werror", "-d", ".", "Probe.java", "SeloKit.java"],
        ["java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Probe"],
    ),
    "c": ("probe.c", ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "probe.c"], ["./a.out"]),
    "rust": (
        "probe.rs",
        ["rustc", "--edition", "2021", "-D", "warnings", "-o", "a.out", "probe.rs"],
        ["./a.out"],
    ),
}
ZERO = {"prize": 0, "commission": 0, "stake": 0}
LOST = {"result": "lose", **ZERO}
#: Worked out by hand, from what each helper says of itself.
CONVERTED = [
    [10, "H"],
    "AH",
    "QS",
    0,
    51,
    22,
    "10H",
    4,
    "rooster",
    [3, 4, "cocked"],
    [6, 5],
    [0, 5, "rail"],
    [3, 6],
    "1/4",
    [195, "195/2", 30, -100],
    {"result": "win", "prize": 8, "commission": 0, "stake": 100},
    {"result": "win", "prize": 150, "commission": 0, "stake": 100},
    {"result": "win", "prize": "19/4", "commission": 0, "stake": 5},
    LOST,
    {"result": "stands", **ZERO},
    {"result": "void", **ZERO, "stake": 7},
    {"result": "win", "prize": 95, "commission": 0, "stake": 100},
    LOST,
    {"result": "push", **ZERO, "stake": 100},
    {"result": "refused", **ZERO},
    {"net": "-1/2"},
]


def run(command, folder, data=b""):
    done = subprocess.run(
        command, input=data, cwd=folder, capture_output=True, check=False, timeout=180
    )
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return done.stdout.splitlines()


@pytest.fixture(scope="module", params=often(list(TOOLS), "python", "c"))
def language(request):
    need(TOOLS[request.param])
    return LANGUAGES[request.param]


@pytest.fixture(scope="module")
def folder(language, law, tmp_path_factory):
    """Write and build the adapter of a language."""
    place = tmp_path_factory.mktemp("kit") / "adapter"
    write_adapter(place, law, language.name, GAME)
    if language.build:
        # Without -O a kit compiles in a fraction of the time, and is the same program.
        run([word for word in language.build.split() if word not in ("-O", "-O2")], place)
    return place


@pytest.fixture(scope="module")
def answers(language, folder):
    """Return what the adapter answers to lines."""

    def ask(*lines):
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        command = [sys.executable if word == "python3" else word for word in language.run.split()]
        return [json.loads(line) for line in run(command, folder, b"\n".join([*texts, b""]))]

    return ask


def request(method, /, key='k "é\\', **params):
    return {"jsonrpc": "2.0", "id": key, "method": method, "params": params}


def settle(**change):
    bets = [{"bet": "odd", "stake": 100}, {"bet": "no\tbet", "stake": -1.5, "choice": None}]
    params = {"game": GAME, "options": {}, "outcome": {"banker": []}, "bets": bets}
    return request("settle", **{**params, **change})


def test_it_converts_cards_dice_tiles_and_money(language, root, tmp_path):
    name, build, command = PROBES[language.name]
    for source in (
        root / "tests" / "fixtures_kits" / "probes" / name,
        root / "fixtures" / "kits" / language.name / language.files[1],
    ):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    if build:
        run(build, tmp_path)

    assert [json.loads(line) for line in run(command, tmp_path)] == CONVERTED


def test_an_adapter_is_short_and_says_what_to_fill_in(language, folder):
    text = (folder / language.files[0]).read_text(encoding="utf-8")

    assert len(text.splitlines()) <= MOST_LINES
    assert text.count("FILL IN") >= 5
    for stub in ("settle", "compare", "draw", "able"):
        assert stub in text
    assert "@" not in text.replace("@SuppressWarnings", "")


def test_its_readme_says_how_to_build_and_run_it(language, folder):
    text = (folder / "README.md").read_text(encoding="utf-8")

    for command in language.commands(GAME):
        assert command in text
    assert language.files[1] in text


def test_it_describes_its_offer_and_the_digests_of_its_files(language, folder, answers):
    (answer,) = answers(request("describe"))

    told = msgspec.convert(answer["result"], m.Description, strict=True)
    digests = {file.path: file.sha256 for file in told.files}
    assert set(language.files[:2]) <= set(digests)
    assert digests == {
        path: hashlib.sha256((folder / path).read_bytes()).hexdigest() for path in digests
    }
    assert told.protocol == m.VERSION
    assert [(offer.game, offer.methods) for offer in told.games] == [(GAME, ["settle", "compare"])]


def test_a_stub_answers_in_form(answers):
    settled, compared = answers(settle(), request("compare", game=GAME, a=["2H"], b=["3H"]))

    assert settled["result"] == {"settlements": [LOST, LOST]}
    assert settled["id"] == 'k "é\\'
    assert compared["result"] == {"order": "equal"}


def test_a_batch_is_answered_with_one_line_in_which_every_id_stands(answers):
    batch = [{**settle(), "id": f"q{number}"} for number in range(512)]

    told, mixed, large = answers(batch, [7, settle()], [*batch, settle()])

    assert [(one["id"], len(one["result"]["settlements"])) for one in told] == [
        (f"q{number}", 2) for number in range(512)
    ]
    assert (mixed[0]["id"], mixed[0]["error"]["code"]) == (None, m.NOT_A_REQUEST)
    assert "result" in mixed[1]
    assert large["error"]["code"] == m.NOT_A_REQUEST


WRONG = [
    (request("setle"), m.NO_METHOD),
    (request("draw", game=GAME, options={}, count=1), m.NO_METHOD),
    (request("table.open", table="t", game=GAME, options={}), m.NO_METHOD),
    (request("table.act", table="t", act={"act": "go-on"}), m.NO_METHOD),
    (request("table.close", table="t"), m.NO_METHOD),
    (settle(game="chess"), m.NOT_OFFERED),
    (settle(options={"colour": "red"}), m.WRONG_PARAMS),
    (settle(options=[]), m.WRONG_PARAMS),
    (settle(outcome={"colour": []}), m.WRONG_PARAMS),
    (settle(outcome=7), m.WRONG_PARAMS),
    (settle(bets={}), m.WRONG_PARAMS),
    (settle(bets=[7]), m.WRONG_PARAMS),
    (settle(bets=[{"colour": "red"}]), m.WRONG_PARAMS),
    (request("settle"), m.WRONG_PARAMS),
    (request("compare", game=GAME, a=[]), m.WRONG_PARAMS),
    ({**settle(), "params": [1]}, m.WRONG_PARAMS),
    ({**settle(), "jsonrpc": "1.0"}, m.NOT_A_REQUEST),
    ({**settle(), "method": 7}, m.NOT_A_REQUEST),
]


def test_what_cannot_be_answered_is_an_error_with_its_id(answers):
    told = answers(*[asked for asked, _ in WRONG])

    assert [(one["id"], one["error"]["code"]) for one in told] == [
        (asked["id"], code) for asked, code in WRONG
    ]


NOT_JSON = [
    b"", b"nope", b"{", b"[1,]", b"[1 2]", b"{} {}", b'{"a":1,"a":2}', b'"\xff"', b'"\xc0\xaf"',
    b'"\xed\xa0\x80"', b'"a\x00b"', b'"\\x"', b'"\\u12g4"', b"01", b"1.", b"-", b"NaN", b"1\0",
    b"[" * 100_000, b"\xef\xbb\xbf{}",
]  # fmt: skip


def test_a_line_that_is_not_json_or_no_request_is_answered_without_an_id(answers):
    others = [b"[]", b"{}", b"7", b'{"jsonrpc":"2.0","id":7,"method":"end"}']

    told = answers(*NOT_JSON, *others, request("end"))

    assert [one["error"]["code"] for one in told[:-1]] == [
        *([m.NOT_JSON] * len(NOT_JSON)),
        *([m.NOT_A_REQUEST] * len(others)),
    ]
    assert {one["id"] for one in told[:-1]} == {None}
    assert told[-1]["result"] == {}


def test_it_ends_when_told_and_answers_nothing_more(answers):
    told = answers([request("end"), request("describe")], request("describe"))

    assert len(told) == 1
    assert told[0][0]["result"] == {}
    assert answers() == []


def spoiled_lines(seed, count):
    chance = random.Random(seed)  # noqa: S311 - a seeded sample, no secret
    whole = [json.dumps([settle()]).encode(), '{"骰":[true,null,-1.5e+3,"\\u00e9"]}'.encode()]
    for number in range(count):
        data = bytearray(whole[number % 2])
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = bytes(
                chance.choices(b'"\\{}[],:0-.eu\xff\xc3\xa9 \tn', k=chance.randrange(3))
            )
        yield bytes(data)


def is_json(line):
    def no_key_twice(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        json.loads(line.decode(), object_pairs_hook=no_key_twice, parse_constant=int)
    except ValueError:
        return False
    return True


def test_spoiled_lines_are_read_as_another_reader_reads_them(answers):
    lines = list(spoiled_lines(1, 1000))

    told = answers(*lines)

    read = [isinstance(one, list) or one["error"]["code"] != m.NOT_JSON for one in told]
    assert [
        line for line, was_read in zip(lines, read, strict=True) if was_read != is_json(line)
    ] == []
    assert 0 < sum(read) < len(lines)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
def test_spoiled_lines_do_no_harm_to_memory(law, tmp_path, seed):
    need("cc")
    write_adapter(tmp_path / "c", law, "c", GAME)
    run(shlex.split("cc -g -std=c11 -fsanitize=address,undefined -fno-sanitize-recover "
        "-o adapter adapter.c"), tmp_path / "c")  # fmt: skip

    lines = list(spoiled_lines(seed, 20_000))

    assert len(run(["./adapter"], tmp_path / "c", b"\n".join([*lines, b""]))) == len(lines)
