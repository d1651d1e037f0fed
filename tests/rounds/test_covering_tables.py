"""Tables of a covering design show what depends on two things at once, in every game."""

from itertools import combinations

import msgspec
import pytest
from tests.often import often
from tests.rounds import lawful_rounds as lawful

from selo.cases.oracle import Oracle
from selo.rounds import play_scripts
from selo.rounds.generate import generate_covering_tables
from selo.rounds.generate.covering_tables import COVERING_GROUP
from selo.rounds.judge import Manner
from selo.rounds.script import Script

#: What tells a bet apart from another one of the same bettor.
_KEY = ("player", "bet", "choice", "seat", "place")
ROUNDS_OF_ONE_DECISION = [game for game in lawful.GAMES if game != "craps"]
WITH_PLACES = ["three-card-baccarat", "fortune-three-card-poker"]
#: At a place of poker lies one ante and one Pair Plus.
REPEATABLE = [game for game in lawful.GAMES if game != "fortune-three-card-poker"]


@pytest.fixture(scope="module")
def tables_of(law, offers):
    """Return how to get the covering tables of a game, made once."""
    oracle, made = Oracle(law), {}

    def found(game) -> list[Script]:
        if game not in made:
            made[game] = generate_covering_tables(law, offers[game], oracle, f"{lawful.SEED}/0")
        return made[game]

    return found


def placements(script):
    return [act for act in script.acts if "stake" in act and "bet" in act]


@pytest.mark.parametrize("game", often(lawful.GAMES, "bacara", "fortune-three-card-poker"))
def test_a_lawful_vendor_takes_every_bet_and_gives_no_difference(judge, session, tables_of, game):
    for script, played in play_scripts(session, tables_of(game)):
        assert {answer["answer"] for answer in played.answers} == {"accepted"}, script.name
        assert judge.judge(script, played) == [], script.name


@pytest.mark.parametrize("game", ROUNDS_OF_ONE_DECISION)
def test_any_two_options_of_a_table_meet(tables_of, game):
    tables = [
        {name: str(value) for name, value in script.options.items()} for script in tables_of(game)
    ]
    names = sorted({name for options in tables for name in options})
    levels = {name: {options.get(name) for options in tables} for name in names}

    for one, other in combinations(names, 2):
        met = {(options.get(one), options.get(other)) for options in tables}
        # Some options come together or not at all, as the maximum and the limits.
        wanted = len(levels[one]) * len(levels[other])
        assert len(met) in {wanted, max(len(levels[one]), len(levels[other]))}, (one, other)


@pytest.mark.parametrize("game", WITH_PLACES)
def test_every_place_of_a_full_table_has_a_stake_of_its_own(tables_of, game):
    full = [
        {act.get("seat", act.get("place")): act["stake"] for act in placements(script)}
        for script in tables_of(game)
    ]
    stakes = [{spot: stake for spot, stake in table.items() if spot is not None} for table in full]

    assert any(len(table) == 7 == len({*table.values()}) for table in stakes)


class Watched:
    """A table that remembers what was placed, and pays nothing where a condition holds."""

    def watch(self, act):
        """Remember a bet that is placed."""
        key = tuple(str(act.get(name)) for name in _KEY)
        self.placed.append({"key": key, "ticket": act["ticket"], "stake": act["stake"]})

    def facts(self, ticket):
        """Return what is known of a bet: how often it was placed before, and beside it."""
        own = next(one for one in self.placed if one["ticket"] == ticket)
        alike = [one for one in self.placed if one["key"] == own["key"]]
        spots = {one["key"][-2:] for one in self.placed} - {("None", "None")}
        return {
            "first": alike[0] is own,
            "again": alike.index(own),
            "stake": own["stake"],
            "spots": len(spots),
            "last_spot": "7" in own["key"][-2:],
        }


def spoiled_where(condition):
    def spoil(table, _):
        class Spoiled(table, Watched):
            def __init__(self, *given):
                super().__init__(*given)
                self.placed = []

            def act(self, act):
                answer = super().act(act)
                if act["act"] == "place-bet" and answer["answer"] == "accepted":
                    self.watch(act)
                for one in answer.get("settlements", ()):
                    known = any(bet["ticket"] == one["ticket"] for bet in self.placed)
                    if (
                        known
                        and one["prize"]
                        and condition(self.facts(one["ticket"]), self.options)
                    ):
                        one["prize"] = 0
                return answer

        return Spoiled

    return spoil


FAULTS = {
    "the same bet of one bettor again": lambda bet, _: bet["again"] == 1,
    "the same bet for the fourth time": lambda bet, _: bet["again"] >= 3,
    "a stake beyond 2^31": lambda bet, _: bet["stake"] >= 2**31,
    "a large stake under limits": lambda bet, options: (
        bet["stake"] >= 2**27 and options.get("limits") == "declared"
    ),
    "the last place of a full table": lambda bet, _: bet["spots"] == 7 and bet["last_spot"],
}


SOME = [
    ("bacara", "the same bet of one bettor again"),
    ("fish-prawn-crab", "a large stake under limits"),
    ("fortune-three-card-poker", "the last place of a full table"),
]
EVERY = [(game, fault) for game in lawful.GAMES for fault in FAULTS]


@pytest.mark.parametrize(("game", "fault"), often(EVERY, *SOME))
def test_a_fault_that_needs_a_history_a_full_table_or_two_options_shows(
    judge, spoiled, tables_of, game, fault
):
    applies = {
        "the last place of a full table": game in WITH_PLACES,
        "a large stake under limits": game != "bacara",
    }
    session = spoiled(game, spoiled_where(FAULTS[fault]))
    scripts = [one for one in tables_of(game) if len(one.acts) < 150]

    found = {
        one.manner
        for script, played in play_scripts(session, scripts)
        for one in judge.judge(script, played)
    }

    assert (Manner.SETTLEMENT in found) == applies.get(fault, True)


@pytest.mark.parametrize("game", REPEATABLE)
def test_a_bettor_has_the_same_bet_twice_in_one_round(tables_of, game):
    def twins(script):
        since = []
        for act in script.acts:
            since = [] if act["act"] == "force" else since
            if act["act"] == "place-bet":
                key = tuple(str(act.get(name)) for name in _KEY)
                yield key in since
                since.append(key)

    assert any(any(twins(script)) for script in tables_of(game))


def test_the_same_seed_gives_the_same_tables_and_another_seed_others(law, offers):
    oracle, offer = Oracle(law), offers["bacara"]

    first, again, other = (
        generate_covering_tables(law, offer, oracle, seed) for seed in ("1/0", "1/0", "2/0")
    )

    assert first == again != other
    assert {script.group for script in first} == {COVERING_GROUP}


def test_a_vendor_that_cannot_force_outcomes_gets_no_covering_tables(law, offers):
    offer = msgspec.structs.replace(offers["bacara"], forces=False)

    assert generate_covering_tables(law, offer, Oracle(law), "1/0") == []
