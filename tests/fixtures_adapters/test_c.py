"""The adapter for craps in C: its answers against the law, its tables, its faults, its memory."""

import hashlib
import itertools
import json
import random
import subprocess
from collections import Counter

import msgspec
import pytest
from tests.conftest import ALONE
from tests.tools import needs

from selo.protocol.messages import RESULTS, Description
from selo.rules.procedure.procedure_rules import ActRuling, compile_procedure
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

pytestmark = needs("cc")

STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
CHECKED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
LINES = ("pass-line", "come", "dont-pass", "dont-come")
ADDED = tuple(f"{line}-additional" for line in LINES)
SINGLE = ("field", "big-7", "eleven", "any-craps")
HARD_WAYS = (4, 6, 8, 10)
LARGEST = 2**53 - 1


def compiled(folder, name, flags, sources):
    program = folder / name
    ran = subprocess.run(
        ["cc", *flags, *STRICT, "-o", program, *sources],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    return program, ran


@pytest.fixture(scope="session")
def sources(root):
    folder = root / "fixtures" / "adapters" / "c"
    return sorted(path for path in folder.glob("*.c") if path.name not in ALONE)


@pytest.fixture(scope="session", params=["plain", "checked"])
def program(request, once, sources):
    """Compile the adapter, once as it is and once so that it stops at a wrong step in memory."""
    if request.param == "plain":
        return request.getfixturevalue("adapter_c")

    def make(folder):
        (folder / "empty.c").write_text("int main(void) { return 0; }\n")
        if compiled(folder, "empty", CHECKED, [folder / "empty.c"])[1].returncode:
            pytest.skip("the compiler has no sanitizers")
        _, ran = compiled(folder, "adapter", CHECKED, sources)
        assert (ran.returncode, ran.stderr) == (0, "")

    return once("adapter-c-checked", make) / "adapter"


@pytest.fixture(scope="session")
def floor(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("floor_c")
    program, ran = compiled(
        folder, "floor", ["-O2"], [root / "fixtures" / "adapters" / "c" / "floor.c"]
    )
    assert ran.returncode == 0, ran.stderr
    return program


class Client:
    """An adapter under way, asked line by line."""

    def __init__(self, program):
        self._numbers = itertools.count()
        self.process = subprocess.Popen(
            [program], cwd=program.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def line(self, text):
        """Send one line and return the answer to it."""
        data = text if isinstance(text, bytes) else text.encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()
        return msgspec.json.decode(self.process.stdout.readline())

    def request(self, method, params):
        return {
            "jsonrpc": "2.0",
            "id": f"q{next(self._numbers)}",
            "method": method,
            "params": params,
        }

    def ask(self, method, /, **params):
        """Return the result of a request; it has one, and of its shape."""
        request = self.request(method, params)
        answer = self.line(msgspec.json.encode(request))
        assert set(answer) == {"jsonrpc", "id", "result"}, answer
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", request["id"])
        msgspec.convert(answer["result"], RESULTS[method])
        return answer["result"]

    def code(self, method, /, **params):
        """Return the code of the error with which a request is answered."""
        request = self.request(method, params)
        answer = self.line(msgspec.json.encode(request))
        assert answer["id"] == request["id"]
        return answer["error"]["code"]

    def settle_all(self, cases):
        """Return the settlements of many cases, asked for in batches."""
        for some in parts(cases):
            requests = [
                self.request("settle", {"game": "craps", "options": {}, **case}) for case in some
            ]
            answers = {one["id"]: one for one in self.line(msgspec.json.encode(requests))}
            for request in requests:
                yield answers[request["id"]]["result"]["settlements"]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=180)


def parts(cases):
    cases = iter(cases)
    while some := list(itertools.islice(cases, 512)):
        yield some


@pytest.fixture(scope="session")
def adapter(program):
    """Return one adapter for all tests: what one of them does must not trouble another."""
    client = Client(program)
    yield client
    assert client.close() == 0


@pytest.fixture(scope="session")
def oracle(law):
    return compile_game(law, "craps", Readings(law, {}))


def run(program, data):
    return subprocess.run(
        [program], cwd=program.parent, input=data, capture_output=True, check=False, timeout=180
    )


# What becomes of bets.

#: One throw for each total, and one in which a die left the table.
TOTALS = [
    [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [1, 6], [2, 6], [3, 6], [4, 6], [5, 6], [6, 6], [0, 4],
]  # fmt: skip
PAIRS = [*map(list, itertools.combinations_with_replacement(range(1, 7), 2)), [3, 0], [0, 0]]


def short_cases():
    """Return every bet that stands alone, at every moment, over every two throws."""
    names = [{"bet": name} for name in (*LINES, *SINGLE)]
    names += [{"bet": "hard-way", "choice": number} for number in HARD_WAYS]
    bets = [{**name, "stake": 7, "at": at} for name in names for at in range(4)]
    for throws in itertools.product(PAIRS, repeat=2):
        yield {"outcome": {"throws": list(throws)}, "bets": bets}


def added_cases(length):
    """Return every line at every moment with every addition, over every row of totals."""
    bets = []
    for name, at in itertools.product(LINES, range(length + 1)):
        to = len(bets)
        bets.append({"bet": name, "stake": 90, "at": at})
        bets += [
            {"bet": f"{name}-additional", "stake": stake, "at": later, "to": to}
            for later in range(at, length + 1)
            for stake in (37, 60)
        ]
    for throws in itertools.product(TOTALS, repeat=length):
        yield {"outcome": {"throws": list(throws)}, "bets": bets}


def random_bet(chance, bets, length):
    stake, at = chance.choice((1, 7, 100, chance.randrange(1, 10**9))), chance.randrange(length + 2)
    kind = chance.random()
    lines = [index for index, one in enumerate(bets) if one["bet"] in LINES]
    if kind < 0.35 or (kind < 0.7 and not lines):
        return {"bet": chance.choice(LINES), "stake": stake, "at": chance.choice((0, 1, at))}
    if kind < 0.7:
        to = chance.choice(lines)
        later = min(bets[to]["at"] + chance.randrange(1, 4), length + 1)
        return {"bet": f"{bets[to]['bet']}-additional", "stake": stake, "at": later, "to": to}
    if kind < 0.8:
        choice = chance.choice((*HARD_WAYS, 2, 7, 12))
        return {"bet": "hard-way", "stake": stake, "at": at, "choice": choice}
    return {"bet": chance.choice((*SINGLE, "place-on-8")), "stake": stake, "at": at}


def random_throws(chance, most):
    return [
        chance.choice(([0, 5], [2, 0]))
        if chance.random() < 0.05
        else [chance.randint(1, 6), chance.randint(1, 6)]
        for _ in range(chance.randrange(1, most + 1))
    ]


def random_cases(seed, rows, cases, most_throws, most_bets):
    """Return so many cases over each of so many rows of throws."""
    chance = random.Random(seed)  # noqa: S311 - a seeded sample, no secret
    for _ in range(rows):
        throws = random_throws(chance, most_throws)
        for _ in range(cases):
            bets = []
            for _ in range(chance.randrange(1, most_bets + 1)):
                bets.append(random_bet(chance, bets, len(throws)))
            yield {"outcome": {"throws": throws}, "bets": bets}


def given_back(result, stake):
    return stake if result in {"win", "push", "refused"} else 0


def expected(oracle, case):
    plain = oracle.settle_plain({}, case["outcome"], case["bets"])
    return [
        {**one, "stake": given_back(one["result"], bet["stake"])}
        for one, bet in zip(plain, case["bets"], strict=True)
    ]


@pytest.fixture(scope="session")
def many_cases(oracle):
    """Return some fifty thousand cases with what the law makes of them, worked out once."""
    cases = [*short_cases(), *added_cases(2), *random_cases(1985, 2_450, 20, 5, 2)]
    cases += random_cases(97, 400, 1, 24, 30)
    return cases, [expected(oracle, case) for case in cases]


def test_fifty_thousand_cases_are_settled_as_the_law_says(adapter, many_cases):
    cases, wanted = many_cases

    wrong = [
        (case, want, got)
        for case, want, got in zip(cases, wanted, adapter.settle_all(cases), strict=True)
        if want != got
    ]

    assert len(cases) > 50_000
    assert wrong[:3] == []


def test_those_cases_hold_every_result_of_every_bet(many_cases):
    cases, wanted = many_cases
    seen = {
        (bet["bet"], one["result"])
        for case, want in zip(cases, wanted, strict=True)
        for bet, one in zip(case["bets"], want, strict=True)
    }

    for name in (*LINES, *ADDED, *SINGLE, "hard-way"):
        assert {(name, result) for result in ("win", "lose", "stands", "refused")} <= seen
    assert {("dont-pass", "push"), ("dont-come", "push")} <= seen


@pytest.mark.full
def test_many_long_games_are_settled_as_the_law_says(adapter, oracle):
    cases = [*added_cases(3), *random_cases(1985_05_18, 20_000, 1, 25, 30)]

    for case, got in zip(cases, adapter.settle_all(cases), strict=True):
        assert got == expected(oracle, case), case


def test_the_same_case_is_settled_alike_in_any_order(adapter):
    cases = list(random_cases(5, 500, 1, 12, 12))

    forwards = list(adapter.settle_all(cases))
    backwards = list(adapter.settle_all(cases[::-1]))

    assert forwards == backwards[::-1]


@pytest.mark.parametrize(
    "bet",
    [
        {"bet": "pass-line", "stake": 0},
        {"bet": "pass-line", "stake": -5},
        {"bet": "pass-line", "stake": "10"},
        {"bet": "pass-line", "stake": 10.0},
        {"bet": "pass-line", "stake": 10.5},
        {"bet": "pass-line", "stake": 2**53},
        {"bet": "pass-line", "stake": 2**64},
        {"bet": "pass-line", "stake": True},
        {"bet": "pass-line"},
        {"bet": "pass-line", "stake": 10, "at": 2},
        {"bet": "pass-line", "stake": 10, "at": -1},
        {"bet": "pass-line", "stake": 10, "at": "0"},
        {"bet": "pass-line", "stake": 10, "at": 0.5},
        {"bet": "hard-way", "stake": 10},
        {"bet": "hard-way", "choice": "6", "stake": 10},
        {"bet": "hard-way", "choice": 2**32 + 6, "stake": 10},
        {"bet": "hard-way", "choice": -6, "stake": 10},
        {"bet": "pass-line-additional", "stake": 10},
        {"bet": "pass-line-additional", "stake": 10, "to": 9},
        {"bet": "pass-line-additional", "stake": 10, "to": 0},
        {"bet": "pass-line-additional", "stake": 10, "to": -1},
        {"bet": "pass-line-additional", "stake": 10, "to": 2**52},
        {"bet": "place-on-8", "stake": 10},
        {"bet": 7, "stake": 10},
        {"bet": "", "stake": 10},
        {"stake": 10},
    ],
    ids=str,
)
def test_what_is_no_bet_is_refused(adapter, bet):
    settled = adapter.ask("settle", game="craps", outcome={"throws": [[3, 3]]}, bets=[bet])

    assert settled["settlements"][0]["result"] == "refused"
    assert settled["settlements"][0]["prize"] == 0


def test_the_highest_stake_is_settled_to_the_last_unit(adapter):
    # Portaria 97/85/M, art. 2 n.º 1: the prize equals the stake.
    settled = adapter.ask(
        "settle",
        game="craps",
        outcome={"throws": [[3, 4]]},
        bets=[{"bet": "pass-line", "stake": LARGEST}],
    )

    assert settled["settlements"] == [
        {"result": "win", "prize": LARGEST, "commission": 0, "stake": LARGEST}
    ]


def test_a_prize_that_cannot_be_told_is_an_error_and_not_a_wrong_number(adapter):
    code = adapter.code(
        "settle",
        game="craps",
        outcome={"throws": [[5, 6]]},
        bets=[{"bet": "eleven", "stake": LARGEST}],
    )

    assert code == -32602


# What the adapter says of itself, and its random source.


def test_it_describes_itself_and_the_file_that_runs(adapter, program):
    told = adapter.ask("describe")

    description = msgspec.convert(told, Description)
    assert [(one.path, one.sha256) for one in description.files] == [
        ("adapter", hashlib.sha256(program.read_bytes()).hexdigest())
    ]
    assert description.games[0].game == "craps"
    assert set(description.games[0].bets) == {*LINES, *ADDED, *SINGLE, "hard-way"}
    assert adapter.ask("describe") == told


def test_it_names_no_file_outside_its_working_folder(program, tmp_path):
    request = b'{"jsonrpc":"2.0","id":"a","method":"describe","params":{}}\n'

    ran = subprocess.run(
        [program], cwd=tmp_path, input=request, capture_output=True, check=True, timeout=180
    )

    assert json.loads(ran.stdout)["result"]["files"] == []


def drawn_faces(adapter, draws):
    """Return how often each face came, and how far that is from what fair dice show."""
    counts = Counter()
    for _ in range(draws):
        outcomes = adapter.ask("draw", game="craps", options={}, count=10_000)["outcomes"]
        assert {(*one, len(one["throws"])) for one in outcomes} == {("throws", 1)}
        counts.update(die for one in outcomes for die in one["throws"][0])
    even = sum(counts.values()) / 6
    return counts, sum((counts[face] - even) ** 2 / even for face in range(1, 7))


def test_drawn_dice_show_every_face_alike(adapter):
    counts, distance = drawn_faces(adapter, 4)

    assert sum(counts.values()) == 80_000
    assert set(counts) == set(range(1, 7))
    # Five degrees of freedom pass 60 once in 10^11.
    assert distance < 60


@pytest.mark.full
def test_no_face_is_favoured_as_a_byte_modulo_six_would(adapter):
    _, distance = drawn_faces(adapter, 80)

    # A byte modulo six would stand near 200.
    assert distance < 60


@pytest.mark.parametrize("count", [-1, 10_001, "3", 1.5, None, 2**70])
def test_a_count_that_cannot_be_drawn_is_wrong(adapter, count):
    assert adapter.code("draw", game="craps", options={}, count=count) == -32602


# Lines, batches, faults and the end.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", -32700),
        (b"nope", -32700),
        (b'{"jsonrpc":"2.0","id":"a","method":"describe"', -32700),
        (b'{"jsonrpc":"2.0","id":"a","id":"b","method":"describe"}', -32700),
        (b'{"jsonrpc":"2.0","id":"a","\\u0069d":"b","method":"describe"}', -32700),
        (b'{"jsonrpc":"2.0","id":"a","method":"describe","params":{"x":NaN}}', -32700),
        (b'{"jsonrpc":"2.0","id":"\xff","method":"describe"}', -32700),
        (b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"describe"}', -32700),
        (b'{"jsonrpc":"2.0","id":"\xc0\xaf","method":"describe"}', -32700),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"describe"}', -32700),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"a","method":"describe"}', -32700),
        (b"[" * 65 + b"]" * 65, -32700),
        (b"[" * 100_000, -32700),
        (b"01", -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'"describe"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"1.0","id":null,"method":"describe"}', -32600),
        (b'{"jsonrpc":"2.0","method":"describe"}', -32600),
        (b'{"jsonrpc":"2.0","id":["a"],"method":"describe"}', -32600),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(adapter, line, code):
    answer = adapter.line(line)

    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert adapter.ask("describe")


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"method": 7}, -32600),
        ({"jsonrpc": "2.1"}, -32600),
        ({"method": "setle"}, -32601),
        ({"method": "table.shut"}, -32601),
        ({"method": ""}, -32601),
        ({"params": ["craps"]}, -32602),
        ({"params": {}}, -32602),
        ({"params": {"game": "chess"}}, -32602),
        ({"params": {"game": 7}}, -32602),
        ({"params": {"game": "bacara"}}, -32001),
        ({"method": "compare", "params": {"game": "craps", "a": [], "b": []}}, -32001),
    ],
    ids=str,
)
def test_a_request_that_cannot_be_answered_is_answered_with_its_id(adapter, request_, code):
    request = {"jsonrpc": "2.0", "id": "né\n", "method": "settle", "params": {}} | request_

    answer = adapter.line(json.dumps(request))

    assert (answer["id"], answer["error"]["code"]) == ("né\n", code)


