"""The adapter in JavaScript: asked as Selo asks, answered as the law and the protocol have it."""

import contextlib
import hashlib
import http.client
import json
import random
import subprocess
import time
from collections import Counter
from itertools import product

import msgspec
import pytest
from tests.tools import needs

from selo.examine.findings.declaration_findings import judge_declarations
from selo.protocol.messages import RESULTS, Description
from selo.protocol.schema.game_schema import game_words
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.procedure.procedure_rules import ActRuling, compile_procedure
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

pytestmark = needs("node")

GAME = "fish-prawn-crab"
FACES = ("fish", "prawn", "gourd", "coin", "crab", "rooster")
COLOURS = ("red", "green", "blue")
LYING = ("flat", "leaning", "leaning-on-glass", "stacked")
THROWS = [list(dice) for dice in product(FACES, repeat=3)]
FLAT = ["flat", "flat", "flat"]
SPOTS = [
    *({"bet": name} for name in ("small", "big", "any-three-of-colour", "any-three-of-figure")),
    *({"bet": name, "choice": face} for name in ("figure", "three-of-figure") for face in FACES),
    *(
        {"bet": f"{number}-of-colour", "choice": colour}
        for number in ("one", "two", "three")
        for colour in COLOURS
    ),
    *({"bet": "number", "choice": total} for total in range(4, 18)),
]
#: Bets that the law does not know, or with a choice or a stake that it does not give.
UNLAWFUL = [
    {"bet": "pair-of-figures", "choice": "fish", "stake": 7},
    {"bet": "constructor", "stake": 7},
    {"bet": "number", "choice": 3, "stake": 7},
    {"bet": "number", "choice": 18, "stake": 7},
    {"bet": "number", "choice": "9", "stake": 7},
    {"bet": "figure", "choice": "dragon", "stake": 7},
    {"bet": "figure", "stake": 7},
    {"bet": "small", "stake": 0},
    {"stake": 7},
]
BETS = [{**spot, "stake": 7} for spot in SPOTS] + UNLAWFUL


class Adapter:
    """The program under test, asked line by line."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            ["node", "adapter.mjs", *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.asked = 0

    def send(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def line(self, line):
        """Send the bytes of one line and return what comes back."""
        self.send(line + b"\n")
        return json.loads(self.process.stdout.readline())

    def request(self, method, params):
        self.asked += 1
        return {"jsonrpc": "2.0", "id": f"問-{self.asked}", "method": method, "params": params}

    def ask(self, method, **params):
        """Return the result, in the shape that the protocol gives it, or the code of the error."""
        request = self.request(method, params)
        answer = self.line(json.dumps(request, ensure_ascii=False).encode())
        assert answer["id"] == request["id"]
        if "error" in answer:
            return answer["error"]["code"]
        msgspec.convert(answer["result"], RESULTS[method])
        return answer["result"]

    def batch(self, method, cases):
        """Return the results for many params, asked in one line."""
        requests = [self.request(method, params) for params in cases]
        answers = {one["id"]: one for one in self.line(json.dumps(requests).encode())}
        return [answers[one["id"]]["result"] for one in requests]

    def finish(self):
        """Close its input and return its exit code."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        code = self.process.wait(timeout=180)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture(scope="module")
def folder(root):
    return root / "fixtures" / "adapters" / "javascript"


@pytest.fixture
def fresh(folder):
    adapter = Adapter(folder)
    yield adapter
    adapter.finish()


@pytest.fixture(scope="module")
def adapter(folder):
    adapter = Adapter(folder)
    yield adapter
    assert adapter.finish() == 0


@pytest.fixture(scope="module")
def oracle(law):
    game = compile_game(law, GAME, Readings(law, {}))

    def settled(outcome, bets):
        plain = game.settle_plain({}, outcome, bets)
        return [
            {**one, "stake": bet["stake"] if one["result"] in {"win", "refused"} else 0}
            for bet, one in zip(bets, plain, strict=True)
        ]

    return settled


def settle_params(outcome, bets=BETS):
    return {"game": GAME, "options": {}, "outcome": outcome, "bets": bets}


