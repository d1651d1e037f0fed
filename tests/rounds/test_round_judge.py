"""A vendor that breaks one provision is found out, and blamed for that one and no other."""

import msgspec
import pytest

from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.judge.round_difference import Manner
from selo.rounds.judge.round_judge import RoundJudge
from selo.rounds.script import Script
from selo.rounds.table_player import PlayedScript, play_scripts
from selo.rules.readings.reading_choice import Readings


def without(name, **fields):
    """Spoil a table so that an event never happens."""

    def spoil(table, _):
        class Spoiled(table):
            def prepare(self):
                return [
                    one
                    for one in super().prepare()
                    if one["event"] != name or not fields.items() <= one.items()
                ]

        return Spoiled

    return spoil


def changed(name, **fields):
    """Spoil a table so that an event says something else."""

    def spoil(table, _):
        class Spoiled(table):
            def prepare(self):
                return [
                    {**one, **fields} if one["event"] == name else one for one in super().prepare()
                ]

        return Spoiled

    return spoil


def accepts(name):
    """Spoil a table so that an act is accepted whatever it asks, and nothing else happens."""

    def spoil(table, _):
        class Spoiled(table):
            def _do(self, act):
                return [] if act["act"] == name else super()._do(act)

        return Spoiled

    return spoil


def refuses(condition):
    """Spoil a table so that it refuses acts that it has to accept."""

    def spoil(table, module):
        class Spoiled(table):
            def _do(self, act):
                if condition(act):
                    raise module.Refused("not today")
                return super()._do(act)

        return Spoiled

    return spoil


def bell_forgotten(table, module):
    class Spoiled(without("ring-bell")(table, module)):
        def happened(self, event):
            if event["event"] == "call-open":
                self.stage_of_round = "closed"
            super().happened(event)

    return Spoiled


def late_bets(table, module):
    class Spoiled(table):
        def _check_open(self):
            if self.stage_of_round not in {"betting", "closed"}:
                raise module.Refused("too early")

    return Spoiled


def pays_after_covering(table, _):
    class Spoiled(table):
        owed = ()

        def prepare(self):
            steps = super().prepare()
            if steps[0]["event"] == "cover":
                owed, self.owed = self.owed, ()
                return [steps[0], *owed, *steps[1:]]
            self.owed = tuple(one for one in steps if one["event"] == "pay-prize")
            return [one for one in steps if one["event"] != "pay-prize"]

    return Spoiled


def free_after_a_void_throw(table, _):
    class Spoiled(table):
        def _opened(self, *, void):
            super()._opened(void=void)
            self.bound = set()

    return Spoiled


def pays_double(table, _):
    class Spoiled(table):
        def decided(self, ticket, settlement):
            super().decided(ticket, {**settlement, "prize": 2 * settlement["prize"]})

    return Spoiled


def keeps_the_stake(table, _):
    class Spoiled(table):
        def decided(self, ticket, settlement):
            super().decided(ticket, {**settlement, "stake": 0})

    return Spoiled


def takes_bets_in_the_air(table, module):
    class Spoiled(table):
        def _check_still(self):
            if self.repeating:
                raise module.Refused("the throw is repeated with the same bets")

    return Spoiled


def takes_bets_for_the_repetition(table, module):
    class Spoiled(table):
        def _check_still(self):
            if self.in_the_air:
                raise module.Refused("the dice are thrown")

    return Spoiled


def gives_the_dice_away(table, _):
    class Spoiled(table):
        def stage(self, event):
            self.happened(event)
            return [dict(event)]

    return Spoiled


def lets_held_stakes_go(table, _):
    class Spoiled(table):
        def withdraw_bet(self, act):
            held = self.held
            if act["bet"] == "beat-banker":
                self.held = {}
            try:
                return super().withdraw_bet(act)
            finally:
                self.held = {one: held[one] for one in held if one in self.bets}

    return Spoiled


def deals_the_banker_first(table, _):
    class Spoiled(table):
        def _order(self):
            return ("banker", *sorted(self.staked_seats()))

    return Spoiled


def raises_by_any_amount(table, _):
    class Spoiled(table):
        def raise_(self, act):
            ante = self.lying().get((act["place"], "ante"))
            if ante is None:
                return super().raise_(act)
            stake = self.bets[ante]["stake"]
            return super().raise_({**act, "stake": stake})

    return Spoiled


def plays_on_after_an_irregular_deal(table, _):
    class Spoiled(table):
        def _remedy_of(self, mishap):
            return [] if mishap["event"] == "deal-error" else super()._remedy_of(mishap)

    return Spoiled


def seats_nobody(table, _):
    class Spoiled(table):
        def _check_jackpot(self, bet, fields):
            seats, self.seats = self.seats, {"0": bet["bettor"]}
            try:
                return super()._check_jackpot(bet, fields)
            finally:
                self.seats = seats

    return Spoiled


