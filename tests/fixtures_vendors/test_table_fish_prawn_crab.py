"""The live table of fish-prawn-crab: every round is lawful, and pays what `settle` pays."""

import importlib
import random
import sys

import pytest

from selo.rules.procedure.procedure_rules import ActRuling, compile_procedure
from selo.rules.readings.reading_choice import Readings

GAME = "fish-prawn-crab"
OPENING = ["cover", "fasten", "press-lever", "press-lever", "press-lever", "light-sign"]
CLOSING = ["ring-bell", "call-open", "put-out-sign", "unfasten", "lift-cover"]
FLAT = ["flat", "flat", "flat"]
STACKED = ["flat", "stacked", "flat"]
LIMITS = {"limits": "declared", "minimum": 100, "maximum": 1000}
CHOICES = {
    "figure": ["fish", "prawn", "gourd", "coin", "crab", "rooster"],
    "three-of-figure": ["fish", "prawn", "gourd", "coin", "crab", "rooster"],
    "one-of-colour": ["red", "green", "blue"],
    "two-of-colour": ["red", "green", "blue"],
    "three-of-colour": ["red", "green", "blue"],
    "number": list(range(4, 18)),
    "small": [],
    "big": [],
    "any-three-of-colour": [],
    "any-three-of-figure": [],
}


@pytest.fixture(scope="module")
def tables(root):
    """Return the module of a live table."""
    folder = str(root / "fixtures" / "vendors")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module("tables")


@pytest.fixture(scope="module")
def module(tables):
    return importlib.import_module(f"{tables.__name__}.fish_prawn_crab")


def repeatable(seed):
    return random.Random(seed)  # noqa: S311 - what happens must be the same in every run


class Play:
    """A table, the log of what happened at it, and the law that watches."""

    def __init__(self, table, procedure):
        self.table, self.procedure = table, procedure
        self.log = list(table.opened())
        self.fields = {one.id: {*one.fields, *one.optional} for one in procedure.file.events}
        self.settled = {}

    def event(self, name, fields):
        """Return an act as a log tells it."""
        known = {key: value for key, value in fields.items() if key in self.fields[name]}
        return {"event": name, **known}

    def do(self, name, **fields):
        result = self.table.act({"act": name, **fields})
        if name in self.table.ACTS:
            self.log.append({**self.event(name, fields), "answer": result["answer"]})
        self.log += result["events"]
        for one in result.get("settlements", []):
            assert one["ticket"] not in self.settled
            self.settled[one["ticket"]] = one
        return result

    def accepts(self, name, **fields):
        return self.do(name, **fields)["answer"] == "accepted"

    def ask(self, name, **fields):
        """Ask for an act, and hold the answer against the law."""
        verdict = self.procedure.rule_on_act(self.log, self.event(name, fields))
        accepted = self.accepts(name, **fields)
        assert verdict is ActRuling.OPEN or accepted is (verdict is ActRuling.ACCEPT), (
            name,
            fields,
        )
        return accepted

    def names(self, result):
        return [event["event"] for event in result["events"]]

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


def bet(ticket, name="small", stake=100, **fields):
    return {"ticket": ticket, "player": "p1", "bet": name, "stake": stake, **fields}


def test_a_round_has_the_steps_of_the_law_in_their_order(sit):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "prawn", "prawn"]})

    opening = play.do("go-on")
    play.ask("place-bet", **bet("a"))
    play.ask("place-bet", **bet("b", "figure", 50, choice="crab"))
    closing = play.do("go-on")

    assert play.names(opening) == OPENING
    assert play.names(closing) == [
        *CLOSING,
        *("announce-result", "light-winning-bets", "bet-decided", "bet-decided"),
        *("collect-stake", "pay-prize"),
    ]
    assert closing["outcome"] == {"dice": ["fish", "prawn", "prawn"], "lying": FLAT}
    assert play.is_lawful()
    assert play.is_complete()


def test_prizes_and_lost_stakes_are_told_with_the_round(sit):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "prawn", "prawn"], "lying": FLAT})
    play.do("go-on")
    play.do("place-bet", **bet("a"))
    play.do("place-bet", **bet("b", "figure", 50, choice="prawn"))
    play.do("place-bet", **bet("c", "number", 10, choice=17))

    settlements = play.do("go-on")["settlements"]

    assert settlements == [
        {"ticket": "a", "result": "win", "prize": 100, "commission": 0, "stake": 100},
        {"ticket": "b", "result": "win", "prize": 100, "commission": 0, "stake": 50},
        {"ticket": "c", "result": "lose", "prize": 0, "commission": 0, "stake": 0},
    ]


def test_a_void_throw_is_repeated_with_the_bets_as_they_lie(sit):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "fish", "fish"], "lying": STACKED})
    play.do("force", outcome={"dice": ["crab", "crab", "rooster"]})
    play.do("go-on")
    play.ask("place-bet", **bet("a"))

    void = play.do("go-on")
    again = play.do("go-on")

    assert play.names(void) == [*CLOSING, "declare-void", *OPENING]
    assert void["outcome"]["lying"] == STACKED
    assert "settlements" not in void
    assert again["settlements"][0]["result"] == "lose"
    assert play.is_lawful()
    assert play.is_complete()