def assert_settles_as_the_law(adapter, oracle, outcomes):
    cases = [settle_params(outcome) for outcome in outcomes]

    results = adapter.batch("settle", cases)

    for outcome, result in zip(outcomes, results, strict=True):
        assert result["settlements"] == oracle(outcome, BETS), outcome


# What becomes of bets.


def test_every_throw_settles_every_spot_as_the_law(adapter, oracle):
    assert len(SPOTS) == 39
    assert len(THROWS) == 216

    assert_settles_as_the_law(adapter, oracle, [{"dice": dice} for dice in THROWS])


@pytest.mark.parametrize("dice", [THROWS[0], THROWS[100], THROWS[-1]], ids="-".join)
def test_however_the_dice_lie_every_spot_settles_as_the_law(adapter, oracle, dice):
    lying = [list(ways) for ways in product(LYING, repeat=3)]

    assert_settles_as_the_law(adapter, oracle, [{"dice": dice, "lying": one} for one in lying])


@pytest.mark.full
def test_every_throw_settles_as_the_law_however_the_dice_lie(adapter, oracle):
    for ways in product(LYING, repeat=3):
        assert_settles_as_the_law(
            adapter, oracle, [{"dice": dice, "lying": list(ways)} for dice in THROWS]
        )


@pytest.mark.parametrize(
    ("dice", "bet", "result", "prize"),
    [
        pytest.param(["fish", "fish", "prawn"], {"bet": "small"}, "win", 100, id="5/a, 6/a"),
        pytest.param(["prawn"] * 3, {"bet": "small"}, "lose", 0, id="7"),
        pytest.param(["crab"] * 3, {"bet": "big"}, "lose", 0, id="7, big"),
        pytest.param(
            ["crab"] * 3, {"bet": "three-of-figure", "choice": "crab"}, "win", 15000, id="6/h"
        ),
        pytest.param(["crab"] * 3, {"bet": "any-three-of-figure"}, "win", 2400, id="6/i"),
        pytest.param(
            ["fish", "rooster", "fish"],
            {"bet": "two-of-colour", "choice": "red"},
            "lose",
            0,
            id="5/e/note",
        ),
        pytest.param(["gourd"] * 3, {"bet": "number", "choice": 9}, "win", 600, id="6/j/6"),
    ],
)
def test_a_bet_of_100_is_paid_what_the_article_says(adapter, dice, bet, result, prize):
    answer = adapter.ask("settle", **settle_params({"dice": dice}, [{**bet, "stake": 100}]))

    back = 100 if result == "win" else 0
    assert answer["settlements"] == [
        {"result": result, "prize": prize, "commission": 0, "stake": back}
    ]


@pytest.mark.parametrize("written", ["100.0", "1e2", "100.5", '"100"', "true", "null", "-100"])
def test_a_stake_that_is_not_written_as_a_whole_number_is_refused(adapter, written):
    params = json.dumps(settle_params({"dice": THROWS[1]}, [{"bet": "small", "stake": "@"}]))
    line = f'{{"jsonrpc":"2.0","id":"s","method":"settle","params":{params}}}'

    answer = adapter.line(line.replace('"@"', written).encode())

    assert answer["result"]["settlements"] == [
        {"result": "refused", "prize": 0, "commission": 0, "stake": 0}
    ]


def test_a_choice_that_is_not_written_as_a_whole_number_is_refused(adapter):
    bets = [{"bet": "number", "choice": 9.0, "stake": 7}]

    answer = adapter.ask("settle", **settle_params({"dice": ["gourd"] * 3}, bets))

    assert [one["result"] for one in answer["settlements"]] == ["refused"]


def test_a_choice_for_a_bet_that_has_none_is_refused(adapter):
    bets = [{"bet": "small", "choice": "red", "stake": 7}]

    answer = adapter.ask("settle", **settle_params({"dice": THROWS[1]}, bets))

    assert [one["result"] for one in answer["settlements"]] == ["refused"]