CASE = {"game": "craps", "options": {}, "outcome": {"throws": [[3, 4]]}, "bets": []}


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"colour": "red"}},
        {"options": []},
        {"options": {"limits": "none"}},
        {"outcome": {}},
        {"outcome": {"throws": [[3, 4]], "dice": 2}},
        {"outcome": {"throws": [[3, 4, 5]]}},
        {"outcome": {"throws": [[3]]}},
        {"outcome": {"throws": [3, 4]}},
        {"outcome": {"throws": [[3, 7]]}},
        {"outcome": {"throws": [[-1, 3]]}},
        {"outcome": {"throws": [["3", 4]]}},
        {"outcome": {"throws": [[3.0, 4]]}},
        {"outcome": {"throws": [[3, 4]] * 10_001}},
        {"bets": {}},
        {"bets": ["field"]},
        {"bets": [{"bet": "field", "stake": 1, "colour": "red"}]},
        {"bets": [{"bet": "field", "stake": 1}] * 10_001},
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_case_with_a_strange_name_or_shape_is_wrong(adapter, changed):
    assert adapter.code("settle", **(CASE | changed)) == -32602
    assert adapter.ask("settle", **CASE) == {"settlements": []}


def test_a_field_of_a_later_version_is_ignored(adapter):
    assert adapter.ask("settle", **CASE, trace=True) == {"settlements": []}


