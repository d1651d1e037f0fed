"""Lawful vendors under other readings: they follow what they say, and nobody calls it a breach."""

import pytest

from selo.examine.selftest.in_process_examiner import Examiner
from selo.examine.selftest.reading_selftest import ReadingScorer, draw_reading_combinations
from selo.rules.checks.game_check import list_games

DIRECTION = "96-85-m-annex--order-direction"


@pytest.fixture(scope="module")
def scorer(law):
    return ReadingScorer(Examiner(law, "pai-kao"))


def test_every_reading_of_a_game_is_followed_by_itself_first(law):
    drawn = list(draw_reading_combinations(law, "pai-kao", combinations=3, seed=1))

    points = {point.id: point for point in law.divergences}
    assert [len(one) for one in drawn[:-3]] == [1] * (len(drawn) - 3)
    assert all(len(one) > 1 for one in drawn[-3:])
    assert all(points[name].default != reading for one in drawn for name, reading in one.items())
    assert {DIRECTION: "higher-number-higher"} in drawn


def test_the_same_seed_draws_the_same_readings(law):
    for game in list_games(law):
        first, second = (
            list(draw_reading_combinations(law, game, combinations=5, seed=3)) for _ in range(2)
        )

        assert first == second


def test_a_vendor_under_another_reading_answers_otherwise_and_breaks_nothing(scorer):
    score = scorer.score({DIRECTION: "higher-number-higher"})

    assert score.differing > 0
    assert score.misjudged == []


@pytest.mark.parametrize("game", ["pai-kao", pytest.param("craps", marks=pytest.mark.full)])
def test_nobody_who_follows_one_reading_is_accused(law, game):
    scorer = ReadingScorer(Examiner(law, game))

    scores = [
        scorer.score(readings)
        for readings in draw_reading_combinations(law, game, combinations=0, seed=1)
    ]

    assert scores
    assert [one for one in scores if one.accused] == []