def test_a_prize_is_exact_or_not_told(adapter):
    def answer(stake):
        bets = [{"bet": "three-of-figure", "choice": "fish", "stake": stake}]
        return adapter.ask("settle", **settle_params({"dice": ["fish"] * 3}, bets))

    highest = (2**53 - 1) // 150
    assert answer(highest)["settlements"][0]["prize"] == highest * 150
    assert answer(highest + 1) == -32602


# What the protocol asks.


def test_what_is_declared_of_the_tables_is_lawful(adapter, law):
    (offer,) = msgspec.convert(adapter.ask("describe"), Description, strict=True).games

    assert game_words(law, GAME).offer_problem(offer) is None
    assert {one.status for one in judge_declarations(law, offer, {}).judgements} == {
        RequirementStatus.KEPT
    }


def test_the_description_names_every_file_with_its_digest(adapter, folder):
    told = msgspec.convert(adapter.ask("describe"), Description, strict=True)

    assert {one.path: one.sha256 for one in told.files} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.mjs")
    }
    assert [one.game for one in told.games] == [GAME]
    assert set(told.games[0].bets) == {spot["bet"] for spot in SPOTS}
    assert adapter.ask("describe") == adapter.ask("describe")


@pytest.mark.parametrize(
    ("line", "key", "code"),
    [
        (b"", None, -32700),
        (b"fish", None, -32700),
        (b'{"jsonrpc":"2.0","id":"a","method":"describe"', None, -32700),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"a","method":"describe"}', None, -32700),
        (b'{"jsonrpc":"2.0","id":"\xff","method":"describe"}', None, -32700),
        (b'{"jsonrpc":"2.0","id":"a","method":"draw","params":{"count":NaN}}', None, -32700),
        (b'{"jsonrpc":"2.0","id":"a","id":"b","method":"describe"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":"a","\\u0069d":"b","method":"describe"}', None, -32600),
        (b'{"jsonrpc":"2.0","method":"describe"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":1.0,"method":"describe"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"describe"}', None, -32600),
        (b'{"jsonrpc":"1.0","id":"a","method":"describe"}', "a", -32600),
        (b'{"jsonrpc":"2.0","id":"a","method":7}', "a", -32600),
        (b'{"jsonrpc":"2.0","id":"a"}', "a", -32600),
        (b'"describe"', None, -32600),
        (b"null", None, -32600),
        (b"[]", None, -32600),
        (b"[" + b",".join([b"1"] * 513) + b"]", None, -32600),
        (b'{"jsonrpc":"2.0","id":"a","method":"compare"}', "a", -32601),
        (b'{"jsonrpc":"2.0","id":"a","method":"constructor"}', "a", -32601),
        (b'{"jsonrpc":"2.0","id":"a","method":"describe","params":[]}', "a", -32602),
        (b'{"jsonrpc":"2.0","id":"a","method":"describe","params":null}', "a", -32602),
    ],
)
def test_what_is_no_request_is_answered_with_its_error(adapter, line, key, code):
    answer = adapter.line(line)

    assert (answer["id"], answer["error"]["code"]) == (key, code)
    assert answer["error"]["message"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "mahjong"}, -32602),
        ({"game": None}, -32602),
        ({"game": "craps"}, -32001),
        ({"options": {"highest_prize": 10000}}, -32001),
        ({"options": {"packs": 8}}, -32602),
        ({"options": {"limits": "some"}}, -32602),
        ({"options": {"minimum": -1}}, -32602),
        ({"options": []}, -32602),
        ({"outcome": None}, -32602),
        ({"outcome": {"dice": ["fish", "fish"]}}, -32602),
        ({"outcome": {"dice": ["fish", "fish", "dragon"]}}, -32602),
        ({"outcome": {"dice": THROWS[0], "lying": ["flat", "flat"]}}, -32602),
        ({"outcome": {"dice": THROWS[0], "lying": ["flat", "flat", "lost"]}}, -32602),
        ({"outcome": {"dice": THROWS[0], "colour": "red"}}, -32602),
        ({"bets": None}, -32602),
        ({"bets": ["small"]}, -32602),
        ({"bets": [{"bet": "small", "stake": 7, "seat": "1"}]}, -32602),
        ({"bets": [{"bet": "small", "stake": 7, "bettor": 1}]}, -32602),
    ],
)
def test_a_case_that_cannot_be_is_refused(adapter, change, code):
    assert adapter.ask("settle", **{**settle_params({"dice": THROWS[1]}), **change}) == code


