"""Every prize is won and lost at a live table, by outcomes that another seed would not give."""

import msgspec
import pytest
from tests.games import GAMES_WITH_BETS as GAMES

from selo.cases.oracle.case_oracle import Oracle
from selo.protocol.schema.event_schema import FORCE
from selo.rounds.generate.prize_line_scripts import generate_prize_lines
from selo.rounds.judge.round_difference import Manner
from selo.rounds.table_player import play_script, play_scripts

WIN, LOSE = "win", "lose"
#: What a jackpot pays hangs on amounts that a table must declare; rounds are written for it.
BESIDE = {"jackpot"}


@pytest.fixture(scope="module")
def oracle(law):
    return Oracle(law)


def outcomes(scripts):
    return [act["outcome"] for one in scripts for act in one.acts if act["act"] == FORCE]


def spots(oracle, game, offer):
    """Return every bet that is offered with each of its choices."""
    rules = oracle.game(game).bets
    return {
        (name, choice)
        for name in {*offer.bets} - BESIDE
        for choice in (rules[name].domain or [None])
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_and_choice_wins_and_loses_at_a_table(law, judge, oracle, session, offers, game):
    came = set()
    for script, played in play_scripts(
        session, generate_prize_lines(law, offers[game], oracle, "7")
    ):
        assert judge.judge(script, played) == []
        assert judge.vendor_draws(script, played) == []
        laid = {act["ticket"]: act for act in script.acts if "ticket" in act}
        for answer in played.answers:
            for one in answer.get("settlements", []):
                act = laid[one["ticket"]]
                spot = (act.get("bet", act["act"]), act.get("choice"))
                came.add((*spot, one["result"]))

    wanted = {
        (*spot, result) for spot in spots(oracle, game, offers[game]) for result in (WIN, LOSE)
    }
    assert wanted - came == set()


@pytest.mark.parametrize("game", ["three-card-baccarat", "fortune-three-card-poker"])
def test_bets_lie_at_every_seat(law, oracle, offers, game):
    scripts = generate_prize_lines(law, offers[game], oracle, "7")

    hands = {
        spot
        for one in outcomes(scripts)
        for name in ("seats", "places")
        for spot in one.get(name, {})
    }
    assert hands == set("1234567")


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_gives_other_outcomes_and_the_same_seed_the_same(law, oracle, offers, game):
    one, again, other = (
        generate_prize_lines(law, offers[game], oracle, seed) for seed in ("1", "1", "2")
    )

    assert [script.key for script in one] == [script.key for script in again]
    assert outcomes(one) != outcomes(other)


def pays_nine_less(table, _):
    class Spoiled(table):
        def _settled(self):
            settled = super()._settled()
            for ticket, bet in self.bets.items():
                if (bet["bet"], bet.get("choice")) == ("number", 9) and settled[ticket]["prize"]:
                    settled[ticket]["prize"] = 5 * bet["stake"]
            return settled

    return Spoiled


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_one_prize_that_only_live_tables_pay_wrongly_is_found(
    law, judge, oracle, offers, spoiled, seed
):
    game = "fish-prawn-crab"
    session = spoiled(game, pays_nine_less)

    found = [
        one
        for script in generate_prize_lines(law, offers[game], oracle, seed)
        for one in judge.judge(script, play_script(session, script))
    ]

    # Art. 6 j), line 6: nine is paid 6 to 1.
    assert {one.provisions for one in found} == {("portaria-21-96-m/6/j/6",)}
    assert {(one.manner, one.expected["prize"], one.observed["prize"]) for one in found} == {
        (Manner.SETTLEMENT, 600, 500)
    }


def test_nothing_is_asked_of_who_gives_no_outcome_in_advance(law, oracle, offers):
    offer = msgspec.structs.replace(offers["craps"], forces=False)

    assert generate_prize_lines(law, offer, oracle, "1") == []