def test_a_batch_is_answered_with_every_id_once(adapter):
    good = [adapter.request("settle", CASE) for _ in range(3)]
    batch = [good[0], 7, good[1], {**good[2], "method": "nothing"}]

    answers = adapter.line(json.dumps(batch))

    assert [(one["id"], one.get("error", {}).get("code")) for one in answers] == [
        (good[0]["id"], None),
        (None, -32600),
        (good[1]["id"], None),
        (good[2]["id"], -32601),
    ]


def test_many_lines_under_way_at_once_are_all_answered(program):
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": f"n{number}", "method": "settle", "params": CASE})
        for number in range(2_000)
    ]

    # The last line has no end, as in a file that was cut.
    ran = run(program, "\n".join(lines).encode())

    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["id"] for one in answers] == [f"n{number}" for number in range(2_000)]
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_a_line_beyond_the_cap_is_refused_and_the_next_one_answered(adapter):
    answer = adapter.line(b" " * (9 << 20))

    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    assert adapter.ask("settle", **CASE) == {"settlements": []}


def test_it_ends_when_told_and_answers_nothing_more(program):
    end, settle, describe = (
        {"jsonrpc": "2.0", "id": name, "method": method, "params": {}}
        for name, method in (("a", "end"), ("b", "settle"), ("c", "describe"))
    )
    asked = [json.dumps([end, settle]), json.dumps(describe)]

    ran = run(program, "\n".join(asked).encode() + b"\n")

    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(answers) == 1
    assert answers[0][0] == {"jsonrpc": "2.0", "id": "a", "result": {}}
    assert answers[0][1]["error"]["code"] == -32602
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_it_ends_when_nobody_asks_any_more(program):
    ran = run(program, b"")

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_it_ends_while_tables_are_open(program):
    client = Client(program)
    client.ask("table.open", table="t", game="craps", options={})

    assert client.ask("end") == {}
    assert client.close() == 0