def test_a_field_of_a_later_protocol_is_ignored(adapter):
    params = settle_params({"dice": THROWS[1]})

    assert adapter.ask("settle", **params, hurry=True) == adapter.ask("settle", **params)


@pytest.mark.parametrize("count", [-1, 10001, 1.5, "9", None])
def test_a_draw_of_no_number_that_can_be_is_refused(adapter, count):
    assert adapter.ask("draw", game=GAME, options={}, count=count) == -32602


def test_a_fault_in_one_answer_does_not_stop_the_others(folder):
    script = """
        import { Conversation } from "./protocol.mjs";
        const conversation = new Conversation({ bad: () => null.dice, good: () => ({}) });
        const asked = ["bad", "good"].map((method) => ({ jsonrpc: "2.0", id: method, method }));
        console.log(conversation.answer(Buffer.from(JSON.stringify(asked))));
    """

    ran = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=180,
    )

    bad, good = json.loads(ran.stdout)
    assert bad["error"]["code"] == -32000
    assert good["result"] == {}
    assert b"TypeError" in ran.stderr


def test_good_and_bad_requests_of_a_batch_are_answered_each(adapter):
    asked = [
        {"jsonrpc": "2.0", "id": "a", "method": "nothing"},
        7,
        {"jsonrpc": "2.0", "id": "b", "method": "draw", "params": {"game": GAME, "count": 1}},
    ]

    answers = adapter.line(json.dumps(asked).encode())

    assert [one["id"] for one in answers] == ["a", None, "b"]
    assert [one.get("error", {}).get("code") for one in answers] == [-32601, -32600, None]


def test_a_chunk_may_end_inside_a_character(fresh):
    line = json.dumps(
        {"jsonrpc": "2.0", "id": "魚蝦蟹", "method": "end", "params": {}}, ensure_ascii=False
    ).encode()
    inside = line.index("蝦".encode()) + 1

    fresh.send(line[:inside])
    time.sleep(0.2)
    fresh.send(line[inside:] + b"\n")

    assert json.loads(fresh.process.stdout.readline())["id"] == "魚蝦蟹"


def test_lines_that_come_together_are_answered_line_by_line(fresh):
    lines = [json.dumps(fresh.request("draw", {"game": GAME, "count": n})) for n in range(200)]

    fresh.send("\n".join(lines).encode() + b"\n")

    answers = [json.loads(fresh.process.stdout.readline()) for _ in lines]
    assert [len(one["result"]["outcomes"]) for one in answers] == list(range(200))


def test_it_goes_after_end_and_reads_no_further(fresh):
    end = json.dumps(fresh.request("end", {}))

    fresh.send(f"{end}\n{end}\n".encode())

    assert len(fresh.process.stdout.readlines()) == 1
    assert fresh.process.wait(timeout=180) == 0


def test_it_goes_when_its_input_ends_and_answers_a_last_line_without_line_feed(fresh):
    fresh.send(json.dumps(fresh.request("describe", {})).encode())
    fresh.process.stdin.close()

    assert json.loads(fresh.process.stdout.read())["result"]["protocol"] == "1.0"
    assert fresh.process.wait(timeout=180) == 0
    assert fresh.process.stderr.read() == b""


def test_arguments_that_it_does_not_know_are_an_error(folder):
    ran = subprocess.run(
        ["node", "adapter.mjs", "--http", "here"],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=180,
    )

    assert ran.returncode == 2
    assert ran.stderr == b"usage: node adapter.mjs [--http PORT]\n"


