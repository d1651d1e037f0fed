"""Each statistic against figures that others published, and against scipy.stats."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from selo.draws import chi_square as ms

#: The sum of two dice: how likely each is.
SUMS = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
#: One die thrown so often: https://justaaa.com/statistics-and-probability/72812
DIE = [15, 29, 16, 15, 30, 15]


def cells(probabilities):
    return [(str(name), chance) for name, chance in probabilities.items()]


# Knuth, The Art of Computer Programming, volume 2, section 3.3.1: 144 throws of two dice.
@pytest.mark.parametrize(
    ("seen", "published"),
    [
        ([2, 4, 10, 12, 22, 29, 21, 15, 14, 9, 6], 7 + Fraction(7, 48)),
        ([4, 10, 10, 13, 20, 18, 18, 11, 13, 14, 13], 29 + Fraction(59, 120)),
        ([3, 7, 11, 15, 19, 24, 21, 17, 13, 9, 5], 1 + Fraction(17, 120)),
    ],
)
def test_chi_square_is_as_knuth_has_it(seen, published):
    found = ms.pearson_statistic(list(zip(SUMS.values(), seen, strict=True)), 144)

    assert found == pytest.approx(float(published), rel=1e-12)


def test_chi_square_of_sevens_and_elevens_is_as_published():
    # https://www.wyzant.com/resources/answers/670878: 360 tosses of a pair of dice.
    chances = [Fraction(1, 6), Fraction(1, 18), Fraction(7, 9)]

    found = ms.pearson_statistic(list(zip(chances, [74, 24, 262], strict=True)), 360)

    assert found == pytest.approx(float(5 + Fraction(47, 210)), rel=1e-12)


def test_the_tail_is_as_published():
    # The page has 13.597 with 5 degrees of freedom, and 0.0184.
    found = ms.pearson_statistic([(Fraction(1, 6), count) for count in DIE], sum(DIE))

    assert found == pytest.approx(13.6)
    assert ms.upper_tail(5, found) == pytest.approx(0.0184, abs=5e-5)


@pytest.mark.parametrize("factor", [100, 1000])
def test_frequencies_are_as_scipy_has_them(factor):
    seen = [count * factor for count in DIE]

    found = ms.measure_frequencies("", "", cells(dict.fromkeys(range(6), Fraction(1, 6))), seen)

    assert found.statistic == pytest.approx(stats.chisquare(seen).statistic)
    assert found.p_value == pytest.approx(stats.chisquare(seen).pvalue)


@pytest.mark.parametrize("freedom", [1, 5, 51, 215])
@pytest.mark.parametrize("far", [0.5, 2, 6, 12])
def test_the_tail_is_that_of_scipy_however_far(freedom, far):
    statistic = freedom + far * (2 * freedom) ** 0.5

    assert ms.upper_tail(freedom, statistic) == pytest.approx(
        stats.chi2.sf(statistic, freedom), rel=1e-9
    )


def test_categories_are_pooled_rarest_first_until_each_is_expected_often_enough():
    some = [ms.Cell(name=str(total), probability=chance, observed=total)
            for total, chance in SUMS.items()]  # fmt: skip

    pooled = ms.pool_categories(some, 900)

    assert all(chance * 900 >= ms.LEAST_EXPECTED for chance, _ in pooled)
    assert sum(chance for chance, _ in pooled) == 1
    assert sum(count for _, count in pooled) == sum(SUMS)
    # 2 and 12 are expected 25 times each, which together is just enough; 3 and 11 are, alone.
    assert len(pooled) == len(SUMS) - 1


def test_what_is_pooled_does_not_depend_on_what_was_seen():
    def pooled(seen):
        some = [
            ms.Cell(name=str(total), probability=chance, observed=count)
            for (total, chance), count in zip(SUMS.items(), seen, strict=True)
        ]
        return [chance for chance, _ in ms.pool_categories(some, 900)]

    assert pooled(range(11)) == pooled([0] * 11)


def test_too_few_outcomes_show_nothing():
    found = ms.measure_frequencies(
        "", "", cells({"a": Fraction(1, 2), "b": Fraction(1, 2)}), [7, 0]
    )

    assert (found.freedom, found.p_value) == (None, 1.0)


def test_cards_of_one_deal_vary_less_than_independent_ones():
    # Five of ten cards each time: the variance of sampling without replacement, by scipy.
    law = stats.multivariate_hypergeom(m=[1] * 10, n=5)
    independent = stats.multinomial(n=5, p=[0.1] * 10)

    shrink = Fraction(10 - 5, 10 - 1)

    assert law.cov() == pytest.approx(float(shrink) * independent.cov())


# Runs.


def test_runs_by_chance_are_as_published():
    # https://stats.stackexchange.com/questions/37751: bits of a file, and the variance of its runs.
    mean, variance = ms.expected_runs(39_933_862, 39_948_082)

    assert mean == pytest.approx(39_940_971, abs=1)
    assert variance == pytest.approx(19_970_484.4843298, abs=1e-4)


def test_high_and_low_that_take_turns_are_noticed():
    found = ms.measure_runs("", np.tile([True, False], 500))

    assert found.statistic > 30
    assert found.p_value < 1e-200


def test_runs_of_chance_are_not_noticed():
    found = ms.measure_runs("", np.random.default_rng(1).random(10_000) < 0.3)

    assert found.p_value > 0.001


# Correlation.


def test_the_correlation_with_the_next_is_that_of_scipy():
    scores = np.random.default_rng(2).integers(3, 19, 50_000)

    found = ms.measure_correlation("", scores)

    # Both divide by nearly the same spread: with so many outcomes they agree to four digits.
    wanted = stats.pearsonr(scores[1:], scores[:-1])
    assert found.statistic / 50_000**0.5 == pytest.approx(wanted.statistic, abs=1e-4)
    assert found.p_value == pytest.approx(wanted.pvalue, abs=0.01)


def test_outcomes_that_follow_the_one_before_are_noticed():
    steps = np.random.default_rng(3).integers(0, 6, 10_000)

    assert ms.measure_correlation("", steps[1:] + steps[:-1]).p_value < 1e-100


def test_what_never_changes_is_no_correlation():
    assert ms.measure_correlation("", np.full(100, 7)).p_value == 1.0


# Repetition.


def test_a_source_that_begins_anew_is_noticed():
    codes = np.tile(np.random.default_rng(4).integers(0, 216, 3_000), 2)

    found = ms.measure_repetition("", codes, Fraction(1, 216))

    assert found.statistic > 2_900
    assert found.p_value < 1e-8


def test_chance_repeats_no_long_stretch():
    found = ms.measure_repetition(
        "", np.random.default_rng(5).integers(0, 216, 50_000), Fraction(1, 216)
    )

    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_a_stretch_is_so_long_that_none_is_expected_again():
    found = ms.measure_repetition("", np.arange(60_000), Fraction(1, 216))

    pairs = 60_000 * 59_999 / 2
    assert pairs / 216 ** int(found.of) <= 1e-9 < pairs / 216 ** (int(found.of) - 1)


# Power.


def test_power_is_as_published():
    # real-statistics.com, "Confidence intervals for power and effect size for chi-square tests":
    # a noncentrality of 30 with 4 degrees of freedom has a power of 99.7 % at 5 %.
    one = ms.Measure(test="", trials=500, statistic=0, freedom=4, p_value=1, strength=30.0)

    assert ms.power_of(one, 0.05, 1.0) == pytest.approx(0.997, abs=5e-4)


@pytest.mark.parametrize("bias", [0.02, 0.05, 0.1])
def test_power_is_that_of_scipy(bias):
    fair = dict.fromkeys(range(6), Fraction(1, 6))
    one = ms.measure_frequencies("", "", cells(fair), [10_000] * 6)
    biased = np.full(6, (1 - (1 + bias) / 6) / 5)
    biased[0] = (1 + bias) / 6

    shift = 60_000 * float((((biased - 1 / 6) ** 2) * 6).sum())
    wanted = stats.ncx2.sf(stats.chi2.isf(1e-6, 5), 5, shift)
    assert ms.power_of(one, 1e-6, bias) == pytest.approx(wanted, rel=1e-6)


def test_a_bias_that_is_noticed_surely_has_that_power():
    one = ms.measure_frequencies(
        "", "", cells(dict.fromkeys(range(6), Fraction(1, 6))), [10_000] * 6
    )

    bias = ms.detectable_bias(one, 1e-6, 0.9)

    assert ms.power_of(one, 1e-6, bias) == pytest.approx(0.9)


def test_as_many_loaded_dice_are_noticed_as_power_says():
    chance, bias, level = np.random.default_rng(6), 0.12, 0.001
    fair = cells(dict.fromkeys(range(6), Fraction(1, 6)))
    loaded = [(1 + bias) / 6, *[(1 - (1 + bias) / 6) / 5] * 5]
    tried = [
        ms.measure_frequencies("", "", fair, chance.multinomial(6_000, loaded))
        for _ in range(2_000)
    ]

    noticed = sum(one.p_value < level for one in tried) / 2_000

    said = ms.power_of(tried[0], level, bias)
    assert 0.2 < said < 0.8
    assert noticed == pytest.approx(said, abs=4 * (0.25 / 2_000) ** 0.5)
