"""A duty is missed when the table had its chance: it went on without it, or does not go on."""

import pytest
from tests.rounds import lawful_rounds as lawful
from tests.rounds.test_round_judge import without

from selo.examine.live_rounds import RoundTally, round_line
from selo.rounds import Script, play_script, play_scripts
from selo.rounds.generate import read_written_scripts
from selo.rounds.judge import Manner


def stalls(event):
    """Spoil a table so that nothing happens any more after an event."""

    def spoil(table, _):
        class Spoiled(table):
            stuck = False

            def walk(self, until=None):
                return [] if self.stuck else super().walk(until)

            def happened(self, step):
                super().happened(step)
                if step["event"] == event:
                    self.stuck, self.queue = True, []

        return Spoiled

    return spoil


@pytest.mark.parametrize(
    ("game", "event", "provision"),
    [
        ("fish-prawn-crab", "ring-bell", "portaria-21-96-m/3/a"),
        ("three-card-baccarat", "deal-card", "portaria-22-96-m/2/2"),
        ("fortune-three-card-poker", "deal-card", "despacho-78-2008/7/1"),
        ("craps", "dice-at-rest", "portaria-97-85-m/2/1"),
    ],
)
def test_a_table_that_does_not_go_on_misses_what_is_due(
    law, judge, spoiled, game, event, provision
):
    session = spoiled(game, stalls(event))
    ((script, played),) = play_scripts(session, read_written_scripts(law, game)[:1])

    found = lawful.violations(judge, script, played)

    assert Manner.MISSING in {one.manner for one in found}
    assert provision in {name for one in found for name in one.provisions}


def test_a_table_that_waits_for_the_decision_of_another_player_misses_nothing(law, judge, session):
    script = next(
        one
        for one in read_written_scripts(law, "fortune-three-card-poker")
        if [act["act"] for act in one.acts].count("raise") > 1
    )
    decisions = [at for at, act in enumerate(script.acts) if act["act"] == "raise"]
    going = {"act": "go-on"}
    waiting = Script(
        game=script.game,
        options=script.options,
        acts=[*script.acts[: decisions[1]], going, going, going],
    )

    played = play_script(session, waiting)

    assert played.answers[-1]["events"] == []
    assert judge.judge(waiting, played) == []


def test_the_last_duty_of_a_table_is_missed_when_the_table_goes_on_without_it(law, judge, spoiled):
    game = "fish-prawn-crab"
    session = spoiled(game, without("pay-prize"))

    found = [
        one
        for script, played in play_scripts(session, read_written_scripts(law, game))
        for one in lawful.violations(judge, script, played)
    ]

    assert {one.manner for one in found} == {Manner.ORDER}
    assert {one.provisions for one in found} == {("portaria-21-96-m/4",)}


def test_a_duty_that_was_not_due_yet_is_not_seen_to_be_kept(law, session):
    game, provision = "fish-prawn-crab", "portaria-21-96-m/3/b"
    going = {"act": "go-on"}
    script = Script(
        game=game,
        acts=[going, going | {"until": "lift-cover"}],
        provisions=(provision, "portaria-21-96-m/3/a"),
    )
    played = play_script(session, script)
    tally = RoundTally(law, type("Terms", (), {"rulings": {}})())

    tally.take(round_line(0, script, played, good=True), right=True)

    assert tally.exercised == {"portaria-21-96-m/3/a": 1}


def refuses_to_give_a_paid_tie_back(table, module):
    class Spoiled(table):
        def withdraw_bet(self, act):
            if act["bet"] == "tie":
                raise module.Refused("it was paid and given back")
            super().withdraw_bet(act)

    return Spoiled


def test_a_tie_that_was_paid_and_returned_need_not_be_withdrawn(law, judge, spoiled):
    game, provision = "three-card-baccarat", "portaria-22-96-m/7/2"
    session = spoiled(game, refuses_to_give_a_paid_tie_back)
    (script,) = [
        one
        for one in read_written_scripts(law, game)
        if one.name == "the-tie-beside-a-held-stake-is-free"
    ]
    played = play_script(session, script)

    assert "refused" in {answer["answer"] for answer in played.answers}
    assert judge.judge(script, played) == []
    assert provision in judge.unseen_provisions(script, played)


def leaves_a_paid_tie_on_its_seat(table, module):
    class Spoiled(refuses_to_give_a_paid_tie_back(table, module)):
        def decided(self, ticket, settlement):
            kept = self.bets[ticket]["bet"] == "tie" and settlement["result"] == "win"
            super().decided(ticket, {**settlement, "stake": 0} if kept else settlement)

    return Spoiled


def test_a_tie_that_was_paid_and_not_returned_must_be_withdrawn(law, judge, spoiled):
    session = spoiled("three-card-baccarat", leaves_a_paid_tie_on_its_seat)
    (script,) = [
        one
        for one in read_written_scripts(law, "three-card-baccarat")
        if one.name == "the-tie-beside-a-held-stake-is-free"
    ]

    found = judge.judge(script, play_script(session, script))

    # The stake of a winner belongs to the winner by article 9, and is free by article 7.
    assert [one.provisions for one in found] == [("portaria-22-96-m/9",), ("portaria-22-96-m/7/2",)]