def test_draws_show_every_figure_about_equally_often(adapter):
    outcomes = adapter.ask("draw", game=GAME, options={}, count=10000)["outcomes"]

    assert len(outcomes) == 10000
    for die in range(3):
        shown = Counter(one["dice"][die] for one in outcomes)
        assert set(shown) == set(FACES)
        # Ten standard deviations of 10000 throws with a chance of one in six.
        assert all(abs(times - 10000 / 6) < 373 for times in shown.values())
    assert all(one["lying"] == FLAT for one in outcomes)
    assert len({tuple(one["dice"]) for one in outcomes}) == 216


# Live rounds.


class LiveTable:
    """A table of the adapter, with the log of everything that happened at it."""

    def __init__(self, adapter, procedure, **options):
        self.adapter = adapter
        self.procedure = procedure
        self.name = f"檯-{adapter.asked}"
        self.log = []
        opened = adapter.ask("table.open", table=self.name, game=GAME, options=options)
        self.log += opened["events"]

    def act(self, act, **fields):
        answer = self.adapter.ask("table.act", table=self.name, act={"act": act, **fields})
        declared = {one.id: one.fields for one in self.procedure.file.events}
        if act in declared:
            kept = {name: fields[name] for name in declared[act]}
            self.log.append({"event": act, **kept, "answer": answer["answer"]})
        if answer["answer"] == "refused":
            assert answer["events"] == []
            assert answer["reason"]
        self.log += answer["events"]
        return answer

    def place(self, ticket, bet, stake=100, **fields):
        return self.act("place-bet", ticket=ticket, player="p", bet=bet, stake=stake, **fields)

    def force(self, dice, lying=FLAT):
        assert self.act("force", outcome={"dice": dice, "lying": lying})["answer"] == "accepted"

    def close(self):
        self.log += self.adapter.ask("table.close", table=self.name)["events"]

    def breaches(self):
        return self.procedure.judge(self.log) + self.procedure.find_missing(self.log)


@pytest.fixture(scope="module")
def procedure(law):
    return lambda **options: compile_procedure(law, GAME, Readings(law), options)


@pytest.fixture
def table(adapter, procedure):
    table = LiveTable(adapter, procedure())
    yield table
    table.close()
    assert table.breaches() == []


def names(answer):
    return [one["event"] for one in answer["events"]]


OPENING = ["cover", "fasten", "press-lever", "press-lever", "press-lever", "light-sign"]


def test_a_round_goes_from_the_cover_to_the_last_prize(table):
    table.force(["fish", "prawn", "prawn"])

    assert names(table.act("go-on")) == OPENING
    assert table.place("a", "small")["answer"] == "accepted"
    assert table.place("b", "figure", 50, choice="crab")["answer"] == "accepted"
    answer = table.act("go-on")

    assert answer["outcome"] == {"dice": ["fish", "prawn", "prawn"], "lying": FLAT}
    assert answer["settlements"] == [
        {"ticket": "a", "result": "win", "prize": 100, "commission": 0, "stake": 100},
        {"ticket": "b", "result": "lose", "prize": 0, "commission": 0, "stake": 0},
    ]
    assert names(table.act("go-on")) == OPENING


def test_a_bet_after_the_bell_is_refused(table):
    table.act("go-on")
    table.place("a", "small")
    assert table.act("go-on", until="ring-bell")["events"] == [
        {"event": "ring-bell", "by": "program"}
    ]

    assert table.place("b", "big")["answer"] == "refused"
    assert table.act("raise-stake", ticket="a", stake=200)["answer"] == "refused"
    assert [one["ticket"] for one in table.act("go-on")["settlements"]] == ["a"]


def test_a_bet_before_the_sign_is_refused(table):
    assert table.place("a", "small")["answer"] == "refused"
    table.act("go-on", until="press-lever")
    assert table.place("a", "small")["answer"] == "refused"