# The reader of JSON, against another one.


class NotStrict(ValueError):
    """A text that Python reads and a strict reader does not."""


def no_key_twice(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise NotStrict
    return dict(pairs)


def depth_of(value):
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def refuse_constant(name):
    raise NotStrict(name)


def is_strict_json(line):
    try:
        text = line.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=no_key_twice,
            parse_constant=refuse_constant,
            parse_int=str,
            parse_float=str,
        )
        # Half a surrogate pair cannot be written as UTF-8.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return False
    return depth_of(value) <= 64


SEEDS = [
    (
        b'{"jsonrpc":"2.0","id":"a","method":"settle","params":{"game":"craps","options":{},'
        b'"outcome":{"throws":[[3,4],[0,1]]},"bets":[{"bet":"hard-way","choice":6,"stake":9}]}}'
    ),
    b'[{"jsonrpc":"2.0","id":"\\u00e9\\ud83c\\udfb2","method":"describe","params":{}},null,-0.5e+3]',
    b'{"a":1,"b":[true,false,null,"\\"\\\\\\/\\b\\f\\n\\r\\t"],"\\u0061b":{"c":-12,"d":1E5}}',
    '["骰子", "é", {"一": 18446744073709551616}]'.encode(),
    b" [ 1 , 2 ,\t3 ] ",
    b"[" * 63 + b"1" + b"]" * 63,
]
TOKENS = [
    *(b'"', b"\\", b"\\u", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b".", b"e", b"\x00"),
    *(b"\xff", b"\xc3", b"\xa9", b"NaN", b"true", b'"id":', b"\\ud800", b"\xf4\x90\x80\x80"),
]


def spoilt(chance, line):
    """Return a line with a few bytes changed, taken away, doubled or put in."""
    data = bytearray(line)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data) + 1)
        how = chance.randrange(4)
        if how == 0:
            data[at:at] = chance.choice(TOKENS)
        elif how == 1:
            del data[at : at + chance.randrange(1, 4)]
        elif how == 2:
            data[at : at + 1] = bytes([chance.randrange(256)])
        else:
            data[at:at] = data[at : at + chance.randrange(1, 12)]
    return bytes(data).replace(b"\n", b" ")