FISH, CARDS = "portaria-21-96-m", "portaria-22-96-m"
POKER, DICE, BACARA = "despacho-78-2008", "portaria-97-85-m", "despacho-2-2009"
SPOILED = [
    ("fish-prawn-crab", late_bets, Manner.ACCEPTED, f"{FISH}/3/a"),
    ("fish-prawn-crab", bell_forgotten, Manner.ORDER, f"{FISH}/3/a"),
    ("fish-prawn-crab", pays_after_covering, Manner.ORDER, f"{FISH}/4"),
    ("fish-prawn-crab", free_after_a_void_throw, Manner.ACCEPTED, f"{FISH}/3/c"),
    ("fish-prawn-crab", without("declare-void"), Manner.ORDER, f"{FISH}/3/c"),
    ("fish-prawn-crab", changed("light-sign", means="by-hand"), Manner.ORDER, f"{FISH}/2"),
    ("fish-prawn-crab", without("announce-result"), Manner.ORDER, f"{FISH}/3/b"),
    (
        "fish-prawn-crab",
        refuses(lambda act: act["act"] == "withdraw-bet"),
        Manner.REFUSED,
        f"{FISH}/3/a",
    ),
    (
        "fish-prawn-crab",
        refuses(lambda act: act.get("bet") == "small" and act["act"] == "place-bet"),
        Manner.REFUSED,
        f"{FISH}/2",
    ),
    ("craps", takes_bets_in_the_air, Manner.ACCEPTED, f"{DICE}/1"),
    ("craps", takes_bets_for_the_repetition, Manner.ACCEPTED, f"{DICE}/1/par-3"),
    ("craps", gives_the_dice_away, Manner.ORDER, f"{DICE}/1/par-4"),
    ("craps", changed("throw-dice", by="house"), Manner.ORDER, f"{DICE}/1/par-4"),
    ("three-card-baccarat", lets_held_stakes_go, Manner.ACCEPTED, f"{CARDS}/7/2"),
    ("three-card-baccarat", deals_the_banker_first, Manner.ORDER, f"{CARDS}/2/2"),
    ("three-card-baccarat", changed("burn-card", face="up"), Manner.ORDER, f"{CARDS}/2/2"),
    (
        "three-card-baccarat",
        changed("insert-white-card", behind=41),
        Manner.ORDER,
        f"{CARDS}/2/1",
    ),
    ("three-card-baccarat", accepts("take-bank"), Manner.ACCEPTED, f"{CARDS}/4/1"),
    ("three-card-baccarat", accepts("change-seat"), Manner.ACCEPTED, f"{CARDS}/4/3"),
    ("fortune-three-card-poker", raises_by_any_amount, Manner.ACCEPTED, f"{POKER}/9/4"),
    ("fortune-three-card-poker", changed("cut-cards", by="player"), Manner.ORDER, f"{POKER}/3/1"),
    ("fortune-three-card-poker", plays_on_after_an_irregular_deal, Manner.ORDER, f"{POKER}/11/1"),
    ("bacara", seats_nobody, Manner.ACCEPTED, f"{BACARA}/13/3"),
    ("bacara", changed("pay-prize", taken="recorded"), Manner.ORDER, f"{BACARA}/18/1"),
]


#: All of them are played when there is more time.
SOME = SPOILED[::2]


def first_differences(judge, session, scripts):
    """Return what came first at every table that was not lawful."""
    return [
        found[0]
        for script, played in play_scripts(session, scripts)
        if (found := judge.judge(script, played))
    ]


def names(table):
    return [f"{game}-{provision}-{at}" for at, (game, *_, provision) in enumerate(table)]


@pytest.mark.parametrize(("game", "spoil", "manner", "provision"), SOME, ids=names(SOME))
def test_a_spoiled_table_is_blamed_on_the_provision_it_breaks(
    law, judge, spoiled, game, spoil, manner, provision
):
    about = [one for one in read_written_scripts(law, game) if provision in one.provisions]
    scripts = sorted(about, key=lambda one: len(one.acts))[:6]

    found = first_differences(judge, spoiled(game, spoil), scripts)

    assert {one.provisions for one in found} == {(provision,)}
    assert manner in {one.manner for one in found}
    assert not any(one.consequence for one in found)


#: What a bet on small is: Portaria 21/96/M, art. 5 a), paid by art. 6 a).
SMALL = Script(
    game="fish-prawn-crab",
    acts=[
        {"act": "force", "outcome": {"dice": ["fish", "prawn", "prawn"]}},
        {"act": "go-on"},
        {"act": "place-bet", "ticket": "a", "player": "ana", "bet": "small", "stake": 100},
        {"act": "go-on"},
    ],
)