@pytest.mark.parametrize("lying", ["leaning", "leaning-on-glass", "stacked"])
def test_dice_that_are_not_flat_make_a_throw_void(sit, lying):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "fish", "crab"], "lying": ["flat", "flat", lying]})
    play.do("go-on")

    assert "declare-void" in play.names(play.do("go-on"))


@pytest.mark.parametrize("until", ["declare-void", "press-lever", "light-sign"])
def test_bets_of_a_void_throw_cannot_be_taken_back(sit, until):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "fish", "fish"], "lying": STACKED})
    play.do("go-on")
    play.ask("place-bet", **bet("a"))
    play.do("go-on", until=until)

    assert not play.ask("withdraw-bet", ticket="a")
    assert not play.ask("lower-stake", ticket="a", stake=50)
    assert not play.ask("move-stake", ticket="a", bet="big")


def test_bets_made_after_a_void_throw_are_free_until_the_bell(sit):
    play = sit()
    play.do("force", outcome={"dice": ["fish", "fish", "fish"], "lying": STACKED})
    play.do("go-on")
    play.ask("place-bet", **bet("a"))
    play.do("go-on")

    assert play.ask("place-bet", **bet("b"))
    assert play.ask("raise-stake", ticket="a", stake=200)
    assert play.ask("lower-stake", ticket="b", stake=50)
    assert play.ask("withdraw-bet", ticket="b")
    assert play.is_lawful()


@pytest.mark.parametrize(
    "until", ["ring-bell", "call-open", "put-out-sign", "unfasten", "lift-cover"]
)
def test_nothing_changes_on_the_table_after_the_bell(sit, until):
    play = sit()
    play.do("go-on")
    play.ask("place-bet", **bet("a"))
    play.do("go-on", until=until)

    assert not play.ask("place-bet", **bet("late"))
    assert not play.ask("withdraw-bet", ticket="a")
    assert not play.ask("lower-stake", ticket="a", stake=50)
    assert not play.ask("raise-stake", ticket="a", stake=150)
    assert not play.ask("move-stake", ticket="a", bet="big")
    play.do("go-on")
    assert list(play.settled) == ["a"]
    assert play.is_lawful()
    assert play.is_complete()


@pytest.mark.parametrize("until", ["cover", "fasten", "press-lever"])
def test_no_bet_is_taken_before_the_sign(sit, until):
    play = sit()
    refused_before = not play.ask("place-bet", **bet("a"))
    play.do("go-on", until=until)

    assert refused_before
    assert not play.ask("place-bet", **bet("b"))


def test_a_changed_bet_is_settled_as_it_was_changed(sit):
    play = sit()
    play.do("force", outcome={"dice": ["crab", "crab", "rooster"]})
    play.do("go-on")
    for ticket in "abcd":
        play.do("place-bet", **bet(ticket))

    play.ask("move-stake", ticket="a", bet="big")
    play.ask("move-stake", ticket="b", bet="figure", choice="crab")
    play.ask("withdraw-bet", ticket="c")
    play.ask("raise-stake", ticket="d", stake=300)
    play.do("go-on")

    assert {ticket: one["prize"] for ticket, one in play.settled.items()} == {
        "a": 100,
        "b": 200,
        "d": 0,
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"bet": "pair-of-figures"},
        {"bet": "figure", "choice": "dragon"},
        {"bet": "figure"},
        {"bet": "number", "choice": 18},
        {"bet": "small", "choice": "fish"},
        {"bet": "small", "stake": 0},
        {"bet": "small", "stake": 1.5},
        {"bet": "small", "stake": True},
        {"bet": ["small"]},
    ],
)
def test_what_is_no_bet_is_refused(sit, fields):
    play = sit()
    play.do("go-on")

    assert not play.accepts("place-bet", **bet("a") | fields)


@pytest.mark.parametrize(("stake", "accepted"), [(99, 0), (100, 1), (1000, 1), (1001, 0)])
def test_declared_limits_are_kept(sit, stake, accepted):
    play = sit(LIMITS)
    play.do("go-on")

    assert play.ask("place-bet", **bet("a", stake=stake)) == accepted


def test_a_stake_cannot_be_raised_over_the_declared_limit(sit):
    play = sit(LIMITS)
    play.do("go-on")
    play.ask("place-bet", **bet("a", stake=900))

    assert play.ask("raise-stake", ticket="a", stake=1000)
    assert not play.ask("raise-stake", ticket="a", stake=1001)


def test_two_rounds_in_a_row_are_lawful_and_a_bet_counts_for_one(sit):
    play = sit()
    for ticket in "ab":
        play.do("go-on")
        play.ask("place-bet", **bet(ticket))
        play.do("go-on")

    assert list(play.settled) == ["a", "b"]
    assert not play.accepts("withdraw-bet", ticket="a")
    assert play.is_lawful()
    assert play.is_complete()


