"""The adapter in Java against the rules of Despacho 78/2008: bets, hands, live rounds, protocol."""

import hashlib
import json
import random
import shutil
import subprocess
from collections import Counter
from itertools import combinations, combinations_with_replacement, count

import msgspec
import pytest
from tests.tools import needs

from selo.examine.findings.declaration_findings import judge_declarations
from selo.protocol.messages import RESULTS, Description
from selo.protocol.schema.game_schema import game_words
from selo.rules.declarations.declaration_models import RequirementStatus
from selo.rules.procedure.procedure_rules import compile_procedure
from selo.rules.readings.reading_choice import Readings
from selo.rules.settlement.game_compiler import compile_game

GAME = "fortune-three-card-poker"
FLAGS = ["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"]
BATCH = 256
LARGEST = 2**53 - 1

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
HANDS = [list(hand) for hand in combinations(PACK, 3)]
#: Every kind of hand from both ends, and odd cards on both sides of the queen (9/5).
KINDS = [
    hand.split()
    for hand in (
        "AS KS QS", "KH QH JH", "3D 2D AD", "AS AH AD", "2H 2D 2C", "AC KD QH", "KS QD JC",
        "3C 2D AH", "AC KC JC", "5H 3H 2H", "AH AC KS", "2S 2H 3D", "AS KD JH", "QD JS 9C",
        "QC 3S 2D", "JC 10D 8H", "5C 3H 2D",
    )
]  # fmt: skip
#: Played, folded, Pair Plus alone, a raise that is not equal, a raise without an ante.
WAYS = [
    [("ante", 7), ("raise", 7), ("pair-plus", 5)],
    [("ante", 7), ("pair-plus", 7)],
    [("pair-plus", 3)],
    [("ante", 7), ("raise", 8), ("pair-plus", 8)],
    [("raise", 7), ("pair-plus", 7)],
]
#: What goes back of a stake, by what became of the bet; a void bet is given back (11/1).
GOES_BACK = {"win", "push", "refused", "void"}

pytestmark = needs("java", "javac")