def fuzz_lines(seed, count):
    chance = random.Random(seed)  # noqa: S311 - a seeded sample, no secret
    for _ in range(count):
        if chance.random() < 0.25:
            yield chance.randbytes(chance.randrange(60)).replace(b"\n", b"")
        else:
            yield spoilt(chance, chance.choice(SEEDS))


def check_reader(program, lines):
    ran = run(program, b"\n".join(lines) + b"\n")

    assert (ran.returncode, ran.stderr) == (0, b"")
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    read = [
        not (isinstance(one, dict) and one.get("error", {}).get("code") == -32700)
        for one in answers
    ]
    assert len(answers) == len(lines)
    strict = [is_strict_json(line) for line in lines]
    assert [pair for pair in zip(lines, read, strict, strict=True) if pair[1] != pair[2]] == []
    return strict


def test_it_reads_what_a_strict_reader_reads_and_nothing_else(program):
    strict = check_reader(program, [*SEEDS, *fuzz_lines(1, 6_000)])

    assert 300 < sum(strict) < 5_000


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_it_reads_much_more_as_a_strict_reader_does(program, seed):
    check_reader(program, list(fuzz_lines(seed, 30_000)))


def test_an_object_with_many_keys_is_read_and_a_repeated_one_found(adapter):
    many = {f"k{number}": number for number in range(5_000)}

    assert adapter.ask("settle", **CASE, **many) == {"settlements": []}
    twice = json.dumps({**many, "params": 1})[:-1] + ', "k4999": 0}'
    assert adapter.line(twice)["error"]["code"] == -32700


# Live tables.


class Table:
    """A live table and the log that its acts and events make."""

    _numbers = itertools.count()

    def __init__(self, client, name=None, options=None):
        self.client = client
        self.name = name or f"table {next(self._numbers)}"
        self.throws, self.settled, self.tickets = [], {}, {}
        opened = client.ask("table.open", table=self.name, game="craps", options=options or {})
        self.log = list(opened["events"])

    def act(self, act, /, **fields):
        given = {"act": act, **fields}
        answer = self.client.ask("table.act", table=self.name, act=given)
        if answer["answer"] == "refused":
            assert answer["events"] == []
            assert answer["reason"]
        if act in {"place-bet", "withdraw-bet"}:
            self.log.append({"event": act, **fields, "answer": answer["answer"]})
        self.log += answer["events"]
        self.throws += answer.get("outcome", {"throws": []})["throws"]
        for one in answer.get("settlements", []):
            assert one["ticket"] not in self.settled
            self.settled[one.pop("ticket")] = one
        return answer

    def code(self, act, /, **fields):
        return self.client.code("table.act", table=self.name, act={"act": act, **fields})

    def force(self, *throws):
        return self.act("force", outcome={"throws": list(throws)})["answer"]

    def place(self, ticket, bet, stake=100, player="ana", **more):
        answer = self.act("place-bet", ticket=ticket, player=player, bet=bet, stake=stake, **more)
        if answer["answer"] == "accepted":
            self.tickets[ticket] = {"bet": bet, "stake": stake, "at": len(self.throws), **more}
        return answer["answer"]

    def withdraw(self, ticket, bet, player="ana"):
        answer = self.act("withdraw-bet", ticket=ticket, player=player, bet=bet)["answer"]
        if answer == "accepted":
            del self.tickets[ticket]
        return answer

    def go(self, *throws, **until):
        """Let the table go on, with certain throws if they are given."""
        if throws:
            assert self.force(*throws) == "accepted"
        return [one["event"] for one in self.act("go-on", **until)["events"]]


@pytest.fixture
def table(adapter):
    return Table(adapter)


@pytest.fixture(scope="session")
def judge(law):
    def compiled_for(options):
        return compile_procedure(law, "craps", Readings(law), options)

    return compiled_for


def breaches(judge, log):
    return [(one.index, one.required) for one in judge.judge(log)]


def test_a_round_with_a_point_breaks_nothing(table, judge):
    """The round of the example log, played live."""
    assert table.act("happen", event={"event": "take-dice", "player": "ana"})["events"] == [
        {"event": "take-dice", "player": "ana"}
    ]
    assert table.place("a", "pass-line") == "accepted"
    assert table.place("b", "dont-pass", player="rui") == "accepted"
    assert table.place("f", "field", 10, player="rui") == "accepted"
    assert table.place("x", "come", player="rui") == "refused"
    assert table.go([3, 3]) == ["throw-dice", "dice-at-rest", "bet-decided", "collect-stake"]
    assert table.place("x", "pass-line", player="rui") == "refused"
    assert table.withdraw("a", "pass-line") == "refused"
    assert table.place("c", "pass-line-additional", 50, to="a") == "accepted"
    assert table.place("d", "dont-pass-additional", 50, player="rui", to="b") == "accepted"
    assert table.place("e", "come") == "accepted"
    assert table.place("h", "come-additional", 50, to="e") == "refused"
    assert table.place("g", "dont-come", player="rui") == "accepted"
    assert table.go([2, 3]) == ["throw-dice", "dice-at-rest", "set-come-point", "set-come-point"]
    assert table.place("h", "come-additional", 50, to="e") == "accepted"
    assert table.place("i", "dont-come-additional", 50, player="rui", to="g") == "accepted"
    assert table.go([0, 6]) == ["throw-dice", "dice-at-rest"]
    assert table.place("x", "field") == "refused"
    assert table.go([1, 5]) == [
        "throw-dice", "dice-at-rest", "bet-decided", "pay-prize", "bet-decided", "collect-stake",
        "bet-decided", "pay-prize", "bet-decided", "collect-stake",
    ]  # fmt: skip
    assert table.place("j", "pass-line", player="rui") == "accepted"
    assert table.go([3, 4])[:2] == ["throw-dice", "dice-at-rest"]

    judge = judge({})
    assert breaches(judge, table.log) == []
    assert [one.required for one in judge.find_missing(table.log)] == []
    # Art. 2 n.º 2: 6 and 8 pay 6 to 5; art. 2 n.º 3: the 7 takes what Come has with its point.
    assert {ticket: (one["result"], one["prize"]) for ticket, one in table.settled.items()} == {
        "f": ("lose", 0), "a": ("win", 100), "b": ("lose", 0), "c": ("win", 60), "d": ("lose", 0),
        "e": ("lose", 0), "g": ("win", 100), "h": ("lose", 0), "i": ("win", 33), "j": ("win", 100),
    }  # fmt: skip