def test_a_void_throw_is_repeated_with_its_bets(table):
    table.force(["fish", "prawn", "prawn"], ["flat", "stacked", "flat"])
    table.act("go-on")
    table.place("a", "small")
    voided = table.act("go-on", until="declare-void")
    for act in ("withdraw-bet", "lower-stake", "move-stake"):
        assert table.act(act, ticket="a")["answer"] == "refused"
    table.force(["crab", "crab", "rooster"])
    assert names(table.act("go-on")) == OPENING
    for act in ("withdraw-bet", "lower-stake", "move-stake"):
        assert table.act(act, ticket="a")["answer"] == "refused"
    assert table.place("b", "big")["answer"] == "accepted"
    assert table.place("c", "big")["answer"] == "accepted"
    assert table.act("withdraw-bet", ticket="c")["answer"] == "accepted"
    decided = table.act("go-on")

    assert voided["outcome"]["lying"] == ["flat", "stacked", "flat"]
    assert "settlements" not in voided
    assert [(one["ticket"], one["result"]) for one in decided["settlements"]] == [
        ("a", "lose"),
        ("b", "win"),
    ]


def test_a_void_throw_is_repeated_at_once_when_nobody_stops_it(table):
    table.force(["fish"] * 3, ["leaning", "flat", "leaning-on-glass"])
    table.act("go-on")

    answer = table.act("go-on")

    assert names(answer)[-7:] == ["declare-void", *OPENING]


def test_a_stake_changes_before_the_bell(table):
    table.force(["fish", "prawn", "prawn"])
    table.act("go-on")
    table.place("a", "small")
    table.place("b", "big")
    table.place("c", "small")
    assert table.act("raise-stake", ticket="a", stake=300)["answer"] == "accepted"
    assert table.act("lower-stake", ticket="a", stake=250)["answer"] == "accepted"
    assert table.act("move-stake", ticket="b", bet="figure", choice="prawn")["answer"] == "accepted"
    assert table.act("withdraw-bet", ticket="c")["answer"] == "accepted"

    decided = table.act("go-on")["settlements"]

    assert [(one["ticket"], one["prize"]) for one in decided] == [("a", 250), ("b", 200)]


def test_forced_throws_come_in_the_order_in_which_they_were_forced(table):
    for figure in ("fish", "crab"):
        table.force([figure] * 3)
    shown = [table.act("go-on").get("outcome", {}).get("dice") for _ in range(4)]

    assert shown == [None, ["fish"] * 3, None, ["crab"] * 3]


def test_dice_that_lie_under_the_cover_cannot_be_chosen_any_more(table):
    table.force(["fish"] * 3)
    table.act("go-on")
    table.force(["crab"] * 3)

    assert table.act("go-on")["outcome"]["dice"] == ["fish"] * 3
    table.act("go-on")
    assert table.act("go-on")["outcome"]["dice"] == ["crab"] * 3


@pytest.mark.parametrize("event", ["declare-void", "bet-decided", "cover", "light-sign", "jump"])
def test_an_event_that_cannot_come_is_not_waited_for(table, event):
    table.force(["fish"] * 3)
    table.act("go-on")

    assert table.act("go-on", until=event)["answer"] == "refused"
    assert names(table.act("go-on"))[0] == "ring-bell"


def test_nothing_can_be_staged(table):
    assert table.act("happen", event={"event": "cover"})["answer"] == "refused"


def test_declared_limits_hold(adapter, procedure):
    limits = {"limits": "declared", "minimum": 50, "maximum": 1000}
    table = LiveTable(adapter, procedure(**limits), **limits)
    table.act("go-on")

    answers = [table.place(f"k{n}", "small", n)["answer"] for n in (49, 50, 1000, 1001)]

    assert answers == ["refused", "accepted", "accepted", "refused"]
    assert table.breaches() == []


def test_a_table_that_closes_pays_first(adapter, procedure):
    table = LiveTable(adapter, procedure())
    table.force(["fish", "prawn", "prawn"])
    table.act("go-on")
    table.place("a", "small")
    table.act("go-on", until="bet-decided")

    table.close()

    assert table.log[-1] == {"event": "pay-prize", "ticket": "a"}
    assert table.breaches() == []


def test_a_table_that_closes_finishes_what_it_began(adapter, procedure):
    table = LiveTable(adapter, procedure())
    table.act("go-on", until="press-lever")

    table.close()

    assert table.log[-1]["event"] == "light-sign"