class Adapter:
    """The adapter as a process."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            ["java", *FLAGS, "-cp", "build", "Main"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._ids = count(1)

    def send(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def line(self, line):
        """Return the answer to a line of bytes."""
        self.send(line + b"\n")
        return json.loads(self.process.stdout.readline())

    def request(self, method, params):
        return {"jsonrpc": "2.0", "id": f"r{next(self._ids)}", "method": method, "params": params}

    def ask(self, method, **params):
        """Return a result that has the shape of its method."""
        asked = self.request(method, params)
        answer = self.line(json.dumps(asked).encode())
        assert answer["jsonrpc"] == "2.0"
        assert answer["id"] == asked["id"]
        assert "error" not in answer, answer
        msgspec.convert(answer["result"], RESULTS[method], strict=True)
        return answer["result"]

    def refusal(self, method, **params):
        """Return the code with which something is refused."""
        return self.line(json.dumps(self.request(method, params)).encode())["error"]["code"]

    def batch(self, method, every):
        """Return the results of many requests, asked in batches."""
        found = []
        for start in range(0, len(every), BATCH):
            asked = [self.request(method, params) for params in every[start : start + BATCH]]
            answers = self.line(json.dumps(asked).encode())
            by_id = {answer["id"]: answer["result"] for answer in answers}
            assert len(answers) == len(asked) == len(by_id)
            found += [by_id[one["id"]] for one in asked]
        return found

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(180)
        self.process.stdout.close()
        return code


@pytest.fixture(scope="session")
def folder(adapter_java, tmp_path_factory):
    """Return a folder in which the adapter was built."""
    folder = tmp_path_factory.mktemp("java")
    shutil.copytree(adapter_java, folder / "build")
    return folder


@pytest.fixture(scope="module")
def adapter(folder):
    one = Adapter(folder)
    yield one
    assert one.end() == 0


@pytest.fixture(scope="module")
def oracle(law):
    return compile_game(law, GAME, Readings(law, {}))


@pytest.fixture(scope="module")
def classes(oracle):
    """Return one hand of each class of hands that are worth the same, the highest first."""
    mixed = [
        [rank + suit for rank, suit in zip(ranks, "SHD", strict=True)]
        for ranks in combinations_with_replacement(RANKS, 3)
    ]
    suited = [[rank + "S" for rank in ranks] for ranks in combinations(RANKS, 3)]
    return sorted([*mixed, *suited], key=oracle.order)


def elsewhere(hand, other):
    """Return `hand` in other suits, so that both can come from one pack, or nothing."""
    for suits in ("SHDC", "HDCS", "DCSH", "CSHD"):
        moved = [card[:-1] + suits["SHDC".index(card[-1])] for card in hand]
        if not set(moved) & set(other):
            return moved
    return None


def bets_at(place, way):
    return [{"bet": name, "place": place, "stake": stake} for name, stake in way]


def case(croupier, hand, way):
    outcome = {"croupier": croupier, "places": {"1": hand}}
    return {"game": GAME, "options": {}, "outcome": outcome, "bets": bets_at("1", way)}


def expected(oracle, params):
    """Return what the oracle says, with what the protocol says goes back of each stake."""
    settled = oracle.settle_plain({}, params["outcome"], params["bets"])
    return [
        {**one, "stake": bet["stake"] if one["result"] in GOES_BACK else 0}
        for one, bet in zip(settled, params["bets"], strict=True)
    ]


def disagreements(adapter, oracle, cases):
    answers = adapter.batch("settle", cases)
    return [
        (params, answer["settlements"])
        for params, answer in zip(cases, answers, strict=True)
        if answer["settlements"] != expected(oracle, params)
    ]


# Bets and hands.


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(KINDS[11:16:2], id="a low pair, jack and queen high"),
        pytest.param(KINDS, id="all kinds", marks=pytest.mark.full),
    ],
)
def test_every_class_of_hands_settles_as_the_law_says(adapter, oracle, classes, kinds):
    pairs = [
        (hand, other) for hand in classes for kind in kinds if (other := elsewhere(kind, hand))
    ]
    cases = [case(other, hand, way) for hand, other in pairs for way in WAYS]
    cases += [case(hand, other, WAYS[0]) for hand, other in pairs]

    # 12 sequences twice, 13 trios, 274 x 2 of three ranks, 13 x 12 pairs: no two alike.
    assert len({oracle.order(hand) for hand in classes}) == len(classes) == 741
    assert len(cases) > 13_000
    assert disagreements(adapter, oracle, cases) == []


def test_hands_beside_each_other_in_order_settle_and_compare_as_the_law_says(
    adapter, oracle, classes
):
    pairs = [
        (hand, other)
        for at, hand in enumerate(classes)
        for near in classes[at : at + 2]
        if (other := elsewhere(near, hand))
    ]
    cases = [case(b, a, WAYS[0]) for a, b in pairs] + [case(a, b, WAYS[0]) for a, b in pairs]
    asked = [{"game": GAME, "a": a, "b": b} for a, b in pairs]
    asked += [{"game": GAME, "a": b, "b": a} for a, b in pairs]

    orders = [result["order"] for result in adapter.batch("compare", asked)]

    assert disagreements(adapter, oracle, cases) == []
    assert orders == [oracle.compare(one["a"], one["b"]) for one in asked]
    assert set(orders) == {"higher", "lower", "equal"}


@pytest.mark.parametrize(
    "step",
    [pytest.param(5, id="4420"), pytest.param(1, id="all 22100", marks=pytest.mark.full)],
)
def test_pair_plus_pays_every_hand_as_the_law_says(adapter, oracle, step):
    cases = [case(elsewhere(KINDS[-1], hand), hand, WAYS[2]) for hand in HANDS[::step]]
    answers = adapter.batch("settle", cases)

    assert [one["settlements"] for one in answers] == [expected(oracle, one) for one in cases]
    if step == 1:
        # Counted by hand: 48 suited sequences, 52 trios, 720 sequences, 1096 flushes, 3744 pairs.
        paid = Counter(one["settlements"][0]["prize"] // 3 for one in answers)
        assert paid == {40: 48, 25: 52, 5: 720, 4: 1096, 1: 3744, 0: 16440}


def _table(chance):
    """Return a whole table: now and then a misdeal, a strange bet or an empty place."""
    dealt = iter(chance.sample(PACK, 52))
    sizes = chance.choices([3, 0, 1, 2, 4], weights=[96, 1, 1, 1, 1], k=chance.randint(1, 8))
    hands = [[next(dealt) for _ in range(size)] for size in sizes]
    places = {str(number): hand for number, hand in enumerate(hands[1:], 1)}
    bets = []
    for place in dict.fromkeys([*places, "7"]):
        stake = chance.choice([1, 50, 10**14 + 19])
        for name in ("ante", "raise", "pair-plus", "blind"):
            if chance.random() < (0.05 if name == "blind" else 0.7):
                own = stake if chance.random() < 0.9 else chance.choice([0, 1, 2, 50])
                bets.append({"bet": name, "place": place, "stake": own})
    chance.shuffle(bets)
    outcome = {"croupier": hands[0], "places": places}
    return {"game": GAME, "options": {}, "outcome": outcome, "bets": bets}


@pytest.mark.parametrize(
    "tables", [pytest.param(1_000), pytest.param(10_000, marks=pytest.mark.full)]
)
def test_whole_tables_settle_as_the_law_says(adapter, oracle, tables):
    chance = random.Random(782008)  # noqa: S311 - a repeatable draw, nothing secret
    cases = [_table(chance) for _ in range(tables)]

    assert disagreements(adapter, oracle, cases) == []
    results = {one["result"] for params in cases for one in expected(oracle, params)}
    assert results == {"win", "lose", "push", "stands", "void", "refused"}


@pytest.mark.parametrize("stake", [0, -5, 1.5, 100.0, "100", None, True, [1]])
def test_a_stake_that_is_no_positive_whole_number_is_refused(adapter, stake):
    params = case(KINDS[0], KINDS[4], [("ante", stake)])

    assert adapter.ask("settle", **params)["settlements"] == [
        {"result": "refused", "prize": 0, "commission": 0, "stake": 0}
    ]


def test_the_highest_stake_is_paid_exactly(adapter):
    stake = LARGEST // 40
    params = case(["QH", "7S", "2D"], ["AS", "KS", "QS"], [("pair-plus", stake)])

    (settled,) = adapter.ask("settle", **params)["settlements"]

    assert settled == {"result": "win", "prize": stake * 40, "commission": 0, "stake": stake}


@pytest.mark.parametrize("stake", [LARGEST // 40 + 1, LARGEST, LARGEST + 1, 2**63, 10**30])
def test_an_amount_that_cannot_be_told_is_never_told_wrongly(adapter, stake):
    params = case(["QH", "7S", "2D"], ["AS", "KS", "QS"], [("pair-plus", stake)])
    answer = adapter.line(json.dumps(adapter.request("settle", params)).encode())

    if stake <= 2**62:
        assert answer["error"]["code"] == -32602
    else:
        assert answer["result"]["settlements"][0]["result"] == "refused"


def test_draws_are_hands_of_one_pack_and_no_two_draws_are_alike(adapter):
    outcomes = adapter.ask("draw", game=GAME, options={}, count=10_000)["outcomes"]
    dealt = [one["croupier"] + one["places"]["1"] for one in outcomes]
    seen = Counter(card for cards in dealt for card in cards)

    assert all(len(set(cards)) == 6 for cards in dealt)
    assert all(one.keys() == {"croupier", "places"} for one in outcomes)
    assert seen.keys() == set(PACK)
    # 60 000 cards, about 1154 of each; six standard deviations are about 200.
    assert all(abs(times - 60_000 / 52) < 200 for times in seen.values())
    assert outcomes[:9] != adapter.ask("draw", game=GAME, options={}, count=9)["outcomes"]


# Live rounds.


class Live:
    """A live table that keeps its log and knows which bets lie on it."""

    _names = count(1)

    def __init__(self, adapter, **options):
        self.adapter, self.options = adapter, options
        self.table = f"table {next(self._names)}"
        self.log, self.bets, self.settled = [], {}, {}
        self.outcomes = []
        self._see(adapter.ask("table.open", table=self.table, game=GAME, options=options))

    def _see(self, answer):
        self.log += answer["events"]
        if answer.get("outcome"):
            self.outcomes.append(answer["outcome"])
        for one in answer.get("settlements", []):
            ticket = one.pop("ticket")
            assert ticket not in self.settled
            self.settled[ticket] = one

    def act(self, name, **fields):
        """Do something and say whether it was accepted."""
        answer = self.adapter.ask("table.act", table=self.table, act={"act": name, **fields})
        if name not in {"go-on", "happen", "force"}:
            kept = {key: value for key, value in fields.items() if key != "ticket"}
            logged = fields if name == "place-bet" else kept
            self.log.append({"event": name, **logged, "answer": answer["answer"]})
        self._see(answer)
        if answer["answer"] == "refused":
            assert answer["events"] == []
            assert answer["reason"]
            return False
        if name in {"place-bet", "raise"}:
            bet = {"bet": fields.get("bet", "raise"), **fields}
            self.bets[fields["ticket"]] = {key: bet[key] for key in ("bet", "place", "stake")}
        return True

    def bet(self, ticket, player, place, bet, stake):
        return self.act(
            "place-bet", ticket=ticket, player=player, place=place, bet=bet, stake=stake
        )

    def happen(self, name, **fields):
        return self.act("happen", event={"event": name, **fields})

    def names(self):
        return [event["event"] for event in self.log]

    def breaches(self, law):
        judge = compile_procedure(law, GAME, Readings(law, {}), self.options)
        found = [*judge.judge(self.log), *judge.find_missing(self.log)]
        return [(one.index, one.constraint.key if one.constraint else one.cause) for one in found]

    def is_paid_as(self, oracle):
        """Say whether the one outcome of the round gives what was settled."""
        (outcome,) = self.outcomes
        params = {"outcome": outcome, "bets": list(self.bets.values())}
        told = dict(zip(self.bets, expected(oracle, params), strict=True))
        return told == self.settled


def seated(adapter, **options):
    live = Live(adapter, **options)
    assert live.happen("take-place", player="ana", place="1")
    assert live.happen("take-place", player="rui", place="2")
    assert live.act("go-on")
    return live


def with_bets(adapter, **options):
    live = seated(adapter, **options)
    assert live.bet("a", "ana", "1", "ante", 100)
    assert live.bet("b", "ana", "1", "pair-plus", 50)
    assert live.bet("c", "rui", "2", "ante", 200)
    return live


@pytest.fixture(params=["by-hand", "by-machine"])
def shuffling(request):
    return request.param


def test_a_round_with_a_raise_and_a_fold_breaks_nothing(adapter, law, oracle, shuffling):
    live = with_bets(adapter, shuffling=shuffling)
    assert live.act("go-on")
    assert "b" in live.settled
    assert live.act("raise", ticket="d", player="ana", place="1", stake=100)
    assert live.act("go-on")
    assert not live.outcomes  # place 2 has not decided, and the round waits
    assert live.act("fold", place="2")
    assert live.act("go-on")

    assert live.names()[-4:] == ["open-croupier-hand", "settle-bet", "settle-bet", "end-round"]
    assert live.is_paid_as(oracle)
    assert live.breaches(law) == []
    dealt = [(one["place"], one["card"]) for one in live.log if one["event"] == "deal-card"]
    by_card = [(place, card) for card in (1, 2, 3) for place in ("1", "2", "croupier")]
    assert dealt == (by_card if shuffling == "by-hand" else sorted(by_card))


def test_where_everybody_folds_the_hand_of_the_croupier_stays_closed(adapter, law, oracle):
    live = with_bets(adapter)
    assert live.act("go-on")
    assert live.act("fold", place="2")
    assert live.act("fold", place="1")
    assert live.act("go-on")

    assert "open-croupier-hand" not in live.names()
    assert live.names().count("collect-cards") == 2
    assert live.settled["a"]["result"] == live.settled["c"]["result"] == "lose"
    assert live.is_paid_as(oracle)
    assert live.breaches(law) == []


def test_pair_plus_alone_needs_no_decision(adapter, law, oracle):
    live = seated(adapter)
    assert live.bet("a", "ana", "1", "pair-plus", 100)
    assert live.act("go-on")

    assert live.names()[-1] == "end-round"
    assert live.is_paid_as(oracle)
    assert live.breaches(law) == []


@pytest.mark.parametrize(
    ("croupier", "hand", "ante", "raised"),
    [
        pytest.param("JH 7S 2D", "5H 3S 2C", (1, 100), (0, 100), id="9/6: jack high"),
        pytest.param("QH 3S 2D", "5H 3C 2C", (0, 0), (0, 0), id="9/7: queen high"),
        pytest.param("2H 2S 3D", "AH KC JC", (0, 0), (0, 0), id="9/5: a low pair plays"),
        pytest.param("QH 3S 2D", "QS 3C 2C", (0, 100), (0, 100), id="8/6: a tie"),
        pytest.param("QH 3S 2D", "AS KS QS", (5, 100), (5, 100), id="9/8/1"),
        pytest.param("QH 3S 2D", "4S 4H 4D", (4, 100), (4, 100), id="9/8/2"),
        pytest.param("QH 3S 2D", "3H 2S AD", (1, 100), (1, 100), id="9/8/3: the lowest"),
        pytest.param("4H 3D 2S", "3H 2C AD", (0, 0), (0, 0), id="4/2: 3-2-A is lower than 4-3-2"),
        pytest.param("KH QH JH", "AS KS QS", (5, 100), (5, 100), id="4/2: A-K-Q is the highest"),
    ],
)
def test_a_forced_outcome_is_shown_and_paid(adapter, croupier, hand, ante, raised):
    live = seated(adapter)
    outcome = {"croupier": croupier.split(), "places": {"1": hand.split()}}
    assert live.act("force", outcome=outcome)
    assert live.bet("a", "ana", "1", "ante", 100)
    assert live.act("go-on")
    assert live.act("raise", ticket="r", player="ana", place="1", stake=100)
    assert live.act("go-on")

    assert live.outcomes == [outcome]
    for ticket, (times, back) in (("a", ante), ("r", raised)):
        one = live.settled[ticket]
        assert (one["prize"], one["stake"]) == (times * 100, back)


def test_a_forced_outcome_counts_for_one_round_only(adapter):
    live = Live(adapter)
    outcome = {"croupier": ["QH", "3S", "2D"], "places": {"1": ["AS", "KS", "QS"]}}
    assert live.act("force", outcome=outcome)
    for ticket in ("a", "b", "c"):
        assert live.act("go-on")
        assert live.bet(ticket, "ana", "1", "pair-plus", 100)
        assert live.act("go-on")

    assert live.outcomes[0] == outcome
    assert live.outcomes[1:] != [outcome, outcome]


def test_forced_outcomes_come_in_the_order_in_which_they_were_forced(adapter):
    live = Live(adapter)
    hands = (["AS", "KS", "QS"], ["2H", "5D", "9C"])
    outcomes = [{"croupier": ["QH", "3S", "2D"], "places": {"1": hand}} for hand in hands]
    for outcome in outcomes:
        assert live.act("force", outcome=outcome)
    for ticket in ("a", "b"):
        assert live.act("go-on")
        assert live.bet(ticket, "ana", "1", "pair-plus", 100)
        assert live.act("go-on")

    assert live.outcomes == outcomes


def test_a_raise_without_a_ticket_is_settled_under_that_of_the_ante(adapter):
    live = with_bets(adapter)
    live.act("go-on")
    answer = adapter.ask(
        "table.act",
        table=live.table,
        act={"act": "raise", "player": "ana", "place": "1", "stake": 100},
    )
    live.act("fold", place="2")
    live.act("go-on")

    assert answer["answer"] == "accepted"
    assert live.settled.keys() == {"a", "b", "c", "a/raise"}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (("z", "rui", "1", "pair-plus", 50), "6/2: the hand is another player's"),
        (("z", "ana", "3", "ante", 50), "6/2: a player bets at one place"),
        (("z", "eva", "8", "ante", 50), "2/1: there are seven places"),
        (("z", "eva", "croupier", "ante", 50), "2/1: the croupier's is no place to bet at"),
        (("z", "eva", "3", "raise", 50), "5/1: a raise is no bet to begin with"),
        (("z", "eva", "3", "ante", 49), "6/1: less than the minimum"),
        (("z", "eva", "3", "ante", 501), "6/1: more than the maximum"),
        (("z", "eva", "3", "ante", 0), "nothing is no stake"),
        (("z", "ana", "1", "ante", 100), "2/2: the space is taken"),
    ],
)
def test_a_bet_that_is_not_lawful_is_refused(adapter, law, fields, why):
    live = with_bets(adapter, limits="declared", minimum=50, maximum=500)

    assert not live.bet(*fields), why
    # The round is not over: what it still lacks is told at the end of the log.
    assert {index for index, _ in live.breaches(law)} <= {len(live.log)}
    assert live.bet("y", "eva", "3", "ante", 500)
    assert live.bet("z", "eva", "3", "pair-plus", 50)


def test_no_bet_is_taken_or_changed_outside_its_time(adapter, law):
    live = Live(adapter)
    assert not live.bet("a", "ana", "1", "ante", 100)  # no round has begun
    assert live.act("go-on")
    assert live.bet("a", "ana", "1", "ante", 100)
    assert live.bet("b", "ana", "1", "pair-plus", 100)
    assert live.act("lower-stake", place="1", bet="ante")
    assert live.act("withdraw-bet", place="1", bet="pair-plus")
    assert live.bet("e", "ana", "1", "pair-plus", 50)
    assert not live.act("raise", player="ana", place="1", stake=100)
    assert live.act("go-on", until="deal-card")
    assert not live.bet("c", "ana", "1", "pair-plus", 100)
    assert not live.act("withdraw-bet", place="1", bet="ante")
    assert not live.act("lower-stake", place="1", bet="ante")
    assert live.act("go-on")
    assert not live.bet("c", "ana", "1", "pair-plus", 100)
    assert live.act("fold", place="1")
    assert live.act("go-on")

    assert live.settled.keys() == {"a", "e"}
    assert live.breaches(law) == []


def test_a_decision_is_made_once_and_in_its_time(adapter, law):
    live = with_bets(adapter)
    assert live.act("go-on", until="deal-card")
    assert not live.act("raise", player="ana", place="1", stake=100)  # no hand is open
    assert not live.act("fold", place="1")
    assert live.act("go-on", until="open-hand")
    assert not live.act("raise", player="ana", place="1", stake=100)  # Pair Plus is not checked
    assert not live.act("fold", place="2")
    assert live.act("go-on", until="check-pair-plus")
    assert not live.act("raise", player="ana", place="1", stake=100)  # and now is not paid
    assert live.act("go-on")
    assert not live.act("raise", player="ana", place="1", stake=99)
    assert not live.act("raise", player="ana", place="1", stake=101)
    assert not live.act("raise", player="eva", place="3", stake=100)  # no ante there
    assert live.act("raise", ticket="r", player="ana", place="1", stake=100)
    assert not live.act("take-back-raise", place="1")
    assert not live.act("fold", place="1")
    assert live.act("fold", place="2")
    assert not live.act("raise", player="rui", place="2", stake=200)
    assert live.act("go-on", until="open-croupier-hand")
    assert not live.act("raise", player="rui", place="2", stake=200)
    assert live.act("go-on")

    assert live.breaches(law) == []


def test_only_what_can_come_next_is_waited_for_and_a_refusal_changes_nothing(adapter):
    live = with_bets(adapter)

    assert not live.act("go-on", until="open-croupier-hand")
    assert not live.act("go-on", until="void-round")
    assert not live.act("go-on", until="no-such-event")
    assert live.bet("d", "rui", "2", "pair-plus", 10)
    assert live.act("go-on", until="settle-pair-plus")
    assert live.log[-1] == {"event": "settle-pair-plus", "place": "1"}
    assert live.settled.keys() == {"b"}
    assert live.act("go-on")
    assert live.settled.keys() == {"b", "d"}


@pytest.mark.parametrize("what", ["order", "number"])
def test_an_irregular_deal_makes_the_round_void(adapter, law, shuffling, what):
    live = with_bets(adapter, shuffling=shuffling)
    assert live.happen("deal-error", what=what)
    assert live.act("go-on")

    assert live.settled == {
        ticket: {"result": "void", "prize": 0, "commission": 0, "stake": stake}
        for ticket, stake in (("a", 100), ("b", 50), ("c", 200))
    }
    assert live.bet("z", "ana", "1", "ante", 100)
    assert live.act("go-on")
    assert live.act("fold", place="1")
    assert live.act("go-on")
    assert live.names().count("start-round") == 1
    assert live.breaches(law) == []


def test_what_touches_neither_order_nor_number_makes_nothing_void(adapter, law):
    live = with_bets(adapter)
    assert live.happen("deal-error", what="other")
    assert live.act("go-on")
    assert live.act("fold", place="1")
    assert live.act("fold", place="2")
    assert live.act("go-on")

    assert "deal-error" in live.names()
    assert "void-round" not in live.names()
    assert live.breaches(law) == []


def test_a_shuffler_that_fails_makes_the_round_void_and_is_replaced(adapter, law):
    live = with_bets(adapter, shuffling="by-machine")
    assert live.happen("shuffler-fails")
    assert live.act("go-on", until="void-round")
    assert live.bet("y", "rui", "2", "pair-plus", 70)  # 11/4: there are new bets at once
    assert live.act("go-on")
    assert live.bet("z", "ana", "1", "ante", 100)
    assert live.act("go-on")
    assert live.act("fold", place="1")
    assert live.act("go-on")

    assert {live.settled[ticket]["result"] for ticket in "abc"} == {"void"}
    assert live.names().index("return-stakes") < live.names().index("replace-shuffler")
    assert live.breaches(law) == []
    assert not with_bets(adapter).happen("shuffler-fails")  # by hand there is none


def test_exposed_and_astray_cards_do_not_stop_the_round(adapter, law, oracle, shuffling):
    live = with_bets(adapter, shuffling=shuffling)
    assert live.happen("expose-card", place="1")
    assert live.happen("expose-card", place="croupier")
    assert live.happen("deal-card", place="3")
    assert live.act("go-on")
    assert live.act("raise", ticket="r", player="ana", place="1", stake=100)
    assert live.act("fold", place="2")
    assert live.act("go-on")

    at = live.names().index
    assert live.log[at("declare-hand-null")] == {"event": "declare-hand-null", "place": "3"}
    assert live.log[at("set-card-aside")] == {"event": "set-card-aside", "face": "up"}
    assert live.is_paid_as(oracle)
    assert live.breaches(law) == []


def test_people_come_and_go(adapter):
    live = with_bets(adapter)

    assert not live.happen("take-place", player="eva", place="1")
    assert not live.happen("take-place", player="ana", place="3")
    assert not live.happen("leave-place", player="ana", place="1")  # bets lie there
    assert not live.happen("leave-place", player="rui", place="1")
    assert not live.happen("take-place", player="eva", place="8")
    assert not live.happen("open-croupier-hand")
    assert live.happen("take-place", player="eva", place="7")
    assert live.happen("leave-place", player="eva", place="7")
    assert live.happen("take-place", player="eva", place="6")


def _play(live, chance):
    """Play one round as people might, with mistakes; each act is one the law knows."""
    assert live.act("go-on")
    if chance.random() < 0.3:
        what = chance.choice(
            [
                ("expose-card", {"place": chance.choice(["1", "2", "croupier"])}),
                ("deal-card", {"place": chance.choice("67")}),
                ("deal-error", {"what": chance.choice(["order", "number", "other"])}),
            ]
        )
        assert live.happen(what[0], **what[1])
    voided = live.names().count("void-round")
    while True:
        stakes = _lay_bets(live, chance)
        assert live.act("go-on")
        if live.names().count("void-round") == voided:
            break
        voided = live.names().count("void-round")
    antes = [place for place, own in stakes.items() if "ante" in own]
    for place in chance.sample(antes, len(antes)):
        player, stake = f"player {place}", stakes[place]["ante"]
        if chance.random() < 0.3:
            assert not live.act("raise", player=player, place=place, stake=stake + 1)
        if chance.random() < 0.5:
            ticket = f"t{len(live.log)}"
            assert live.act("raise", ticket=ticket, player=player, place=place, stake=stake)
            assert not live.act("fold", place=place)
        else:
            assert live.act("fold", place=place)
    assert live.act("go-on") or not antes


def _lay_bets(live, chance):
    live.bets.clear()
    stakes = {}
    for place in chance.sample("12345", chance.randint(1, 5)):
        for bet in chance.choice([["ante"], ["pair-plus"], ["ante", "pair-plus"]]):
            stake = chance.choice([1, 50, 999])
            ticket = f"t{len(live.log)}"
            assert live.bet(ticket, f"player {place}", place, bet, stake)
            stakes.setdefault(place, {})[bet] = stake
        if chance.random() < 0.2:
            bet, stake = next(iter(stakes[place].items()))
            assert live.act("withdraw-bet", place=place, bet=bet)
            assert not live.act("withdraw-bet", place=place, bet=bet)
            gone = {"bet": bet, "place": place, "stake": stake}
            live.bets = {ticket: one for ticket, one in live.bets.items() if one != gone}
            if len(stakes[place]) > 1 and chance.random() < 0.5:
                del stakes[place][bet]
                continue
            assert live.bet(f"t{len(live.log)}", f"player {place}", place, bet, stake + 1)
            stakes[place][bet] = stake + 1
    return stakes


@pytest.mark.parametrize("seed", range(4))
def test_evenings_of_random_rounds_break_nothing(adapter, law, oracle, seed):
    chance = random.Random(seed)  # noqa: S311 - a repeatable evening, nothing secret
    live = Live(adapter, shuffling=chance.choice(["by-hand", "by-machine"]))
    for _ in range(5):
        live.outcomes.clear()
        live.settled.clear()
        _play(live, chance)
        live.settled = {
            ticket: one for ticket, one in live.settled.items() if one["result"] != "void"
        }
        assert live.is_paid_as(oracle)

    assert live.names().count("end-round") == 5
    assert live.breaches(law) == []


def test_tables_are_apart_and_gone_when_closed(adapter):
    one, other = with_bets(adapter), seated(adapter)
    assert one.act("go-on")

    assert other.bet("a", "ana", "1", "ante", 5)
    assert adapter.ask("table.close", table=one.table) == {"events": []}
    act = {"act": "go-on"}
    assert adapter.refusal("table.act", table=one.table, act=act) == -32003
    assert adapter.refusal("table.close", table=one.table) == -32003
    assert other.act("go-on")
    again = {"table": other.table, "game": GAME, "options": {}}
    assert adapter.refusal("table.open", **again) == -32602


# The protocol.


def test_what_is_declared_of_the_tables_is_lawful(adapter, law):
    (offer,) = msgspec.convert(adapter.ask("describe"), Description, strict=True).games

    assert game_words(law, GAME).offer_problem(offer) is None
    assert {one.status for one in judge_declarations(law, offer, {}).judgements} == {
        RequirementStatus.KEPT
    }


def test_the_description_has_its_shape_and_the_digests_of_what_runs(adapter, folder):
    told = adapter.ask("describe")
    description = msgspec.convert(told, Description, strict=True)

    assert told == adapter.ask("describe")
    assert description.games[0].game == GAME
    assert {file.path for file in description.files} == {
        f"build/{path.name}" for path in (folder / "build").iterdir()
    }
    for file in description.files:
        assert hashlib.sha256((folder / file.path).read_bytes()).hexdigest() == file.sha256


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"{",
        b"[1,]",
        b"{} {}",
        b'{"a":1,"a":1}',
        b'{"a":NaN}',
        b'{"a":-}',
        b'{"a":01}',
        b'{"a":.5}',
        b'{"a":1.}',
        b'{"a":1e}',
        b'{"a":Infinity}',
        b"{'a':1}",
        b'{"a":"\t"}',
        b'{"a":"\\x"}',
        b'{"a":"\\u12g4"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        b"\xef\xbb\xbf{}",
        b"[" * 65 + b"]" * 65,
        b"[" * 100_000,
        b'{"a":1e99999999999}',
    ],
)
def test_what_is_not_json_is_answered_without_an_id(adapter, line):
    answer = adapter.line(line)

    assert answer["id"] is None
    assert answer["error"]["code"] == -32700


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        (b"[]", None),
        (b"3", None),
        (b'"text"', None),
        (b"null", None),
        (b"{}", None),
        (b'{"jsonrpc":"2.0","method":"describe","params":{}}', None),
        (b'{"jsonrpc":"2.0","id":null,"method":"describe","params":{}}', None),
        (b'{"jsonrpc":"2.0","id":{},"method":"describe","params":{}}', None),
        (b'{"jsonrpc":"1.0","id":"x","method":"describe","params":{}}', "x"),
        (b'{"id":"x","method":"describe","params":{}}', "x"),
        (b'{"jsonrpc":"2.0","id":"x","params":{}}', "x"),
        (b'{"jsonrpc":"2.0","id":"x","method":5,"params":{}}', "x"),
    ],
)
def test_what_is_no_request_is_answered_so(adapter, line, id_):
    answer = adapter.line(line)

    assert answer["id"] == id_
    assert answer["error"]["code"] == -32600


@pytest.mark.parametrize("method", ["", "shuffle", "table", "table.shut", "Describe", "toString"])
def test_there_is_no_other_method(adapter, method):
    assert adapter.refusal(method) == -32601


GOOD = case(["QH", "7S", "2D"], ["AS", "KS", "QS"], WAYS[0])
NO = "left out"


@pytest.mark.parametrize(
    ("method", "change", "code"),
    [
        ("settle", {"game": "whist"}, -32602),
        ("settle", {"game": "craps"}, -32001),
        ("settle", {"game": 5}, -32602),
        ("settle", {"game": NO}, -32602),
        ("settle", {"options": {"packs": 8}}, -32602),
        ("settle", {"options": {"shuffling": "by-foot"}}, -32602),
        ("settle", {"options": []}, -32602),
        ("settle", {"options": {"maximum": 10**9}}, -32001),
        ("settle", {"outcome": NO}, -32602),
        ("settle", {"outcome": {"places": {}}}, -32602),
        ("settle", {"outcome": {"croupier": ["QH"], "places": {"8": []}}}, -32602),
        ("settle", {"outcome": {"croupier": ["QH"], "places": {"1": ["QH"]}}}, -32602),
        ("settle", {"outcome": {"croupier": ["1H"], "places": {}}}, -32602),
        ("settle", {"outcome": {"croupier": ["qh"], "places": {}}}, -32602),
        ("settle", {"outcome": {"croupier": [12], "places": {}}}, -32602),
        ("settle", {"outcome": {"croupier": [], "places": {}, "joker": []}}, -32602),
        ("settle", {"bets": NO}, -32602),
        ("settle", {"bets": {}}, -32602),
        ("settle", {"bets": ["ante"]}, -32602),
        ("settle", {"bets": [{"bet": "ante", "place": "1", "stake": 1, "x": 1}]}, -32602),
        ("compare", {"a": ["QH", "7S"], "b": ["AS", "KS", "QS"]}, -32602),
        ("compare", {"a": ["QH", "7S", "2D"], "b": ["AS", "KS", "QH"]}, -32602),
        ("compare", {"a": ["QH", "7S", "2D"]}, -32602),
        ("compare", {"game": "pai-kao", "a": [], "b": []}, -32001),
        ("draw", {"count": 0}, -32602),
        ("draw", {"count": 10_001}, -32602),
        ("draw", {"count": 1.0}, -32602),
        ("draw", {}, -32602),
        ("table.open", {"table": 5}, -32602),
        ("table.open", {"table": "t", "options": {"limits": "some"}}, -32602),
        ("table.open", {"table": "t", "game": "bacara"}, -32001),
        ("table.act", {"table": "no such table", "act": {"act": "go-on"}}, -32003),
        ("table.close", {"table": "no such table"}, -32003),
        ("table.close", {}, -32602),
    ],
)
def test_wrong_params_are_refused_by_their_kind(adapter, method, change, code):
    params = {key: value for key, value in {**GOOD, **change}.items() if value != NO}

    assert adapter.refusal(method, **params) == code


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (None, -32602),
        ({}, -32602),
        ({"act": "cheat"}, -32602),
        ({"act": "fold"}, -32602),
        ({"act": "fold", "place": "1", "why": "x"}, -32602),
        ({"act": "fold", "place": 1}, -32602),
        ({"act": "go-on", "until": 5}, -32602),
        ({"act": "place-bet", "ticket": "t", "player": "p", "place": "1", "bet": "ante"}, -32602),
        ({"act": "happen", "event": "take-place"}, -32602),
        ({"act": "happen", "event": {"event": "take-place", "place": "1"}}, -32602),
        ({"act": "force", "outcome": {"croupier": ["QQ", "7S", "2D"]}}, -32602),
        ({"act": "force", "outcome": {"croupier": ["QH", "7S"], "places": {}}}, -32002),
    ],
)
def test_an_act_that_cannot_be_understood_is_an_error(adapter, act, code):
    live = seated(adapter)

    assert adapter.refusal("table.act", table=live.table, act=act) == code


def test_a_ticket_stands_for_one_bet(adapter):
    live = with_bets(adapter)
    act = {"act": "place-bet", "ticket": "a", "player": "eva", "place": "3", "bet": "ante"}

    assert adapter.refusal("table.act", table=live.table, act={**act, "stake": 5}) == -32602
    assert live.bet("d", "eva", "3", "ante", 5)


@pytest.mark.parametrize("params", [[], None, "text", 5], ids=str)
def test_params_are_an_object(adapter, params):
    asked = {"jsonrpc": "2.0", "id": "p", "method": "describe", "params": params}

    assert adapter.line(json.dumps(asked).encode())["error"]["code"] == -32602


def test_a_batch_answers_each_of_its_requests(adapter):
    good = adapter.request("compare", {"game": GAME, "a": KINDS[0], "b": KINDS[4]})
    bad = adapter.request("nothing", {})
    answers = adapter.line(json.dumps([good, 5, bad]).encode())

    assert answers[0] == {"jsonrpc": "2.0", "id": good["id"], "result": {"order": "higher"}}
    assert [one["id"] for one in answers] == [good["id"], None, bad["id"]]
    assert [one["error"]["code"] for one in answers[1:]] == [-32600, -32601]


def test_an_id_comes_back_exactly_and_unknown_fields_of_a_request_do_no_harm(adapter):
    odd = 'a"\\\u0007é中\U0001f0a1/ \u2028'
    asked = {**adapter.request("compare", {"game": GAME, "a": KINDS[4], "b": KINDS[0], "new": 1.5}),
             "id": odd, "trace": {"deep": [1e400, None]}}  # fmt: skip
    for text in (json.dumps(asked), json.dumps(asked, ensure_ascii=False)):
        line = text.replace("Infinity", "1e400").encode()
        assert adapter.line(line) == {"jsonrpc": "2.0", "id": odd, "result": {"order": "lower"}}


def test_lines_may_be_under_way_together_and_end_ends(folder):
    one = Adapter(folder)
    asked = [one.request("compare", {"game": GAME, "a": KINDS[0], "b": KINDS[4]}) for _ in range(9)]
    lines = [json.dumps(request) for request in [*asked, one.request("end", {})]]
    one.send(("\n".join(lines) + "\nnever read\n").encode())
    answers = [json.loads(line) for line in one.process.stdout]

    assert [answer["id"] for answer in answers] == [f"r{number}" for number in range(1, 11)]
    assert answers[-1]["result"] == {}
    assert one.end() == 0


def test_a_last_line_without_its_end_is_answered_and_the_adapter_exits(folder):
    asked = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "describe"})
    done = subprocess.run(
        ["java", *FLAGS, "-cp", "build", "Main"],
        input=asked.encode(),
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=180,
    )

    assert done.stdout.count(b"\n") == 1
    assert json.loads(done.stdout)["result"]["protocol"] == "1.0"
    assert done.stderr == b""
