"""Scripts that nobody wrote: the same for the same seed, lawful at a lawful table, and varied."""

import os
import subprocess
import sys

import msgspec
import pytest
from tests.games import GAMES_WITH_BETS
from tests.often import often
from tests.rounds import hypothesis_tables

from selo.cases.oracle import Oracle
from selo.errors import UsageError
from selo.law.files.events_file import EventRole
from selo.rounds.generate import script_generator
from selo.rounds.generate.script_generator import find_table_model, generate_scripts
from selo.rounds.generate.script_reader import read_written_scripts
from selo.rounds.generate.table_model import ModelContext, TableModel
from selo.rounds.table_player import play_scripts
from selo.rules.procedure.step_reader import list_step_games

GAMES = GAMES_WITH_BETS
_PROGRAM = """
import sys, msgspec
for name in sys.argv[3:]:
    __import__(name)
from selo.law.loader import load_law as load
from selo.protocol.messages import Offer
from selo.rounds.generate.script_generator import generate_scripts
offer = msgspec.json.decode(sys.argv[1], type=Offer)
scripts = generate_scripts(load(), offer.game, offer, int(sys.argv[2]), 8)
print(*(script.key for script in scripts))
"""


def elsewhere(offer, seed, hashing, *modules):
    """Return the keys of scripts that another process makes."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, msgspec.json.encode(offer).decode(), str(seed), *modules],
        env={**os.environ, "PYTHONHASHSEED": hashing, "TZ": "Asia/Macau", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.split()


def test_every_game_with_steps_can_be_played_in_the_mind(law):
    playable = {game for game in list_step_games(law) if find_table_model(law, game) is not None}

    assert {*GAMES} == {*list_step_games(law)} == playable


def test_nobody_is_asked_for_an_act_that_a_game_does_not_have(law, offers):
    context = ModelContext(law=law, oracle=Oracle(law), offer=offers["bacara"])
    model = TableModel(context)

    model.act(context.event(EventRole.GIVES_UP), place="1")

    assert model.acts == []


@pytest.mark.parametrize("game", GAMES)
def test_a_lawful_vendor_gives_no_difference(law, judge, session, offers, game):
    _is_lawful(judge, session, generate_scripts(law, game, offers[game], 1, 8), 8)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_a_lawful_vendor_gives_no_difference_in_many(law, judge, session, offers, game, seed):
    _is_lawful(judge, session, generate_scripts(law, game, offers[game], seed, 50), 50)


def _is_lawful(judge, session, scripts, count):
    assert len(scripts) == count
    for script, played in play_scripts(session, scripts):
        assert played.is_complete, script
        assert judge.judge(script, played) == [], script


@pytest.mark.full
@pytest.mark.parametrize(
    "game",
    [game if game == "craps" else pytest.param(game, marks=pytest.mark.full) for game in GAMES],
)
def test_the_same_seed_gives_the_same_scripts_in_every_process(law, offers, game):
    here = [one.key for one in generate_scripts(law, game, offers[game], 7, 8)]

    assert (
        elsewhere(
            offers[game],
            7,
            "2",
            "selo.cli.parser.command_line",
            "selo.examine.adapter_tools.smoke_test",
        )
        == here
    )


def test_another_seed_gives_other_scripts(law, offers):
    one = {script.key for script in generate_scripts(law, "craps", offers["craps"], 1, 10)}
    other = {script.key for script in generate_scripts(law, "craps", offers["craps"], 2, 10)}

    assert len(one) == len(other) == 10
    assert not one & other


def test_scripts_ask_for_what_is_taken_and_for_what_is_not(law, session, offers):
    answers = {
        (act["act"], answer["answer"])
        for script, played in play_scripts(
            session, generate_scripts(law, "fish-prawn-crab", offers["fish-prawn-crab"], 3, 20)
        )
        for act, answer in zip(script.acts, played.answers, strict=True)
    }

    for act in ("place-bet", "withdraw-bet", "lower-stake", "raise-stake", "move-stake"):
        assert {(act, "accepted"), (act, "refused")} <= answers


@pytest.mark.parametrize(
    "change",
    [
        {"happens": []},
        {"options": {}},
        {"bets": ["pass-line", "field"]},
    ],
)
def test_what_is_not_offered_is_not_asked_for(law, judge, session, offers, change):
    offer = msgspec.structs.replace(offers["craps"], **change)

    scripts = generate_scripts(law, "craps", offer, 1, 5)

    _is_lawful(judge, session, scripts, 5)
    bets = {act.get("bet") for script in scripts for act in script.acts} - {None}
    assert bets <= {*offer.bets}
    events = {act["event"]["event"] for one in scripts for act in one.acts if "event" in act}
    assert events <= {*offer.happens}


@pytest.mark.parametrize("change", [{"forces": False}, {"methods": ["settle"]}, {"bets": []}])
def test_where_no_outcome_can_be_given_in_advance_nothing_is_made(law, offers, change):
    offer = msgspec.structs.replace(offers["craps"], **change)

    assert generate_scripts(law, "craps", offer, 1, 5) == []


def test_a_game_without_steps_is_refused(law, offers):
    with pytest.raises(UsageError):
        generate_scripts(law, "pai-kao", offers["craps"], 1, 5)


@pytest.mark.parametrize(
    ("game", "seed", "count"),
    often(
        [("craps", 1, 5), *((game, seed, 60) for game in GAMES for seed in range(2, 7))],
        ("craps", 1, 5),
    ),
)
def test_tables_are_those_that_hypothesis_made(law, offers, monkeypatch, game, seed, count):
    made = generate_scripts(law, game, offers[game], seed, count)
    monkeypatch.setattr(script_generator, "simulate_tables", hypothesis_tables.simulate_tables)

    assert made == generate_scripts(law, game, offers[game], seed, count)


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab", "craps"))
def test_outcomes_are_drawn_and_not_only_those_that_are_written(law, offers, game):
    def given(scripts):
        acts = [act for one in scripts for act in one.acts if act["act"] == "force"]
        return {msgspec.json.encode(act["outcome"]) for act in acts}

    known, made = (
        given(read_written_scripts(law, game)),
        given(generate_scripts(law, game, offers[game], 1, 25)),
    )

    assert len(made - known) > len(made) / 3
    assert made != given(generate_scripts(law, game, offers[game], 2, 25))
