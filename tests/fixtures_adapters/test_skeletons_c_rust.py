"""The skeletons in C and Rust: they speak the protocol at once, and lose every bet."""

import functools
import itertools
import json
import random
import subprocess

import msgspec
import pytest
from tests.tools import need

from selo.protocol.messages import RESULTS, Description

FILES = {"c": "adapter.c", "rust": "adapter.rs"}
TOOLS = {"c": "cc", "rust": "rustc"}
SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
BUILD = {
    "c": ["cc", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror"],
    # Without -O, which only makes the tests wait.
    "rust": ["rustc", "--edition", "2021", "-D", "warnings"],
}
MOST_LINES = 300
OFFERS = {
    "craps": {
        "methods": ["settle"],
        "bets": ["pass-line", "field", "hard-way"],
        "options": {"limits": ["none", "declared"], "minimum": {"from": 0, "to": 100}},
    },
    "bacara": {
        "methods": ["settle", "compare"],
        "bets": ["player", "banker"],
        "options": {"commission": ["five-percent"], "back\\slash": ['quo"te']},
    },
    "pai-kao": {"methods": ["compare"], "bets": [], "options": {}},
}
LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}


def escaped(value):
    """Return JSON as it stands inside a string of C or Rust."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("\\", "\\\\").replace('"', '\\"')


def filled(text, game):
    for name, value in OFFERS[game].items():
        text = text.replace(f"@{name}_escaped@", escaped(value))
    return text.replace("@game@", game)


@pytest.fixture(scope="session")
def skeletons(root):
    return root / "fixtures" / "skeletons"


@pytest.fixture(scope="session")
def built(tmp_path_factory, skeletons):
    """Return a compiled skeleton: `built("c", "craps")`."""

    @functools.cache
    def build(language, game, *flags):
        need(TOOLS[language])
        folder = tmp_path_factory.mktemp(f"skeleton_{language}")
        source = folder / FILES[language]
        text = (skeletons / language / source.name).read_text(encoding="utf-8")
        source.write_text(filled(text, game), encoding="utf-8")
        ran = subprocess.run(
            [*BUILD[language], *flags, "-o", folder / "adapter", source],
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        if flags and ran.returncode:
            pytest.skip("the compiler has no sanitizers")
        assert (ran.returncode, ran.stderr) == (0, "")
        return folder / "adapter"

    return build


@pytest.fixture(params=FILES)
def language(request):
    return request.param


@pytest.fixture(params=OFFERS)
def game(request):
    return request.param


def answers_to(program, *lines):
    """Return the answers to some lines, and that the adapter ended by itself."""
    data = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )
    ran = subprocess.run([program], input=data, capture_output=True, check=False, timeout=180)
    assert (ran.returncode, ran.stderr) == (0, b"")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def request(method, /, **params):
    return {"jsonrpc": "2.0", "id": f'{method} "é\\', "method": method, "params": params}


def code_of(answer):
    return answer["error"]["code"]


def test_a_skeleton_fits_a_few_screens_and_says_where_to_fill_it(skeletons, language):
    text = (skeletons / language / FILES[language]).read_text(encoding="utf-8")

    assert len(text.splitlines()) <= MOST_LINES
    assert text.count("YOUR GAME HERE") >= 2


def test_its_readme_tells_how_to_build_fill_and_run(skeletons, language, game):
    text = (skeletons / language / "README.md").read_text(encoding="utf-8")

    for words in ("selo smoke --vendor ./adapter", "YOUR GAME HERE", TOOLS[language]):
        assert words in text
    assert f"selo examine --vendor ./adapter --game {game}" in filled(text, game)


def test_it_describes_what_was_filled_in(built, language, game):
    (answer,) = answers_to(built(language, game), request("describe"))

    description = msgspec.convert(answer["result"], Description)
    offer = answer["result"]["games"][0]
    assert offer == {"game": game, **OFFERS[game]}
    assert description.files == []


def test_every_bet_is_lost(built, language, game):
    bets = [{"bet": "any", "stake": 100}, {"bet": 'o"ther', "stake": -1.5e3, "choice": []}]
    asked = [
        request("settle", game=game, options={}, outcome={"throws": []}, bets=bets[:count])
        for count in range(3)
    ]

    answers = answers_to(built(language, game), *asked)

    assert [one["result"] for one in answers] == [
        {"settlements": [LOST] * count} for count in range(3)
    ]
    for one in answers:
        msgspec.convert(one["result"], RESULTS["settle"])


def test_every_hand_is_equal(built, language, game):
    (answer,) = answers_to(built(language, game), request("compare", game=game, a=["AS"], b=[]))

    assert answer["result"] == {"order": "equal"}


def test_a_batch_is_answered_with_one_line_in_which_every_id_stands(built, language, game):
    settle = request("settle", game=game, outcome={}, bets=[{"stake": 1}])
    batch = [{**settle, "id": f"q{number}"} for number in range(512)]

    answers = answers_to(built(language, game), batch, [7, settle], settle)

    assert [(one["id"], one["result"]) for one in answers[0]] == [
        (f"q{number}", {"settlements": [LOST]}) for number in range(512)
    ]
    assert (answers[1][0]["id"], code_of(answers[1][0])) == (None, -32600)
    assert answers[1][1]["id"] == settle["id"]
    assert len(answers) == 3


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (request("setle"), -32601),
        (request("draw", game="craps", options={}, count=1), -32601),
        (request("table.open", table="t", game="craps", options={}), -32601),
        (request("table.act", table="t", act={"act": "go-on"}), -32601),
        (request("table.close", table="t"), -32601),
        (request("settle", game="chess", outcome={}, bets=[]), -32001),
        (request("compare", game="chess", a=[], b=[]), -32001),
        (request("settle", game="craps", outcome={}), -32602),
        (request("settle", game="craps", bets=[]), -32602),
        (request("settle", game="craps", outcome={}, bets={}), -32602),
        (request("settle", game="craps", outcome=7, bets=[]), -32602),
        ({**request("settle"), "params": [1]}, -32602),
        ({**request("settle"), "jsonrpc": "1.0"}, -32600),
        ({**request("settle"), "method": 7}, -32600),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_an_error_with_its_id(built, language, asked, code):
    (answer,) = answers_to(built(language, "craps"), asked)

    assert set(answer) == {"jsonrpc", "id", "error"}
    assert (answer["id"], code_of(answer)) == (asked["id"], code)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", -32700),
        (b"nope", -32700),
        (b"{", -32700),
        (b"[1,]", -32700),
        (b'{"a":1,"a":2}', -32700),
        (b'"\xff"', -32700),
        (b'"\xc0\xaf"', -32700),
        (b'"\xed\xa0\x80"', -32700),
        (b'"\xf4\x90\x80\x80"', -32700),
        (b'"\xe9', -32700),
        (b'"a\x00b"', -32700),
        (b'"\\x"', -32700),
        (b'"\\u12g4"', -32700),
        (b"01", -32700),
        (b"1.", -32700),
        (b"-", -32700),
        (b"NaN", -32700),
        (b"[" * 65 + b"]" * 65, -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (b"7", -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"end"}', -32600),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(built, language, line, code):
    answer, other = answers_to(built(language, "craps"), line, request("end"))

    assert (answer["id"], code_of(answer)) == (None, code)
    assert other["result"] == {}


def test_it_ends_when_told_and_answers_nothing_more(built, language, game):
    answers = answers_to(
        built(language, game), [request("end"), request("describe")], request("describe")
    )

    assert len(answers) == 1
    assert answers[0][0] == {"jsonrpc": "2.0", "id": 'end "é\\', "result": {}}
    assert "protocol" in answers[0][1]["result"]


def test_it_ends_when_nobody_asks_any_more(built, language, game):
    assert answers_to(built(language, game)) == []


LINES = [
    json.dumps([request("settle", game="craps", outcome={"throws": [[1, 2]]}, bets=[{}])]).encode(),
    '{"骰":[true,false,null,-1.5e+3,"\\u00e9\\n"],"b":{"c":[]}}'.encode(),
    b"[" * 64 + b"]" * 64,
]
BYTES = b'"\\{}[],:0-.eu\x00\xff\xc3\xa9 \tn'


def spoilt(seed, count):
    chance = random.Random(seed)  # noqa: S311 - a seeded sample, no secret
    for line in itertools.islice(itertools.cycle(LINES), count):
        data = bytearray(line)
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(3)] = bytes(
                chance.choices(BYTES, k=chance.randrange(3))
            )
        yield bytes(data)


def no_key_twice(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return pairs


def refuse_constant(name):
    raise ValueError(name)


def is_json(line):
    try:
        json.loads(line.decode(), object_pairs_hook=no_key_twice, parse_constant=refuse_constant)
    except ValueError:
        return False
    return True


def check_spoilt(program, seed, count):
    lines = list(spoilt(seed, count))

    answers = answers_to(program, *lines)

    read = [
        not (isinstance(one, dict) and one.get("error", {}).get("code") == -32700)
        for one in answers
    ]
    assert len(answers) == count
    wrong = [
        line
        for line, was_read in zip(lines, read, strict=True)
        # How deep a line may go is asked above, and here left out.
        if was_read != is_json(line) and line.count(b"[") <= 64
    ]
    assert wrong == []
    assert 0 < sum(read) < count


def test_spoilt_lines_are_read_as_another_reader_reads_them(built, language):
    check_spoilt(built(language, "craps"), 1, 3_000)


def test_spoilt_lines_do_no_harm_to_memory(built):
    check_spoilt(built("c", "craps", *SANITIZED), 2, 3_000)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 9))
def test_many_spoilt_lines_do_no_harm_to_memory(built, seed):
    check_spoilt(built("c", "craps", *SANITIZED), seed, 40_000)
