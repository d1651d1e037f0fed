"""Outcomes that depend on something are noticed; those that do not are not, as often as stated."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from selo.draws import dependence as dp


def test_streams_that_begin_alike_are_found():
    chance = np.random.default_rng(1)
    one, other = chance.integers(0, 216, 5_000), chance.integers(0, 216, 300)
    other[100:130] = one[40:70]

    assert dp.measure_streams("", [one, other], Fraction(1, 216)).p_value < 1e-8


def test_streams_by_chance_have_nothing_in_common():
    chance = np.random.default_rng(2)
    streams = [chance.integers(0, 216, size) for size in (5_000, 300, 300)]

    assert dp.measure_streams("", streams, Fraction(1, 216)).p_value == 1.0


def test_one_process_shows_nothing_of_seeds():
    found = dp.measure_streams("", [np.zeros(100, int)], Fraction(1, 216))

    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_the_variance_of_a_permutation_is_that_of_all_orders():
    # All orders of five rounds, one by one.
    wins = np.random.default_rng(3).integers(0, 3, (5, 5)).astype(float)
    weights = np.array([1.0, -1.0, 1.0, 1.0, -1.0])
    sums = [
        sum(weights[at] * wins[at, order[at]] for at in range(5))
        for order in permutations(range(5))
    ]

    found = dp.add_permuted(wins, weights)

    assert found.variance == pytest.approx(np.var(sums))
    own = sum(weights[at] * wins[at, at] for at in range(5))
    assert found.excess == pytest.approx(own - np.mean(sums))


def test_exact_means_and_variances_add_up():
    # Two rounds, two equally likely outcomes: a bet that wins in one of them, and in none.
    wins = np.array([[1.0, 0.0], [0.0, 0.0]])

    found = dp.add_exact(wins, np.ones(2), np.array([1.0, 0.0]))

    assert (found.excess, found.variance, found.expected) == (0.5, 0.25, 0.5)


def simulated(chance, rounds, *, knowing=0.0):
    """Return p-values of bets that win one in six times, or less often where the outcome knows."""
    wins = (np.arange(6)[None, :] == chance.integers(0, 6, rounds)[:, None]).astype(float)
    seen = wins[np.arange(rounds), chance.integers(0, 6, rounds)]
    seen *= chance.random(rounds) >= knowing
    return dp.measure_wins("bets", dp.add_exact(wins, np.ones(rounds), seen)).p_value


def test_an_outcome_that_knows_the_bets_is_noticed():
    assert simulated(np.random.default_rng(4), 2_000, knowing=0.5) < 1e-6


@pytest.mark.full
def test_outcomes_that_know_nothing_are_doubted_no_more_often_than_stated():
    chance = np.random.default_rng(5)
    values = np.array([simulated(chance, 600) for _ in range(20_000)])

    for level in (0.05, 0.01, 0.001):
        assert stats.binom.sf(int((values < level).sum()) - 1, len(values), 1.3 * level) > 1e-4
