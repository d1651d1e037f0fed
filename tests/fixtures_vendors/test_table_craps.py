"""The live table of craps: every throw of it is lawful, and pays what `settle` pays."""

import importlib
import random
import sys

import pytest

from selo.rules.procedure.procedure_rules import ActRuling, compile_procedure
from selo.rules.readings.reading_choice import Readings

GAME = "craps"
LIMITS = {"limits": "declared", "minimum": 100, "maximum": 1000}
LINES = {"pass-line", "come", "dont-pass", "dont-come"}
OTHERS = ["field", "hard-way", "big-7", "eleven", "any-craps"]
#: One throw for each total.
SHOWS = {
    2: [1, 1],
    3: [1, 2],
    4: [1, 3],
    5: [2, 3],
    6: [2, 4],
    7: [3, 4],
    8: [3, 5],
    9: [4, 5],
    10: [4, 6],
    11: [5, 6],
    12: [6, 6],
}
OFF = [0, 4]


@pytest.fixture(scope="module")
def module(root):
    folder = str(root / "fixtures" / "vendors")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("tables.craps")


def repeatable(seed):
    return random.Random(seed)  # noqa: S311 - what happens must be the same in every run


class Play:
    """A table, the log of what happened at it, and the law that watches."""

    def __init__(self, table, procedure):
        self.table, self.procedure = table, procedure
        self.log = list(table.opened())
        self.fields = {one.id: {*one.fields, *one.optional} for one in procedure.file.events}
        self.throws, self.settled, self.bets = [], {}, {}

    def do(self, name, **fields):
        result = self.table.act({"act": name, **fields})
        if name in self.table.ACTS:
            known = {key: value for key, value in fields.items() if key in self.fields[name]}
            self.log.append({"event": name, **known, "answer": result["answer"]})
        self.log += result["events"]
        self.throws += result.get("outcome", {"throws": []})["throws"]
        for one in result.get("settlements", []):
            assert one["ticket"] not in self.settled
            self.settled[one["ticket"]] = one
        return result

    def accepts(self, name, **fields):
        at = len(self.throws)
        accepted = self.do(name, **fields)["answer"] == "accepted"
        if accepted and name == "place-bet":
            self.bets[fields["ticket"]] = fields | {"at": at}
        if accepted and name == "withdraw-bet":
            del self.bets[fields["ticket"]]
        return accepted

    def ask(self, name, **fields):
        """Ask for an act, and hold the answer against the law."""
        known = {key: value for key, value in fields.items() if key in self.fields[name]}
        verdict = self.procedure.rule_on_act(self.log, {"event": name, **known})
        accepted = self.accepts(name, **fields)
        assert verdict is ActRuling.OPEN or accepted is (verdict is ActRuling.ACCEPT), (
            name,
            fields,
        )
        return accepted

    def bet(self, ticket, name, stake=100, player="ana", **fields):
        return self.ask("place-bet", ticket=ticket, player=player, bet=name, stake=stake, **fields)

    def withdraw(self, ticket):
        one = self.bets[ticket]
        return self.ask("withdraw-bet", ticket=ticket, player=one["player"], bet=one["bet"])

    def throw(self, *totals):
        """Throw these totals, one after the other; 0 has a die off the table."""
        self.do("force", outcome={"throws": [SHOWS.get(total, OFF) for total in totals]})
        return [self.do("go-on") for _ in totals][-1]

    def results(self):
        return {ticket: (one["result"], one["prize"]) for ticket, one in self.settled.items()}

    def is_lawful(self):
        return not self.procedure.judge(self.log)

    def is_complete(self):
        return not self.procedure.find_missing(self.log)


@pytest.fixture(scope="module")
def sit(law, module):
    """Open a table, under the law as it is read by default."""
    procedures = {}

    def opened(options=None, seed=1):
        options = options or {}
        if repr(options) not in procedures:
            procedures[repr(options)] = compile_procedure(law, GAME, Readings(law), options)
        return Play(module.Table(options, repeatable(seed)), procedures[repr(options)])

    return opened


def names(result):
    return [event["event"] for event in result["events"]]