def differences(judge, session, script):
    ((_, played),) = play_scripts(session, [script])
    return judge.judge(script, played)


def test_wrong_live_money_is_blamed_on_the_prize_alone(judge, spoiled):
    (found,) = differences(judge, spoiled("fish-prawn-crab", pays_double), SMALL)

    assert found.manner is Manner.SETTLEMENT
    assert found.provisions == ("portaria-21-96-m/6/a",)
    assert found.expected == {"result": "win", "prize": 100, "commission": 0, "stake": 100}
    assert found.observed == {"result": "win", "prize": 200, "commission": 0, "stake": 100}
    assert (found.act, found.ticket, found.readings) == (3, "a", ())


def test_a_stake_that_does_not_go_back_is_wrong_money_too(judge, spoiled):
    (found,) = differences(judge, spoiled("fish-prawn-crab", keeps_the_stake), SMALL)

    assert (found.expected["stake"], found.observed["stake"]) == (100, 0)


def test_a_judge_that_remembers_says_the_same_and_judges_once(law, judge, spoiled):
    ((_, played),) = play_scripts(spoiled("fish-prawn-crab", pays_double), [SMALL])
    remembering = RoundJudge(law, Readings(law), remembers=True)
    # As evidence keeps it: names of fields are sorted.
    kept = msgspec.json.decode(msgspec.json.encode(played, order="sorted"), type=PlayedScript)

    found = remembering.judge(SMALL, played)

    assert found
    assert found == judge.judge(SMALL, played)
    assert [*map(id, remembering.judge(SMALL, kept))] == [*map(id, found)]


@pytest.mark.parametrize("game", ["three-card-baccarat", "craps", "bacara"])
def test_wrong_live_money_is_seen_in_every_game_with_payments(law, judge, spoiled, game):
    scripts = read_written_scripts(law, game)[:6]

    found = first_differences(judge, spoiled(game, pays_double), scripts)

    assert {one.manner for one in found} == {Manner.SETTLEMENT}
    assert all(one.provisions for one in found)


def test_pair_plus_is_judged_although_the_croupiers_cards_never_show(law, judge, spoiled):
    name = "pair-plus-wins-although-the-player-folds"
    (script,) = [
        one for one in read_written_scripts(law, "fortune-three-card-poker") if one.name == name
    ]

    (found,) = differences(judge, spoiled("fortune-three-card-poker", pays_double), script)

    assert (found.manner, found.ticket) == (Manner.SETTLEMENT, "b")
    # A pair is paid 1 to 1: Despacho 78/2008, art. 10, 5).
    assert (found.expected["prize"], found.observed["prize"]) == (100, 200)
    assert "despacho-78-2008/10/5" in found.provisions


def never_settles(table, _):
    class Spoiled(table):
        def decided(self, ticket, settlement):
            pass

    return Spoiled


def test_a_bet_that_is_never_settled_is_missed(judge, spoiled):
    (found,) = differences(judge, spoiled("fish-prawn-crab", never_settles), SMALL)

    assert found.manner is Manner.UNSETTLED
    assert found.provisions == ("portaria-21-96-m/5/a", "portaria-21-96-m/6/a")


def test_a_prize_that_no_event_pays_is_missed(law, judge, spoiled):
    script = read_written_scripts(law, "bacara")[0]

    (found,) = differences(judge, spoiled("bacara", without("pay-prize")), script)

    assert (found.manner, found.ticket) == (Manner.PAYMENT, "a")
    assert "despacho-2-2009/17/1" in found.provisions


def settles_a_stranger(table, _):
    class Spoiled(table):
        def decided(self, ticket, settlement):
            super().decided(f"{ticket}x", settlement)

    return Spoiled


def says_lose(table, module):
    return changed("bet-decided", result="lose")(table, module)


def shows_what_it_likes(table, _):
    class Spoiled(table):
        def force(self, outcome):
            super().force({**outcome, "dice": ["crab", "crab", "coin"]})

    return Spoiled


def cries(table, module):
    return changed("ring-bell", event="cry-out")(table, module)


@pytest.mark.parametrize(
    ("spoil", "manner"),
    [
        (settles_a_stranger, Manner.CONTRADICTION),
        (shows_what_it_likes, Manner.OUTCOME),
        (cries, Manner.EVENT),
    ],
)
def test_what_only_the_protocol_asks_for_is_no_breach_of_the_law(judge, spoiled, spoil, manner):
    found = differences(judge, spoiled("fish-prawn-crab", spoil), SMALL)

    assert manner in {one.manner for one in found if one.lawless}