def test_tables_do_not_know_of_each_other(adapter, procedure):
    one, other = (LiveTable(adapter, procedure()) for _ in range(2))
    one.force(["fish"] * 3)
    one.act("go-on")

    assert other.place("a", "small")["answer"] == "refused"
    assert one.place("a", "small")["answer"] == "accepted"
    one.close()
    assert adapter.ask("table.act", table=one.name, act={"act": "go-on"}) == -32003
    assert names(other.act("go-on")) == OPENING


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (None, -32602),
        ({"act": "dance"}, -32602),
        ({"act": "constructor"}, -32602),
        ({"act": "go-on", "until": 7}, -32602),
        ({"act": "go-on", "soon": True}, -32602),
        ({"act": "withdraw-bet"}, -32602),
        ({"act": "withdraw-bet", "ticket": "nobody's"}, -32602),
        ({"act": "place-bet", "ticket": 7, "player": "p", "bet": "big", "stake": 1}, -32602),
        ({"act": "place-bet", "ticket": "a", "player": "p", "bet": "big", "hat": 1}, -32602),
        ({"act": "force", "outcome": {"dice": ["fish"]}}, -32602),
        ({"act": "force"}, -32602),
    ],
)
def test_an_act_that_cannot_be_is_an_error(adapter, procedure, act, code):
    table = LiveTable(adapter, procedure())
    table.act("go-on")

    assert adapter.ask("table.act", table=table.name, act=act) == code


def test_a_ticket_or_a_table_is_not_taken_twice(table, adapter):
    table.act("go-on")
    table.place("a", "small")
    act = {"act": "place-bet", "ticket": "a", "player": "p", "bet": "big", "stake": 1}

    assert adapter.ask("table.act", table=table.name, act=act) == -32602
    assert adapter.ask("table.open", table=table.name, game=GAME, options={}) == -32602
    assert adapter.ask("table.close", table="nowhere") == -32003
    assert adapter.ask("table.open", table="", game=GAME, options={}) == -32602
    assert adapter.ask("table.open", table="other", game="bacara", options={}) == -32001


#: What a random player and a random croupier do, the likelier the more often it stands here.
MOVES = [*["go-on"] * 3, "until", *["place-bet"] * 4, *["change"] * 4]
STEPS = [*OPENING, "ring-bell", "put-out-sign", "lift-cover", "declare-void", "pay-prize"]


def play(table, chance, tickets):
    """Make one random act; return what the law says of it and what was answered, if it is one."""
    move = chance.choice(MOVES)
    if move not in {"go-on", "until"}:
        return ask_for(table, chance, tickets, move)
    # Every throw is chosen, so that the same seed plays the same game.
    table.force(chance.choice(THROWS), chance.choice([FLAT, FLAT, ["flat", "stacked", "flat"]]))
    table.act("go-on", **({"until": chance.choice(STEPS)} if move == "until" else {}))
    return None


def ask_for(table, chance, tickets, move):
    if move == "place-bet":
        spot = chance.choice([*SPOTS, {"bet": "pair-of-figures"}])
        act = {"ticket": f"k{len(table.log)}", "player": "p", "stake": 100, **spot}
    else:
        lying = tickets()
        if not lying:
            return None
        move = chance.choice(["withdraw-bet", "lower-stake", "raise-stake", "move-stake"])
        act = {"ticket": chance.choice(lying)}
    event = {"event": move, **{name: act[name] for name in act if name != "choice"}}
    required = table.procedure.rule_on_act(table.log, event)
    return required, table.act(move, **act)["answer"]


def bets_on(log):
    """Return the tickets that lie on the table by a log."""
    tickets = []
    for one in log:
        if one.get("answer") == "accepted" and one["event"] == "place-bet":
            tickets.append(one["ticket"])
        elif one["event"] == "bet-decided" or (
            one["event"] == "withdraw-bet" and one["answer"] == "accepted"
        ):
            tickets.remove(one["ticket"])
    return tickets


