"""Whole packs, shoes and sets of tiles: what is wrong is found, and random orders pass."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from selo.draws.draw_verdict import adjust_by_holm
from selo.draws.random_equipment import whole_packs_of_game
from selo.draws.whole_packs import circular_moments, succession_moments
from selo.rules.readings.reading_choice import Readings


def of(law, game, **options):
    return whole_packs_of_game(law, game, Readings(law), options)


def shuffled(source, chance, count, burned=0, behind=0):
    size = len(source.new_pack)
    for _ in range(count):
        pieces = [source.new_pack[at] for at in chance.permutation(size)]
        yield {"pieces": pieces, "burned": burned, "before_cut": size - behind}


def least(source, packs):
    tests = list(source.measures(source.rows(packs)))
    p_values = adjust_by_holm([test.p_value for test in tests])
    at = int(np.argmin(p_values))
    return tests[at].test, p_values[at]


def test_the_pieces_are_those_of_the_law(law):
    assert len(of(law, "three-card-baccarat", packs=8).new_pack) == 8 * 52
    assert len(of(law, "pai-kao").new_pack) == 32
    assert of(law, "craps") is None


def test_moments_of_successions_are_those_of_all_orders():
    # Four kinds, one of them twice: all orders of five pieces, one by one.
    copies = [2, 1, 1, 1]
    pieces = [0, 0, 1, 2, 3]
    counts = [
        sum((order[at + 1] - order[at]) % 4 == 1 for at in range(4))
        for order in permutations(pieces)
    ]

    mean, variance = succession_moments(copies)

    assert (float(mean), float(variance)) == pytest.approx((np.mean(counts), np.var(counts)))


def test_moments_of_neighbours_are_those_of_all_orders():
    values = np.array([-3.0, -1.0, 0.0, 1.0, 1.0, 2.0])
    sums = [
        sum(order[at] * order[at - 1] for at in range(len(order))) for order in permutations(values)
    ]

    assert circular_moments(values) == pytest.approx((np.mean(sums), np.var(sums)))


@pytest.mark.parametrize("wrong", ["missing", "double", "short", "long"])
def test_one_wrong_pack_of_many_is_found(law, wrong):
    source = of(law, "three-card-baccarat", packs=8)
    packs = list(shuffled(source, np.random.default_rng(1), 20))
    pieces = packs[7]["pieces"]
    if wrong == "short":
        pieces.pop()
        packs[7]["before_cut"] -= 1
    elif wrong == "long":
        pieces.append("KS")
    else:
        pieces[pieces.index("KS" if wrong == "missing" else "2C")] = "AH"

    assert least(source, packs) == ("composition", 0.0)


@pytest.mark.parametrize("outcome", [
    {}, {"pieces": ["1S"]}, {"pieces": ["AS"], "cut": 1}, {"pieces": ["AS"], "burned": 2},
    {"pieces": ["AS"], "burned": True}, {"pieces": ["AS"] * 1_000},
])  # fmt: skip
def test_what_is_no_pack_is_refused(law, outcome):
    with pytest.raises((LookupError, ValueError)):
        of(law, "fortune-three-card-poker").row(outcome)


def test_a_random_order_is_not_accused(law):
    source = of(law, "three-card-baccarat", packs=8)
    packs = shuffled(source, np.random.default_rng(2), 120, burned=8, behind=35)

    assert least(source, packs)[1] > 1e-3


@pytest.mark.full
@pytest.mark.parametrize(("game", "options"), [
    ("pai-kao", {}), ("fortune-three-card-poker", {}), ("three-card-baccarat", {"packs": 8}),
])  # fmt: skip
def test_random_orders_are_doubted_no_more_often_than_stated(law, game, options):
    source, chance = of(law, game, **options), np.random.default_rng(3)
    runs = 400
    p_values = [
        least(source, shuffled(source, chance, 120, burned=4, behind=12))[1] for _ in range(runs)
    ]

    for level in (0.1, 0.01):
        times = sum(value < level for value in p_values)
        assert stats.binom.sf(times - 1, runs, level) > 1e-4, level