class Play:
    """People at a table who do things at random; every answer is held against the law."""

    def __init__(self, table, judge, seed):
        self.table, self.judge = table, judge
        self.chance = random.Random(seed)  # noqa: S311 - a seeded sample, no secret
        self.tickets = itertools.count()
        table.force(*(self.throw() for _ in range(200)))

    def throw(self):
        off = self.chance.random() < 0.08
        return [0 if off else self.chance.randint(1, 6), self.chance.randint(1, 6)]

    def lawful(self, act, fields):
        """Return the answers that the law leaves open."""
        verdict = self.judge.rule_on_act(self.table.log, {"event": act, **fields})
        return {ActRuling.ACCEPT: {"accepted"}, ActRuling.REFUSE: {"refused"}}.get(
            verdict, {"accepted", "refused"}
        )

    def place(self, player):
        chance, table = self.chance, self.table
        bet = chance.choice((*LINES, *LINES, *ADDED, *SINGLE, "hard-way"))
        fields = {"player": player, "bet": bet, "stake": chance.choice((1, 7, 50, 200))}
        if bet in ADDED:
            lying = [
                ticket
                for ticket, said in table.tickets.items()
                if f"{said['bet']}-additional" == bet and ticket not in table.settled
            ]
            if not lying:
                return
            fields["to"] = chance.choice(lying)
        if bet == "hard-way":
            fields["choice"] = chance.choice(HARD_WAYS)
        ticket = f"k{next(self.tickets)}"
        wanted = self.lawful("place-bet", {"ticket": ticket, **fields})
        assert table.place(ticket, **fields) in wanted, table.log

    def withdraw(self, player):
        if not self.table.tickets:
            return
        ticket = self.chance.choice(sorted(self.table.tickets))
        fields = {"ticket": ticket, "player": player, "bet": self.table.tickets[ticket]["bet"]}
        wanted = self.lawful("withdraw-bet", fields)
        assert self.table.withdraw(**fields) in wanted, self.table.log

    def take_dice(self, player):
        self.table.act("happen", event={"event": "take-dice", "player": player})

    def stop(self, _):
        events = ("throw-dice", "dice-at-rest", "bet-decided", "set-come-point", "pay-prize")
        self.table.act("go-on", until=self.chance.choice(events))

    def go_on(self, _):
        self.table.act("go-on")

    def on(self, acts):
        kinds = [self.place] * 10 + [self.go_on] * 5 + [self.stop] * 2
        kinds += [self.withdraw] * 2 + [self.take_dice]
        for _ in range(acts):
            self.chance.choice(kinds)(self.chance.choice(("ana", "rui", "zé")))
        self.go_on(None)


def lawful_settlements(oracle, table):
    """Return what the law makes of all that was accepted, over all that was thrown."""
    index = {ticket: number for number, ticket in enumerate(table.tickets)}
    bets = [
        {**bet, "to": index[bet["to"]]} if "to" in bet else bet for bet in table.tickets.values()
    ]
    settled = expected(oracle, {"outcome": {"throws": table.throws}, "bets": bets})
    return {
        ticket: one
        for ticket, one in zip(table.tickets, settled, strict=True)
        if one["result"] != "stands"
    }


OPTIONS = [{}, {"limits": "declared", "minimum": 5, "maximum": 100}, {"limits": "none"}]


def play_tables(adapter, judge, oracle, seeds):
    for seed in seeds:
        options = OPTIONS[seed % len(OPTIONS)]
        table = Table(adapter, options=options)
        Play(table, judge(options), seed).on(40)

        assert breaches(judge(options), table.log) == []
        assert table.settled == lawful_settlements(oracle, table)


def test_whatever_people_do_at_a_table_the_law_is_kept(adapter, judge, oracle):
    play_tables(adapter, judge, oracle, range(4))


@pytest.mark.full
def test_whatever_people_do_at_many_tables_the_law_is_kept(adapter, judge, oracle):
    play_tables(adapter, judge, oracle, range(1_000, 1_150))


def test_no_bet_is_taken_while_the_dice_are_in_the_air(table):
    table.place("a", "pass-line")

    assert table.go([3, 3], until="throw-dice") == ["take-dice", "throw-dice"]
    assert table.place("b", "field") == "refused"
    assert table.withdraw("a", "pass-line") == "refused"
    assert table.go() == ["dice-at-rest"]
    assert table.place("b", "field") == "accepted"