def test_a_throw_has_the_steps_of_the_law_in_their_order(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.bet("f", "field", player="rui")

    first = play.throw(6)

    assert first["events"] == [
        {"event": "take-dice", "player": "ana"},
        {"event": "throw-dice", "player": "ana", "by": "player"},
        {"event": "dice-at-rest", "player": "ana", "total": 6, "off_table": False},
        {"event": "bet-decided", "ticket": "f", "player": "rui", "bet": "field"},
        {"event": "collect-stake", "ticket": "f"},
    ]
    assert first["outcome"] == {"throws": [[2, 4]]}


@pytest.mark.parametrize(
    ("name", "totals", "result", "prize"),
    [
        ("pass-line", [7], "win", 100),
        ("pass-line", [11], "win", 100),
        ("pass-line", [2], "lose", 0),
        ("pass-line", [3], "lose", 0),
        ("pass-line", [12], "lose", 0),
        ("pass-line", [6, 5, 6], "win", 100),
        ("pass-line", [6, 5, 7], "lose", 0),
        ("pass-line", [0, 6, 0, 6], "win", 100),
        ("dont-pass", [7], "lose", 0),
        ("dont-pass", [11], "lose", 0),
        ("dont-pass", [2], "win", 100),
        ("dont-pass", [3], "win", 100),
        ("dont-pass", [12], "push", 0),
        ("dont-pass", [6, 5, 6], "lose", 0),
        ("dont-pass", [6, 5, 7], "win", 100),
        ("field", [2], "win", 200),
        ("field", [12], "win", 200),
        ("field", [3], "win", 100),
        ("field", [7], "lose", 0),
        ("big-7", [7], "win", 450),
        ("eleven", [11], "win", 1500),
        ("any-craps", [3], "win", 700),
        ("any-craps", [4, 7], "lose", 0),
    ],
)
def test_every_end_of_a_round_pays_what_the_law_says(sit, name, totals, result, prize):
    play = sit()
    play.bet("a", name)

    play.throw(*totals)

    whole = 100 if result in {"win", "push"} else 0
    assert play.settled["a"] == {
        "ticket": "a",
        "result": result,
        "prize": prize,
        "commission": 0,
        "stake": whole,
    }
    assert play.is_lawful()
    assert play.is_complete()


@pytest.mark.parametrize(
    ("throws", "result", "prize"),
    [
        ([[3, 3]], "win", 900),
        ([[2, 4]], "lose", 0),
        ([[3, 4]], "lose", 0),
        ([[2, 2], [5, 5], [3, 3]], "win", 900),
    ],
)
def test_a_hard_way_stands_until_its_number_or_a_seven(sit, throws, result, prize):
    play = sit()
    play.bet("h", "hard-way", choice=6)
    play.do("force", outcome={"throws": throws})

    for _ in throws:
        assert not play.settled
        play.do("go-on")

    assert play.results() == {"h": (result, prize)}


def test_come_bets_get_their_own_point_and_outlive_the_point_of_the_table(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.throw(6)
    play.bet("c", "come")
    play.bet("d", "dont-come", player="rui")
    early = play.bet("x", "come-additional", 40, to="c")

    marked = play.throw(5)
    play.bet("e", "come-additional", 40, to="c")
    play.bet("g", "dont-come-additional", 60, player="rui", to="d")
    play.throw(6)
    stands = dict(play.results())
    late = play.bet("y", "come-additional", 20, to="c")
    play.throw(5)

    assert not early
    assert names(marked)[2:] == ["set-come-point", "set-come-point"]
    assert stands == {"a": ("win", 100)}
    assert late
    assert play.results() == {
        "a": ("win", 100),
        "c": ("win", 100),
        "d": ("lose", 0),
        "e": ("win", 60),
        "g": ("lose", 0),
        "y": ("win", 30),
    }
    assert play.is_lawful()


def test_additional_gains_stop_at_the_initial_stake(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.throw(4)
    play.bet("b", "pass-line-additional", 40, to="a")
    play.bet("c", "pass-line-additional", 40, to="a")

    play.throw(4)

    assert play.results() == {"a": ("win", 100), "b": ("win", 80), "c": ("win", 20)}


def test_additional_bets_need_a_point_and_a_bet_of_the_same_player(sit):
    play = sit()
    play.bet("a", "pass-line")
    before = play.bet("x", "pass-line-additional", 50, to="a")
    play.throw(8)
    play.bet("d", "dont-come")

    others = play.bet("y", "pass-line-additional", 50, player="rui", to="a")
    wrong_line = play.bet("z", "dont-pass-additional", 50, to="a")

    assert not before
    assert not others
    assert not wrong_line
    assert play.bet("b", "pass-line-additional", 50, to="a")


def test_line_bets_are_made_before_the_first_throw_and_come_bets_after_it(sit):
    play = sit()

    before = [play.bet("a", name) for name in ("come", "dont-come")]
    play.bet("p", "pass-line")
    play.throw(9)
    after = [play.bet("b", name) for name in ("pass-line", "dont-pass")]

    assert before == [False, False]
    assert after == [False, False]
    assert play.bet("c", "come")
    assert play.bet("d", "dont-come")


@pytest.mark.parametrize("name", ["pass-line", "dont-pass", "hard-way"])
def test_a_bet_may_be_withdrawn_until_it_had_a_throw(sit, name):
    play = sit()
    choice = {"choice": 4} if name == "hard-way" else {}
    play.bet("a", name, **choice)
    play.bet("b", name, **choice)

    before = play.withdraw("a")
    play.throw(6)

    assert before
    assert not play.withdraw("b")


def test_additional_bets_are_bound_at_once(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.bet("b", "dont-pass")
    play.throw(6)
    play.bet("c", "pass-line-additional", 50, to="a")
    play.bet("d", "dont-pass-additional", 50, to="b")

    assert not play.withdraw("c")
    assert not play.withdraw("d")


def test_nobody_withdraws_the_bet_of_another(sit):
    play = sit()
    play.bet("a", "field")

    assert not play.ask("withdraw-bet", ticket="a", player="rui", bet="field")
    assert not play.ask("withdraw-bet", ticket="a", player="ana", bet="eleven")
    assert play.withdraw("a")


def test_no_bet_is_taken_while_the_dice_roll(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.do("go-on", until="throw-dice")

    assert not play.bet("b", "field")
    assert not play.withdraw("a")
    play.do("go-on")
    assert play.bet("c", "field")


def test_an_invalid_throw_is_repeated_with_the_same_bets_by_the_same_player(sit):
    play = sit()
    play.bet("a", "field")
    play.bet("r", "field", player="rui")

    invalid = play.throw(0)
    play.do("happen", event={"event": "take-dice", "player": "rui"})

    assert names(invalid) == ["take-dice", "throw-dice", "dice-at-rest"]
    assert invalid["events"][-1]["off_table"] is True
    assert not play.bet("b", "field")
    assert not play.withdraw("a")
    assert not play.is_complete()
    again = play.throw(11)
    assert again["events"][0] == {"event": "throw-dice", "player": "ana", "by": "player"}
    assert play.results() == {"a": ("win", 100), "r": ("win", 100)}
    assert play.is_lawful()
    assert play.is_complete()


def test_a_bet_made_before_the_dice_are_thrown_counts(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.do("force", outcome={"throws": [SHOWS[11]]})
    play.do("go-on", until="take-dice")

    play.bet("b", "eleven", player="rui")
    play.do("go-on")

    assert play.results() == {"a": ("win", 100), "b": ("win", 1500)}


def test_a_bet_made_before_the_last_throw_is_settled_waits_for_the_next(sit):
    play = sit()
    play.bet("a", "field")
    play.do("force", outcome={"throws": [SHOWS[9], SHOWS[2]]})
    play.do("go-on", until="dice-at-rest")

    play.bet("b", "field")
    play.do("go-on")
    first = dict(play.results())
    play.do("go-on")

    assert first == {"a": ("win", 100)}
    assert play.results()["b"] == ("win", 200)
    assert play.is_lawful()


def test_nothing_is_added_to_a_come_bet_that_the_dice_have_decided(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.throw(6)
    play.bet("c", "come")
    play.throw(5)
    play.do("force", outcome={"throws": [SHOWS[5]]})
    play.do("go-on", until="dice-at-rest")

    assert not play.bet("x", "come-additional", 50, to="c")


def test_one_player_throws_until_the_point_is_decided(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.throw(6)

    staged = play.do("happen", event={"event": "take-dice", "player": "rui"})
    during = play.throw(5)
    play.throw(6)
    after = play.throw(7)

    assert (staged["answer"], staged["events"]) == ("accepted", [])
    assert during["events"][0]["player"] == "ana"
    assert after["events"][:2] == [
        {"event": "take-dice", "player": "rui"},
        {"event": "throw-dice", "player": "rui", "by": "player"},
    ]
    assert play.is_lawful()


def test_the_dice_pass_on_after_a_lost_point_and_only_then(sit):
    play = sit()
    play.bet("a", "hard-way", choice=4)
    play.bet("b", "hard-way", choice=4, player="rui")

    play.throw(6, 6)
    made = play.throw(7)
    play.throw(6, 7)
    lost = play.throw(11)

    assert made["events"][0] == {"event": "throw-dice", "player": "ana", "by": "player"}
    assert lost["events"][0] == {"event": "take-dice", "player": "rui"}
    assert play.is_lawful()


def test_a_player_may_take_the_dice_before_anybody_bets(sit):
    play = sit()

    waits = play.do("go-on")
    taken = play.do("happen", event={"event": "take-dice", "player": "eva"})
    thrown = play.throw(11)

    assert waits == {"answer": "accepted", "events": []}
    assert taken["events"] == [{"event": "take-dice", "player": "eva"}]
    assert names(thrown) == ["throw-dice", "dice-at-rest"]


@pytest.mark.parametrize(
    "fields",
    [
        {"bet": "place-six"},
        {"bet": "hard-way"},
        {"bet": "hard-way", "choice": 12},
        {"bet": "field", "choice": 4},
        {"bet": "field", "to": "a"},
        {"bet": "field", "stake": 0},
        {"bet": "field", "stake": "100"},
        {"bet": None},
        {"bet": "pass-line-additional"},
        {"bet": "pass-line-additional", "to": "never"},
        {"bet": "pass-line-additional", "to": 0},
    ],
)
def test_what_is_no_bet_is_refused(sit, fields):
    play = sit()
    asked = {"ticket": "a", "player": "ana", "stake": 100} | fields

    assert not play.accepts("place-bet", **asked)


@pytest.mark.parametrize(("stake", "accepted"), [(99, 0), (100, 1), (1000, 1), (1001, 0)])
def test_declared_limits_are_kept(sit, stake, accepted):
    play = sit(LIMITS)

    assert play.bet("a", "pass-line", stake) == accepted


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"act": "lower-stake", "ticket": "a"}, -32602),
        ({"act": "place-bet", "ticket": "a", "player": "ana", "bet": "field"}, -32602),
        ({"act": "withdraw-bet", "ticket": "n", "player": "ana", "bet": "field"}, -32602),
        ({"act": "happen", "event": {"event": "take-dice"}}, -32602),
        ({"act": "force", "outcome": {"dice": [1, 2]}}, -32602),
        ({"act": "force", "outcome": {"throws": [[1, 7]]}}, -32002),
        ({"act": "force", "outcome": {"throws": [[1]]}}, -32002),
    ],
)
def test_an_act_that_is_not_written_right_is_an_error(sit, act, code):
    play = sit()

    with pytest.raises(Exception, match=r".") as raised:
        play.table.act(act)

    assert raised.value.code == code


@pytest.mark.parametrize("event", ["throw-dice", "dice-at-rest", "dance"])
def test_what_the_table_does_itself_cannot_be_staged(sit, event):
    play = sit()

    assert play.do("happen", event={"event": event})["answer"] == "refused"


def test_until_an_event_that_does_not_come_is_refused_and_changes_nothing(sit):
    play = sit()
    play.bet("a", "pass-line")
    play.do("force", outcome={"throws": [SHOWS[4], SHOWS[7]]})

    refused = play.do("go-on", until="pay-prize")

    assert (refused["answer"], refused["events"]) == ("refused", [])
    assert play.withdraw("a")
    assert play.do("go-on")["outcome"] == {"throws": [SHOWS[4]]}


def any_bet(chance, play, number):
    """Make up a bet, mostly one that could be taken."""
    player = chance.choice(["ana", "rui", "eva"])
    name = chance.choice([*sorted(LINES), "additional", "additional", *OTHERS])
    fields = {"ticket": f"k{number}", "player": player, "stake": chance.choice([7, 100, 600, 5000])}
    if name == "hard-way":
        fields["choice"] = chance.choice([4, 6, 8, 10])
    if name == "additional":
        lying = [
            ticket
            for ticket, one in play.bets.items()
            if ticket not in play.settled and one["bet"] in LINES
        ]
        to = chance.choice(lying) if lying else None
        if to is None:
            return None
        name = f"{play.bets[to]['bet']}-additional"
        fields["to"] = to
        if chance.random() < 0.8:
            fields["player"] = play.bets[to]["player"]
    return fields | {"bet": name}


def play_at_random(play, chance, acts):
    """Do lawful and unlawful things; judging the log holds every answer against the law."""
    stops = [None] * 6 + [
        "take-dice",
        "throw-dice",
        "dice-at-rest",
        "set-come-point",
        "bet-decided",
    ]
    for number in range(acts):
        doing = chance.choice(["go-on"] * 4 + ["bet"] * 5 + ["withdraw", "off", "take-dice"])
        lying = [ticket for ticket in play.bets if ticket not in play.settled]
        if doing == "go-on":
            until = chance.choice(stops)
            play.do("go-on", **({"until": until} if until else {}))
        elif doing == "off":
            play.do("force", outcome={"throws": [OFF]})
        elif doing == "take-dice":
            player = chance.choice(["ana", "rui", "eva"])
            play.do("happen", event={"event": "take-dice", "player": player})
        elif doing == "bet":
            fields = any_bet(chance, play, number)
            if fields is not None:
                play.accepts("place-bet", **fields)
        elif lying:
            one = play.bets[chance.choice(lying)]
            play.accepts("withdraw-bet", ticket=one["ticket"], player=one["player"], bet=one["bet"])


def settled_again(play, vendor):
    """Settle everything that was bet on everything that was thrown, at once."""
    number = {ticket: index for index, ticket in enumerate(play.bets)}
    cases = []
    for one in play.bets.values():
        case = {key: one[key] for key in ("bet", "stake", "choice", "at") if key in one}
        cases.append(case | ({"to": number[one["to"]]} if "to" in one else {}))
    settlements = vendor.settle({}, {"throws": play.throws}, cases)
    return dict(zip(number, settlements, strict=True))


def check_random_play(play, chance, vendor, acts):
    play_at_random(play, chance, acts)
    if not play.table.players:
        return
    play.do("go-on")
    while not play.table.between_rounds():
        play.do("go-on")

    assert play.is_lawful()
    assert play.is_complete()
    for ticket, settlement in settled_again(play, vendor).items():
        if settlement["result"] == "stands":
            assert ticket not in play.settled
            continue
        told, stake = play.settled[ticket], play.bets[ticket]["stake"]
        assert {key: told[key] for key in settlement} == settlement
        assert told["stake"] == (stake if told["result"] in {"win", "push"} else 0)


@pytest.mark.parametrize("options", [{}, LIMITS], ids=["free", "limits"])
def test_whatever_players_do_the_table_is_lawful_and_pays_what_settle_pays(sit, vendor, options):
    for seed in range(70):
        check_random_play(sit(options, seed), repeatable(seed), vendor(GAME), 24)


@pytest.mark.full
@pytest.mark.parametrize("options", [{}, LIMITS], ids=["free", "limits"])
def test_hundreds_of_long_tables_are_lawful_and_pay_what_settle_pays(sit, vendor, options):
    for seed in range(1000, 1150):
        check_random_play(sit(options, seed), repeatable(seed), vendor(GAME), 120)