def test_events_that_contradict_the_settlement_are_noticed(judge, spoiled):
    found = differences(judge, spoiled("fish-prawn-crab", says_lose), SMALL)

    assert Manner.CONTRADICTION in {one.manner for one in found}


def counts_leaning_dice(table, module):
    class Spoiled(table):
        def prepare(self):
            shown = dict(self.shown)
            if "leaning" in shown.get("lying", ()):
                self.shown = {**shown, "lying": list(module.FLAT)}
            return [
                {**one, "lying": shown["lying"]} if one["event"] == "lift-cover" else one
                for one in super().prepare()
            ]

        def happened(self, event):
            if event["event"] != "lift-cover":
                super().happened(event)
                return
            super().happened({**event, "lying": list(module.FLAT)})
            self.outcome = {"dice": event["dice"], "lying": event["lying"]}

    return Spoiled


def leaning(law):
    (script,) = [
        one for one in read_written_scripts(law, "fish-prawn-crab") if one.name == "a-leaning-die"
    ]
    return script


def test_what_another_reading_allows_is_open_and_names_that_reading(law, judge, spoiled):
    session = spoiled("fish-prawn-crab", counts_leaning_dice)

    found = differences(judge, session, leaning(law))

    reading = ("21-96-m-3-c--leaning-dice", "stacked-only")
    assert found
    assert all(one.open for one in found)
    assert all(reading in one.readings for one in found)


def test_under_that_reading_it_is_lawful(law, spoiled):
    ruled = RoundJudge(law, Readings(law, {"21-96-m-3-c--leaning-dice": "stacked-only"}))
    session = spoiled("fish-prawn-crab", counts_leaning_dice)

    assert differences(ruled, session, leaning(law)) == []


def test_a_reading_that_was_not_adopted_excuses_nothing(law, spoiled):
    point = "21-96-m-3-c--leaning-dice"
    ruled = RoundJudge(law, Readings(law, {point: "stacked-or-leaning"}))
    session = spoiled("fish-prawn-crab", counts_leaning_dice)

    found = differences(ruled, session, leaning(law))

    assert found
    assert point not in {name for one in found for name, _ in one.readings}


def test_a_breach_that_no_reading_allows_is_not_open(judge, spoiled):
    found = differences(judge, spoiled("fish-prawn-crab", bell_forgotten), SMALL)

    assert found[0].required.en.startswith("“the bell rings” must come")
    assert not found[0].open


def test_what_comes_after_the_first_difference_may_follow_from_it(law, judge, spoiled):
    session = spoiled("fish-prawn-crab", bell_forgotten)
    (script,) = [
        one
        for one in read_written_scripts(law, "fish-prawn-crab")
        if one.name == "bets-after-the-bell"
    ]

    found = differences(judge, session, script)

    assert [one.consequence for one in found] == [False] + [True] * (len(found) - 1)
    assert [one.act for one in found] == sorted(one.act for one in found)


def test_a_judgement_can_be_made_again_from_what_was_kept(law, judge, spoiled):
    ((_, played),) = play_scripts(spoiled("fish-prawn-crab", bell_forgotten), [SMALL])
    kept = msgspec.json.decode(msgspec.json.encode(played), type=PlayedScript)

    assert RoundJudge(law, Readings(law)).judge(SMALL, kept) == judge.judge(SMALL, played)


def errs(table, module):
    class Spoiled(table):
        def place_bet(self, act):
            raise module.WrongParams(f"what is {act}?")

    return Spoiled


def test_an_error_instead_of_an_answer_is_a_fault_of_the_adapter(judge, spoiled):
    (found,) = differences(judge, spoiled("fish-prawn-crab", errs), SMALL)

    assert (found.manner, found.act, found.lawless) == (Manner.UNREAD, 2, True)


def does_what_it_refuses(table, _):
    class Spoiled(table):
        def act(self, act):
            found = super().act(act)
            if found["answer"] == "refused":
                found["events"] = [{"event": "ring-bell"}]
            return found

    return Spoiled


def test_a_refused_act_that_changes_something_is_noticed(law, judge, spoiled):
    (script,) = [
        one
        for one in read_written_scripts(law, "fish-prawn-crab")
        if one.name == "bets-before-the-sign"
    ]

    found = differences(judge, spoiled("fish-prawn-crab", does_what_it_refuses), script)

    assert Manner.CONTRADICTION in {one.manner for one in found}


@pytest.mark.full
@pytest.mark.parametrize(("game", "spoil", "manner", "provision"), SPOILED, ids=names(SPOILED))
def test_no_script_at_all_blames_another_provision(
    law, judge, spoiled, game, spoil, manner, provision
):
    found = first_differences(judge, spoiled(game, spoil), read_written_scripts(law, game))

    assert {one.provisions for one in found} == {(provision,)}
    assert manner in {one.manner for one in found}
