"""A script that shows a difference becomes as small as it can be."""

from functools import partial

import msgspec

from selo.rounds.analysis.script_shrinker import (
    force_drawn_outcomes,
    reproduction_check,
    shrink_script,
)
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.judge.round_difference import Manner, RoundDifference
from selo.rounds.script import Script
from selo.rounds.table_player import play_script

GAME = "fish-prawn-crab"


def accepts_late_bets(table, module):
    class Spoiled(table):
        def _check_open(self):
            if self.stage_of_round not in {"betting", "closed"}:
                raise module.Refused("too early")

    return Spoiled


def named(law, game, name):
    (script,) = [one for one in read_written_scripts(law, game) if one.name == name]
    return script


def test_a_late_bet_needs_the_bell_and_the_bet(law, judge, spoiled):
    session = spoiled(GAME, accepts_late_bets)
    script = named(law, GAME, "new-bets-after-a-void-throw")
    first = judge.judge(script, play_script(session, script))[0]

    small = shrink_script(script, reproduction_check(partial(play_script, session), judge, first))

    assert first.provisions == ("portaria-21-96-m/3/a",)
    assert [act["act"] for act in small.acts] == ["go-on", "place-bet"]
    assert small.acts[0]["until"] == "ring-bell"
    again = judge.judge(small, play_script(session, small))[0]
    assert (again.manner, again.constraint) == (first.manner, first.constraint)


def pays_triples_double(table, _):
    class Spoiled(table):
        def decided(self, ticket, settlement):
            if len({*self.shown["dice"]}) == 1:
                settlement = {**settlement, "prize": 2 * settlement["prize"]}
            super().decided(ticket, settlement)

    return Spoiled


def test_a_wrong_prize_needs_its_outcome_and_one_bet(law, judge, spoiled):
    session = spoiled(GAME, pays_triples_double)
    script = named(law, GAME, "all-bets-on-three-alike")
    stakes = [act | {"stake": 700} if "stake" in act else act for act in script.acts]
    script = msgspec.structs.replace(script, acts=stakes)
    first = judge.judge(script, play_script(session, script))[0]

    small = shrink_script(script, reproduction_check(partial(play_script, session), judge, first))

    assert [act["act"] for act in small.acts] == ["force", "go-on", "place-bet", "go-on"]
    assert small.acts[2]["stake"] == 100


def counted(limit):
    """Return a judge of scripts by their acts alone, and how often it was asked."""
    asked = []

    def shows(script):
        asked.append(script)
        return sum(act["act"] == "b" for act in script.acts) >= limit

    return shows, asked


def test_only_what_is_needed_is_left():
    shows, _ = counted(2)
    script = Script(game=GAME, acts=[{"act": one} for one in "aabaacabaabca"])

    assert [act["act"] for act in shrink_script(script, shows).acts] == ["b", "b"]


def test_nothing_is_asked_twice_and_not_for_ever():
    shows, asked = counted(40)
    script = Script(game=GAME, acts=[{"act": "b"}] * 40 + [{"act": "a"}] * 40)

    shrink_script(script, shows, most=30)

    assert len(asked) <= 30
    assert len({one.key for one in asked}) == len(asked)


def test_options_and_outcomes_that_do_not_matter_are_left_out():
    outcome = {"croupier": ["2S"], "places": {"1": ["AS"], "2": ["KS"]}}
    script = Script(
        game=GAME,
        acts=[{"act": "force", "outcome": outcome}],
        options={"limits": "declared", "minimum": 100},
    )

    small = shrink_script(script, lambda one: one.acts[0]["outcome"]["places"].get("2") == ["KS"])

    assert small.options == {}
    assert small.acts == [
        {"act": "force", "outcome": {"croupier": ["2S"], "places": {"2": ["KS"]}}}
    ]


def test_throws_and_leaning_dice_that_do_not_matter_are_left_out():
    throws = Script(game="craps", acts=[{"act": "force", "outcome": {"throws": [[1, 1], [2, 3]]}}])
    leaning = {"dice": ["fish"], "lying": ["leaning"]}
    dice = Script(game=GAME, acts=[{"act": "force", "outcome": leaning}])

    assert shrink_script(throws, lambda _: True).acts[0]["outcome"] == {"throws": [[1, 1]]}
    assert shrink_script(dice, lambda _: True).acts[0]["outcome"] == {"dice": ["fish"]}


def test_another_difference_is_not_the_same(judge, session):
    wanted = RoundDifference(manner=Manner.ORDER, act=0, provisions=("portaria-21-96-m/4",))
    script = Script(game=GAME, acts=[{"act": "go-on"}, {"act": "go-on"}])

    assert not reproduction_check(partial(play_script, session), judge, wanted)(script)


def throws_as_it_likes(dice):
    """Spoil a table so that its own dice are known, and small is paid double."""

    def spoil(table, _):
        class Spoiled(table):
            def _throw(self):
                return {"dice": list(dice), "lying": ["flat"] * 3}

            def decided(self, ticket, settlement):
                super().decided(ticket, {**settlement, "prize": 2 * settlement["prize"]})

        return Spoiled

    return spoil


def by_the_table_alone(law, judge, session):
    script = named(law, GAME, "by-the-table-alone")
    played = play_script(session, script)
    first = next(one for one in judge.judge(script, played) if one.manner is Manner.SETTLEMENT)
    return script, played, first


def test_what_the_vendor_drew_is_given_in_advance(law, judge, spoiled):
    session = spoiled(GAME, throws_as_it_likes(["fish", "prawn", "prawn"]))
    script, played, first = by_the_table_alone(law, judge, session)

    given = force_drawn_outcomes(script, played, judge)
    small = shrink_script(
        given, reproduction_check(partial(play_script, session), judge, first), about=first
    )

    assert [act["act"] for act in small.acts] == ["force", "go-on", "place-bet", "go-on"]
    # Other dice of the vendor's own change nothing any more.
    other = spoiled(GAME, throws_as_it_likes(["crab", "crab", "crab"]))
    (again,) = judge.judge(small, play_script(other, small))
    assert (again.manner, again.provisions) == (first.manner, first.provisions)


def test_an_outcome_that_shows_is_never_left_to_the_vendor(law, judge, spoiled):
    session = spoiled(GAME, throws_as_it_likes(["fish", "prawn", "prawn"]))
    script, _, first = by_the_table_alone(law, judge, session)
    shows = reproduction_check(partial(play_script, session), judge, first)

    # The wrong prize is there each time, but only as these dice happen to fall.
    assert not shows(script)
    assert shrink_script(script, shows).key == script.key


def test_a_throw_goes_with_what_lets_it_come():
    go, bet = {"act": "go-on"}, {"act": "place-bet", "ticket": "a"}
    late = {"act": "withdraw-bet", "ticket": "gone"}
    acts = [{"act": "force", "outcome": {"throws": [[1, 1], [2, 3]]}}, go, late, bet, go]
    script = Script(game="craps", acts=acts)

    def shows(one):
        throws = [len(act["outcome"]["throws"]) for act in one.acts if act["act"] == "force"]
        return bet in one.acts and sum(throws) == one.acts.count(go) > 0

    small = shrink_script(script, shows)

    assert sorted(act["act"] for act in small.acts) == ["force", "go-on", "place-bet"]
