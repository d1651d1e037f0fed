"""A covering array holds every two levels of every two factors, in few rows."""

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selo.cases.covering_array import cover_levels, cover_pairs

SIZES = st.lists(st.integers(1, 7), min_size=1, max_size=7)


def chance(seed):
    return Random(seed)  # noqa: S311 - reproducible


def pairs_of(rows):
    return {pair for row in rows for pair in combinations(enumerate(row), 2)}


@given(sizes=SIZES, seed=st.integers(0, 9))
def test_every_two_levels_of_every_two_factors_share_a_row(sizes, seed):
    wanted = {
        ((first, a), (second, b))
        for first, second in combinations(range(len(sizes)), 2)
        for a, b in product(range(sizes[first]), range(sizes[second]))
    }

    assert pairs_of(cover_pairs(sizes, chance(seed))) == wanted


@given(sizes=SIZES, seed=st.integers(0, 9))
def test_every_level_of_every_factor_is_in_some_row(sizes, seed):
    for cover in (cover_pairs, cover_levels):
        rows = cover(sizes, chance(seed))

        assert [{row[at] for row in rows} for at in range(len(sizes))] == [
            set(range(size)) for size in sizes
        ]


# Two factors need the product of their levels; the others are from the published tables of
# covering arrays (ten factors of two levels need 6 rows, thirteen of three need 15).
@pytest.mark.parametrize(
    ("sizes", "fewest"), [([31, 24], 744), ([2] * 10, 6), ([3] * 13, 15), ([30, 20, 4, 4, 3], 600)]
)
def test_rows_stay_close_to_the_fewest_that_are_possible(sizes, fewest):
    assert fewest <= len(cover_pairs(sizes, chance(0))) <= 1.75 * fewest


def test_one_row_for_each_level_covers_the_levels():
    assert len(cover_levels([3, 8, 2], chance(0))) == 8


@pytest.mark.parametrize("cover", [cover_pairs, cover_levels])
def test_a_seed_gives_the_same_rows_and_another_seed_others(cover):
    sizes = [6, 5, 4, 3]

    assert cover(sizes, chance(1)) == cover(sizes, chance(1)) != cover(sizes, chance(2))


@pytest.mark.parametrize("sizes", [[], [3, 0]])
@pytest.mark.parametrize("cover", [cover_pairs, cover_levels])
def test_without_levels_there_are_no_rows(cover, sizes):
    assert cover(sizes, chance(0)) == []
