"""Faults of a whole engine: each shows in the plan, and breaks provisions that the law has."""

import functools

import pytest
from tests.often import often

from selo.examine.selftest.combination_selftest import CombinationScorer
from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.planted_selftest import load_engine_faults
from selo.verdict.rulings import adopt_rulings

GAMES = (
    "fish-prawn-crab", "three-card-baccarat", "bacara", "fortune-three-card-poker", "craps",
)  # fmt: skip
#: Kinds that every game with prizes has.
KINDS = {
    "every-prize-one-stake-short", "short-after-a-win", "prizes-wrap-at-31-bits",
    "prizes-wrap-at-16-bits", "every-seventh-answer-short", "short-at-a-full-table",
    "charges-what-is-free",
}  # fmt: skip


@pytest.fixture(scope="module")
def scorer(law):
    rulings = adopt_rulings(law, defaults=True)
    return functools.cache(lambda game: CombinationScorer(Examiner(law, game, rulings)))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_prizes_has_every_kind_that_any_has(game):
    assert load_engine_faults(game).keys() >= KINDS


@pytest.mark.parametrize("game", GAMES)
def test_what_a_fault_touches_is_in_the_law(law, game):
    named = {name for fault in load_engine_faults(game).values() for name in fault.touches}

    assert named <= law.provisions.keys()


@pytest.mark.parametrize("game", often(GAMES, "fish-prawn-crab"))
def test_every_fault_shows_and_breaks_provisions_of_its_game(law, scorer, game):
    scoring = scorer(game)

    broken = {fault.name: scoring.broken_alone(fault) for fault in scoring.engine}

    assert [name for name, provisions in broken.items() if not provisions] == []
    assert {name for names in broken.values() for name in names} <= {
        name for name, held in law.provisions.items() if held.instrument.game == game
    }


def test_an_engine_forgets_nothing_between_questions_and_everything_between_vendors(scorer):
    scoring = scorer("fish-prawn-crab")
    (fault,) = (one for one in scoring.engine if one.name == "short-after-a-win")
    question = {
        "game": "fish-prawn-crab", "options": {}, "outcome": {"dice": ["fish", "prawn", "gourd"]},
        "bets": [{"bet": "small", "stake": 100}],
    }  # fmt: skip

    def prizes(vendor, times):
        return [vendor.settle(question)["settlements"][0]["prize"] for _ in range(times)]

    # Portaria 21/96/M, art. 6 a): small pays one to one, and 1 + 2 + 3 is small.
    assert prizes(scoring.build([fault]), 2) == [100, 99]
    assert prizes(scoring.build([fault]), 1) == [100]