def test_bets_are_open_again_before_the_last_ones_are_paid(table, judge):
    table.place("a", "pass-line")

    assert table.go([3, 4], until="dice-at-rest")[-1] == "dice-at-rest"
    assert table.place("b", "pass-line") == "accepted"
    assert table.withdraw("a", "pass-line") == "refused"
    assert table.go(until="bet-decided") == ["bet-decided"]
    assert table.settled["a"]["prize"] == 100
    assert table.go() == ["pay-prize"]
    assert breaches(judge({}), table.log) == []


def test_an_event_that_does_not_come_is_refused_and_changes_nothing(table):
    table.place("a", "pass-line")
    table.force([3, 3], [3, 4])

    assert table.act("go-on", until="pay-prize")["answer"] == "refused"
    assert table.act("go-on", until="set-come-point")["answer"] == "refused"
    assert table.go() == ["take-dice", "throw-dice", "dice-at-rest"]
    assert table.throws == [[3, 3]]
    assert table.go(until="collect-stake")[-1] == "collect-stake"
    assert table.throws == [[3, 3], [3, 4]]


def test_nobody_can_ask_again_until_the_dice_bring_what_they_want(table):
    table.place("a", "field")
    table.place("b", "pass-line")

    for _ in range(50):
        assert table.act("go-on", until="pay-prize")["answer"] == "refused"
    assert table.throws == []


def test_nobody_throws_where_nobody_plays(table):
    assert table.act("go-on")["answer"] == "refused"

    table.act("happen", event={"event": "take-dice", "player": "ana"})

    assert table.go([1, 1]) == ["throw-dice", "dice-at-rest"]


def test_the_dice_change_hands_only_once_the_point_is_decided(table, judge):
    table.place("a", "pass-line")
    table.go([2, 2])

    assert table.act("happen", event={"event": "take-dice", "player": "rui"})["events"] == []
    assert table.go([1, 2]) == ["throw-dice", "dice-at-rest"]
    assert table.go([3, 4])[-1] == "take-dice"
    table.go([1, 1])

    throwers = [one["player"] for one in table.log if one["event"] == "throw-dice"]
    assert throwers == ["ana", "ana", "ana", "rui"]
    assert breaches(judge({}), table.log) == []


def test_forced_throws_come_in_the_order_in_which_they_were_forced(table):
    table.place("a", "pass-line")
    table.force([1, 1], [2, 2])
    table.go()
    table.force([6, 6])

    table.go()
    table.go()

    assert table.throws == [[1, 1], [2, 2], [6, 6]]


def test_several_additions_share_the_limit_on_the_gain(table):
    # Art. 2 n.º 2: the additional gain never passes the initial stake.
    table.place("a", "pass-line")
    table.go([2, 2])
    table.place("b", "pass-line-additional", 40, to="a")
    table.place("c", "pass-line-additional", 40, to="a")
    table.go([1, 3])

    assert [table.settled[one]["prize"] for one in "abc"] == [100, 80, 20]


def test_a_name_with_any_letters_comes_back_as_it_was(adapter, judge):
    name = 'zé "骰" \\ \u0000\n🎲'
    table = Table(adapter, name)

    table.place(name, "field", player=name)
    table.go([1, 1])

    assert table.settled[name]["prize"] == 200
    assert table.log[1] == {"event": "take-dice", "player": name}
    assert breaches(judge({}), table.log) == []


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"act": "sing"}, -32602),
        ({}, -32602),
        ({"act": "throw-dice", "player": "ana"}, -32602),
        ({"act": "go-on", "until": "sing"}, -32602),
        ({"act": "go-on", "until": 7}, -32602),
        ({"act": "go-on", "times": 2}, -32602),
        ({"act": "force"}, -32602),
        ({"act": "force", "outcome": {"throws": [[3]]}}, -32602),
        ({"act": "force", "outcome": {"dice": [3, 4]}}, -32602),
        ({"act": "force", "outcome": {"throws": [[3, 7]]}}, -32002),
        ({"act": "force", "outcome": {"throws": [[-1, 6]]}}, -32002),
        ({"act": "happen"}, -32602),
        ({"act": "happen", "event": {"event": "sing"}}, -32602),
        ({"act": "happen", "event": {"event": "take-dice"}}, -32602),
        ({"act": "happen", "event": {"event": "take-dice", "player": "a", "hat": "b"}}, -32602),
        ({"act": "place-bet", "ticket": "b", "player": "ana", "bet": "field"}, -32602),
        ({"act": "place-bet", "ticket": "b", "player": "ana", "stake": 5}, -32602),
        ({"act": "place-bet", "player": "ana", "bet": "field", "stake": 5}, -32602),
        ({"act": "place-bet", "ticket": "a", "player": "ana", "bet": "field", "stake": 5}, -32602),
        ({"act": "place-bet", "ticket": "b", "player": "an", "bet": "field", "stake": 5.5}, -32602),
        ({"act": "place-bet", "ticket": "b", "player": "ana", "bet": "field", "stake": 5, "hat": 1},
         -32602),
        ({"act": "withdraw-bet", "ticket": "a"}, -32602),
    ],
    ids=str,
)  # fmt: skip
def test_an_act_that_cannot_be_read_is_an_error(table, act, code):
    table.place("a", "pass-line")

    assert table.client.code("table.act", table=table.name, act=act) == code
    assert table.go([3, 3]) == ["take-dice", "throw-dice", "dice-at-rest"]