def test_what_cannot_come_in_this_round_is_refused_and_changes_nothing(sit):
    play = sit()
    play.do("force", outcome={"dice": ["crab", "crab", "rooster"]})
    play.do("go-on")
    play.ask("place-bet", **bet("a", "big"))

    refused = play.do("go-on", until="declare-void")

    assert (refused["answer"], refused["events"]) == ("refused", [])
    assert play.ask("withdraw-bet", ticket="a")
    assert play.do("go-on")["outcome"]["dice"] == ["crab", "crab", "rooster"]


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"act": "dance"}, -32602),
        ({"act": "place-bet", "ticket": "a"}, -32602),
        ({"act": "withdraw-bet", "ticket": "never"}, -32602),
        ({"act": "go-on", "fast": True}, -32602),
        ({"act": "force", "outcome": {"dice": ["fish"] * 3, "wind": 1}}, -32602),
        ({"act": "force", "outcome": {"dice": ["fish"] * 2}}, -32002),
        ({"act": "force", "outcome": {"dice": ["fish", "fish", "dragon"]}}, -32002),
        ("go-on", -32602),
    ],
)
def test_an_act_that_is_not_written_right_is_an_error(sit, act, code):
    play = sit()

    with pytest.raises(Exception, match=r".") as raised:
        play.table.act(act)

    assert raised.value.code == code


def any_bet(chance, ticket):
    name = chance.choice([*CHOICES, "pair-of-figures"])
    fields = bet(ticket, name, chance.choice([1, 50, 100, 1000, 5000]))
    if CHOICES.get(name):
        fields["choice"] = chance.choice(CHOICES[name])
    return fields


DOINGS = [
    *("go-on", "force", "place-bet", "place-bet"),
    *("withdraw-bet", "move", "raise-stake", "lower-stake"),
]


def play_at_random(play, chance, acts):
    """Do lawful and unlawful things in any order, and return the bets that were taken.

    Judging the log holds every answer against the law, so no answer is looked at here.
    """
    bets, stops = {}, [None, None, None, *OPENING, *CLOSING, "declare-void", "bet-decided"]
    for number in range(acts):
        doing = chance.choice(DOINGS)
        lying = [ticket for ticket in bets if ticket not in play.settled]
        if doing == "go-on":
            until = chance.choice(stops)
            play.do("go-on", **({"until": until} if until else {}))
        elif doing == "force":
            ways = [chance.choice([*FLAT, "stacked", "leaning"]) for _ in range(3)]
            dice = [chance.choice(CHOICES["figure"]) for _ in range(3)]
            play.do("force", outcome={"dice": dice, "lying": ways})
        elif doing == "place-bet":
            fields = any_bet(chance, f"k{number}")
            if play.accepts("place-bet", **fields):
                bets[f"k{number}"] = fields
        elif lying:
            change_at_random(play, chance, bets, doing, chance.choice(lying))
    return bets


def change_at_random(play, chance, bets, doing, ticket):
    if doing == "withdraw-bet" and play.accepts("withdraw-bet", ticket=ticket):
        del bets[ticket]
    elif doing == "move" and play.accepts("move-stake", ticket=ticket, bet="big"):
        bets[ticket] = bet(ticket, "big", bets[ticket]["stake"])
    elif doing in {"raise-stake", "lower-stake"}:
        stake = chance.choice([1, 50, 100, 1000, 5000])
        if play.accepts(doing, ticket=ticket, stake=stake):
            bets[ticket]["stake"] = stake


def money_of(log, bets, vendor):
    """Settle each round of a log again, from the dice that it shows."""
    expected, dice = {}, None
    for event in log:
        if event["event"] == "lift-cover":
            dice = {"dice": event["dice"], "lying": event["lying"]}
        elif event["event"] == "bet-decided":
            one = bets[event["ticket"]]
            case = {key: one[key] for key in ("bet", "stake", "choice") if key in one}
            [expected[event["ticket"]]] = vendor.settle({}, dice, [case])
    return expected


def check_random_play(play, chance, vendor, acts):
    bets = play_at_random(play, chance, acts)
    while not play.table.between_rounds():
        play.do("go-on")

    assert play.is_lawful()
    assert play.is_complete()
    assert play.settled.keys() == bets.keys()
    for ticket, settlement in money_of(play.log, bets, vendor).items():
        told = play.settled[ticket]
        assert {key: told[key] for key in settlement} == settlement
        assert told["stake"] == (bets[ticket]["stake"] if told["result"] == "win" else 0)


@pytest.mark.parametrize("options", [{}, LIMITS], ids=["free", "limits"])
def test_whatever_players_do_the_table_is_lawful_and_pays_what_settle_pays(sit, vendor, options):
    for seed in range(70):
        check_random_play(sit(options, seed), repeatable(seed), vendor(GAME), 25)


@pytest.mark.full
@pytest.mark.parametrize("options", [{}, LIMITS], ids=["free", "limits"])
def test_hundreds_of_long_tables_are_lawful_and_pay_what_settle_pays(sit, vendor, options):
    for seed in range(1000, 1250):
        check_random_play(sit(options, seed), repeatable(seed), vendor(GAME), 80)
