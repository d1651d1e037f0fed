"""Fair sources are accused no more often than is stated: thousands of simulated examinations."""

import numpy as np
import pytest
from scipy import stats

from selo.draws.draw_verdict import adjust_by_holm
from selo.draws.random_equipment import equipment_of_game
from selo.rules.readings.reading_choice import Readings

#: Few enough that thousands of examinations take a minute, many enough for every test.
OUTCOMES = 2_000


@pytest.fixture(scope="module")
def games(law):
    readings = Readings(law)
    return [
        equipment_of_game(law, "fish-prawn-crab", readings, {}),
        equipment_of_game(law, "fortune-three-card-poker", readings, {"shuffling": "by-hand"}),
        equipment_of_game(law, "fortune-three-card-poker", readings, {"shuffling": "by-machine"}),
    ]


def drawn(game, chance, outcomes=OUTCOMES):
    """Return outcomes of a fair source, made without any of our own dice or packs."""
    if hasattr(game, "dice"):
        return chance.integers(0, 6, (outcomes, 3)).astype(np.int16)
    packs = chance.random((outcomes, 52)).argsort(axis=1)
    return np.hstack([packs[:, :6], np.ones((outcomes, 1), int)]).astype(np.int16)


def p_values(games, chance):
    return [one.p_value for game in games for one in game.measures(drawn(game, chance))]


def at_most(times, level, trials):
    """Return whether so many times are not more than a level explains, one in ten thousand."""
    return bool(stats.binom.sf(times - 1, trials, level) > 1e-4)


@pytest.mark.full
def test_fair_sources_are_doubted_no_more_often_than_stated(games):
    chance = np.random.default_rng(19960212)
    least = np.array([min(adjust_by_holm(p_values(games, chance))) for _ in range(3_000)])

    for level in (0.1, 0.05, 0.01, 0.001):
        assert at_most(int((least < level).sum()), level, len(least)), level
    assert not (least < 1 / 20_000).any()


def test_some_fair_sources_are_doubted_no_more_often_than_stated(games):
    chance = np.random.default_rng(1996)
    least = np.array([min(adjust_by_holm(p_values(games, chance))) for _ in range(25)])

    assert at_most(int((least < 0.05).sum()), 0.05, len(least))


@pytest.mark.parametrize("expected", [5, 50])
def test_the_far_tail_is_right_only_where_enough_is_expected(expected):
    # One category expected so often, and three common ones: how often the level of one in a
    # hundred thousand is passed by chance.
    rare = expected / 20_000
    chances = np.array([rare, *[(1 - rare) / 3] * 3])
    chance = np.random.default_rng(7)
    passed = 0
    for _ in range(10):
        seen = chance.multinomial(20_000, chances, size=100_000)
        statistic = ((seen - 20_000 * chances) ** 2 / (20_000 * chances)).sum(axis=1)
        passed += int((statistic > stats.chi2.isf(1e-5, 3)).sum())

    assert at_most(passed, 2e-5, 1_000_000) is (expected == 50)
