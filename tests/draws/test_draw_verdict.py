"""The budget of errors: how often a fair source may be accused, and what a sample must show."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from selo.draws import draw_verdict as jd
from selo.draws.chi_square import Measure, measure_frequencies

SOURCE = jd.DrawSource(game="g", options={}, provisions=["p"])
FACES = [(str(face), Fraction(1, 6)) for face in range(6)]


def measure(p_value):
    return Measure(test="face", trials=60_000, statistic=1, freedom=5, p_value=p_value,
                   strength=12_000.0)  # fmt: skip


def verdicts(*p_values):
    return [
        one.verdict for one in jd.judge_draws([(SOURCE, 60_000, list(map(measure, p_values)))], 1)
    ]


def test_holm_rejects_what_the_published_example_rejects():
    # geeksforgeeks.org, "Holm-Bonferroni method": of 0.01, 0.04, 0.03, 0.005 the first and last.
    adjusted = jd.adjust_by_holm([0.01, 0.04, 0.03, 0.005])

    assert [one <= 0.05 for one in adjusted] == [True, False, False, True]


def test_holm_adjusts_as_its_rule_says():
    # The least by all four, the next by three, and none below one before it.
    assert jd.adjust_by_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_is_never_below_the_rule_of_discoveries_of_scipy():
    p_values = np.random.default_rng(1).random(60) ** 3

    assert (
        np.array(jd.adjust_by_holm(list(p_values))) >= stats.false_discovery_control(p_values)
    ).all()


def test_one_fair_source_in_ten_thousand_is_accused_over_both_looks(law):
    levels = jd.read_levels(law, ["fish-prawn-crab", "bacara"])

    assert levels.of_look * levels.looks == Fraction(1, 10_000)


def test_below_the_level_it_is_against_the_law():
    assert verdicts(4.9e-5) == ["unfair"]


def test_at_the_level_it_is_in_doubt():
    assert verdicts(5e-5) == ["doubtful"]


def test_at_one_in_a_hundred_it_is_as_by_chance():
    assert verdicts(0.01) == ["fair"]


def test_many_tests_make_each_of_them_stricter():
    assert verdicts(4.9e-5, *[0.5] * 60)[0] == "doubtful"


def test_no_test_at_all_is_in_doubt():
    assert jd.worst_result([]) is jd.DrawResult.DOUBTFUL


def test_a_statistic_tells_everything_that_it_rests_on():
    one = measure_frequencies("face", "1", FACES, [10_300, 9_900, 10_000, 9_900, 10_000, 9_900])
    (told,) = jd.judge_draws([(SOURCE, 60_000, [one])], 1)

    assert (told.sample, told.trials, told.freedom, told.tests) == (60_000, 60_000, 5, 1)
    assert float(told.statistic) == pytest.approx(12.0)
    assert float(told.p_value) == pytest.approx(stats.chi2.sf(12.0, 5), rel=1e-5)
    assert (told.level, told.doubt) == ("5e-05", "0.01")
    assert told.frequencies[0] == jd.CategoryFrequency(
        name="0", probability="1/6", expected="10000", observed=10_300
    )


@pytest.mark.parametrize(("outcomes", "enough"), [(600, False), (60_000, True)])
def test_a_sample_is_large_enough_if_a_large_bias_would_be_seen(outcomes, enough):
    one = measure_frequencies("face", "1", FACES, [outcomes // 6] * 6)

    assert jd.is_sample_sufficient(jd.judge_draws([(SOURCE, outcomes, [one] * 10)], 1)) is enough


def test_without_the_tests_that_decide_nothing_is_enough():
    one = measure_frequencies("sum", "", FACES, [10_000] * 6)

    assert not jd.is_sample_sufficient(jd.judge_draws([(SOURCE, 60_000, [one])], 1))