@pytest.mark.parametrize(
    ("seed", "acts"),
    [(1, 60), *(pytest.param(seed, 120, marks=pytest.mark.full) for seed in range(3, 9))],
)
def test_whatever_is_asked_no_step_of_the_law_is_broken(adapter, procedure, seed, acts):
    chance = random.Random(seed)  # noqa: S311 - chooses acts, guards nothing
    table = LiveTable(adapter, procedure())
    asked = Counter()

    for _ in range(acts):
        made = play(table, chance, lambda: bets_on(table.log))
        if made:
            asked[made] += 1
    table.close()

    assert table.breaches() == []
    assert not asked[ActRuling.ACCEPT, "refused"]
    assert not asked[ActRuling.REFUSE, "accepted"]
    assert asked[ActRuling.ACCEPT, "accepted"]
    assert asked[ActRuling.REFUSE, "refused"]
    assert {"declare-void", "bet-decided"} <= {one["event"] for one in table.log}


# Over HTTP.


@pytest.fixture
def served(folder):
    """Start the adapter as a server; stop it unless a test has ended it."""
    adapter = Adapter(folder, "--http", "0")
    said = adapter.process.stderr.readline().decode()
    assert said.startswith("listening on http://127.0.0.1:")
    adapter.port = int(said.rstrip().rstrip("/").rpartition(":")[2])
    yield adapter
    adapter.process.terminate()
    adapter.finish()


def connection(served):
    return contextlib.closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=180))


def post(caller, body, **headers):
    caller.request("POST", "/", body, {"Content-Type": "application/json", **headers})
    answer = caller.getresponse()
    return answer.status, answer.getheader("Content-Type"), answer.read()


def test_http_gives_the_same_answers_as_lines(adapter, served):
    act = {"act": "place-bet", "ticket": "注", "player": "p", "bet": "big", "stake": 9}
    forced = {"act": "force", "outcome": {"dice": ["coin", "crab", "rooster"]}}
    at = {"table": "檯"}
    messages = [
        adapter.request("describe", {}),
        [adapter.request("settle", settle_params({"dice": dice})) for dice in THROWS],
        adapter.request("settle", settle_params({"dice": []})),
        adapter.request("table.open", {**at, "game": GAME, "options": {}}),
        adapter.request("table.act", {**at, "act": forced}),
        adapter.request("table.act", {**at, "act": {"act": "go-on"}}),
        adapter.request("table.act", {**at, "act": act}),
        adapter.request("table.act", {**at, "act": {"act": "go-on"}}),
        adapter.request("table.close", at),
        adapter.request("dance", {}),
        [],
        7,
    ]
    lines = [json.dumps(one, ensure_ascii=False).encode() for one in messages]

    with connection(served) as caller:
        answers = [post(caller, line) for line in [*lines, b"fish", b"\xff"]]

    assert {(status, kind) for status, kind, _ in answers} == {(200, "application/json")}
    assert [json.loads(body) for _, _, body in answers] == [
        adapter.line(line) for line in [*lines, b"fish", b"\xff"]
    ]


@pytest.mark.parametrize(
    ("method", "path", "kind", "status"),
    [
        ("GET", "/", "application/json", 405),
        ("POST", "/other", "application/json", 404),
        ("POST", "/", "text/plain", 415),
        ("POST", "/", "application/json-seq", 415),
        ("POST", "/", "application/json; charset=utf-8", 200),
    ],
)
def test_http_takes_only_posts_of_json(served, method, path, kind, status):
    with connection(served) as caller:
        caller.request(
            method, path, json.dumps(served.request("describe", {})), {"Content-Type": kind}
        )
        assert caller.getresponse().status == status


def test_http_survives_a_caller_that_goes_away(served):
    with connection(served) as caller:
        caller.putrequest("POST", "/")
        caller.putheader("Content-Type", "application/json")
        caller.putheader("Content-Length", "100")
        caller.endheaders(b"{")

    with connection(served) as caller:
        assert post(caller, json.dumps(served.request("describe", {})))[0] == 200


def test_http_ends_after_the_answer_to_end(served):
    with connection(served) as caller, connection(served) as idle:
        post(idle, json.dumps(served.request("describe", {})))
        request = served.request("end", {})

        assert json.loads(post(caller, json.dumps(request))[2])["result"] == {}

        assert served.process.wait(timeout=180) == 0