@pytest.mark.parametrize(
    "bet",
    [
        {"bet": "place-on-8", "stake": 5},
        {"bet": "field", "stake": 0},
        {"bet": "field", "stake": -5},
        {"bet": "field", "stake": 5, "choice": 4},
        {"bet": "field", "stake": 5, "to": "a"},
        {"bet": "hard-way", "stake": 5},
        {"bet": "hard-way", "stake": 5, "choice": 2},
        {"bet": "hard-way", "stake": 5, "choice": "6"},
        {"bet": "pass-line-additional", "stake": 5},
        {"bet": "pass-line-additional", "stake": 5, "to": "nobody's"},
        {"bet": "dont-pass-additional", "stake": 5, "to": "a"},
        {"bet": "eleven", "stake": LARGEST},
    ],
    ids=str,
)
def test_a_bet_that_is_not_lawful_is_refused(table, bet):
    table.place("a", "pass-line")
    table.go([3, 3])

    assert table.place("b", **bet) == "refused"


@pytest.mark.parametrize(("stake", "answer"), [(9, "refused"), (10, "accepted"),
                                               (500, "accepted"), (501, "refused")])  # fmt: skip
def test_declared_limits_are_kept(adapter, stake, answer):
    table = Table(adapter, options={"limits": "declared", "minimum": 10, "maximum": 500})

    assert table.place("a", "field", stake) == answer


def test_a_bet_may_be_taken_back_until_it_takes_part_in_a_throw(table):
    table.place("a", "pass-line")
    table.place("b", "hard-way", choice=6)

    assert table.withdraw("a", "pass-line", player="rui") == "refused"
    assert table.withdraw("a", "field") == "refused"
    assert table.withdraw("a", "pass-line") == "accepted"
    assert table.withdraw("a", "pass-line") == "refused"
    table.go([1, 1])
    assert table.withdraw("b", "hard-way") == "refused"
    assert "a" not in table.settled


def test_tables_are_opened_once_and_closed_once(adapter):
    opened = {"table": "t", "game": "craps", "options": {}}

    assert adapter.code("table.act", table="t", act={"act": "go-on"}) == -32003
    assert adapter.code("table.close", table="t") == -32003
    assert adapter.ask("table.open", **opened) == {"events": []}
    assert adapter.code("table.open", **opened) == -32602
    assert adapter.code("table.open", **opened | {"table": ""}) == -32602
    assert adapter.code("table.open", **opened | {"table": "u", "game": "pai-kao"}) == -32001
    for options in ({"hat": 1}, {"limits": "some"}, {"minimum": -1}, {"maximum": 1.5}, []):
        assert adapter.code("table.open", **opened | {"table": "u", "options": options}) == -32602
    assert adapter.ask("table.close", table="t") == {"events": []}
    assert adapter.code("table.close", table="t") == -32003
    assert adapter.code("table.close", table=7) == -32602


def test_a_table_that_closes_in_the_middle_of_a_throw_ends_it_first(table, judge):
    table.place("a", "pass-line")
    table.go([3, 4], until="throw-dice")

    events = table.client.ask("table.close", table=table.name)["events"]

    assert [one["event"] for one in events] == ["dice-at-rest", "bet-decided", "pay-prize"]
    assert breaches(judge({}), table.log + events) == []


def test_tables_do_not_know_of_each_other(adapter):
    one, other = Table(adapter), Table(adapter)
    one.place("a", "pass-line")
    other.place("a", "dont-pass")
    one.force([3, 4])
    other.force([1, 1])

    other.go()
    one.go()

    assert (one.throws, other.throws) == ([[3, 4]], [[1, 1]])
    assert (one.settled["a"]["result"], other.settled["a"]["result"]) == ("win", "win")


# The floor, which reads nothing.


def test_the_floor_answers_every_id_with_a_lost_bet(floor):
    requests = [
        {"jsonrpc": "2.0", "id": f"i{number}", "method": "settle", "params": CASE}
        for number in range(5_000)
    ]
    lines = [msgspec.json.encode(some) for some in parts(requests)]
    lines += [msgspec.json.encode(one) for one in requests]

    ran = run(floor, b"\n".join(lines) + b"\n")

    answers = [msgspec.json.decode(line) for line in ran.stdout.splitlines()]
    batches, singles = answers[: -len(requests)], answers[-len(requests) :]
    lost = {"settlements": [{"result": "lose", "prize": 0, "commission": 0, "stake": 0}]}
    wanted = [{"jsonrpc": "2.0", "id": one["id"], "result": lost} for one in requests]
    assert [one for batch in batches for one in batch] == wanted
    assert singles == wanted
    assert ran.returncode == 0


def test_the_floor_describes_itself_and_ends(floor):
    asked = [
        {"jsonrpc": "2.0", "id": name, "method": name, "params": {}} for name in ("describe", "end")
    ]
    data = b"".join(msgspec.json.encode(one) + b"\n" for one in [*asked, asked[0]])

    ran = run(floor, data)

    described, ended = [json.loads(line) for line in ran.stdout.splitlines()]
    description = msgspec.convert(described["result"], Description)
    assert (description.games[0].game, description.games[0].bets) == ("fish-prawn-crab", ["small"])
    assert ended == {"jsonrpc": "2.0", "id": "end", "result": {}}
    assert ran.returncode == 0
