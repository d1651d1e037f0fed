"""Verdicts on random sources from statistical tests, with bounded error rates.

1. All tests of one look form a family. Their p-values are adjusted by Holm's method, which bounds
   the family-wise error rate by the level, whatever the dependence between tests.
2. An adjusted p-value below the level of a look means unfair. Between it and the level of doubt
   more outcomes are drawn, once, and the second look decides.
3. A fair source is accused in at most one of `ONE_FALSE_ACCUSATION_IN` examinations, and left in
   doubt in at most one of `ONE_FALSE_DOUBT_IN` squared, as both looks must be in doubt.
"""

from __future__ import annotations

import enum
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from selo.draws.chi_square import LEAST_EXPECTED, detectable_bias, power_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.draws.chi_square import Cell, Measure

#: At most one fair source in this many is accused.
ONE_FALSE_ACCUSATION_IN: Final = 10_000
#: At most one fair source in this many is drawn from again.
ONE_FALSE_DOUBT_IN: Final = 100
MAX_LOOKS: Final = 2
#: The bias for which power is stated: excess of one category's probability, or correlation.
STATED_BIAS: Final = Fraction(5, 100)
#: A sample is sufficient if this bias of a face or card is detected with the stated power.
LARGEST_UNNOTICED_BIAS: Final = Fraction(25, 100)
STATED_POWER: Final = Fraction(9, 10)
#: Tests that decide whether a sample is sufficient: each face of a die, each card.
_SAMPLE_SIZE_TESTS: Final = frozenset({"face", "cards"})
_MAX_CATEGORIES_SHOWN: Final = 8


class DrawResult(enum.StrEnum):
    """What a test says of a random source, gravest last."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    UNFAIR = "unfair"


class OutcomeSource(enum.StrEnum):
    """Where outcomes came from."""

    #: The method `draw`.
    DRAW = "draw"
    #: Live tables at which nothing is forced.
    TABLE = "table"
    #: Both, compared with each other.
    BOTH = "both"


class CategoryFrequency(msgspec.Struct, frozen=True, kw_only=True):
    """One category: its exact probability, how often it was expected, how often it came."""

    name: str
    probability: str
    expected: str
    observed: int


class DrawStatistic(msgspec.Struct, frozen=True, kw_only=True):
    """One test of a random source; figures that are not whole are written with six digits."""

    test: str
    of: str
    game: str
    options: dict[str, str | int]
    provisions: list[str]
    #: 1, or 2 where the first look was doubtful.
    look: int
    #: The number of outcomes drawn, and of events counted by the test.
    sample: int
    trials: int
    statistic: str
    freedom: int | None
    p_value: str
    #: The p-value adjusted for the number of tests by Holm's method.
    adjusted: str
    tests: int
    #: Below `level` the source is unfair; below `doubt` it is doubtful.
    level: str
    doubt: str
    #: The power against the stated bias, and the least bias detected with the stated power.
    power: str | None
    notices: str | None
    verdict: DrawResult
    #: The categories with the largest deviations.
    frequencies: list[CategoryFrequency]
    source: OutcomeSource = OutcomeSource.DRAW

    @property
    def distance(self) -> float:
        """The deviation from the null hypothesis on a scale common to all tests."""
        if self.freedom is not None:
            return (float(self.statistic) - self.freedom) / math.sqrt(2 * self.freedom)
        # An almost impossible event is the strongest evidence.
        return math.inf if self.power is None else abs(float(self.statistic))


class DrawSource(msgspec.Struct, frozen=True, kw_only=True):
    """The source of outcomes: a game with options, and the provisions that require randomness."""

    game: str
    options: dict[str, str | int]
    provisions: list[str]
    origin: OutcomeSource = OutcomeSource.DRAW


def six_digits(number: float | Fraction) -> str:
    """Return a number with six digits, as it is reported and compared."""
    return f"{float(number):.6g}"


def look_level() -> Fraction:
    """Return the significance level of one look."""
    return Fraction(1, ONE_FALSE_ACCUSATION_IN * MAX_LOOKS)


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, in their order."""
    count = len(p_values)
    adjusted, highest = [0.0] * count, 0.0
    for rank, at in enumerate(sorted(range(count), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, p_values[at] * (count - rank)))
        adjusted[at] = highest
    return adjusted


def judge_draws(
    measured: Sequence[tuple[DrawSource, int, Sequence[Measure]]], look: int
) -> list[DrawStatistic]:
    """Return the statistics of all tests of one look; each source has the size of its sample."""
    tests = [(source, size, test) for source, size, measures in measured for test in measures]
    adjusted = adjust_by_holm([test.p_value for _, _, test in tests])
    return [
        _make_statistic(source, size, test, look, p_value, len(tests))
        for (source, size, test), p_value in zip(tests, adjusted, strict=True)
    ]


def _make_statistic(  # noqa: PLR0913, PLR0917 - all the inputs of a statistic
    source: DrawSource, size: int, one: Measure, look: int, adjusted: float, tests: int
) -> DrawStatistic:
    # Power is stated for Bonferroni's level, a lower bound: Holm's method can only increase it.
    level = float(look_level() / tests)
    power, least = (
        power_of(one, level, float(STATED_BIAS)),
        detectable_bias(one, level, float(STATED_POWER)),
    )
    return DrawStatistic(
        test=one.test,
        of=one.of,
        game=source.game,
        options=source.options,
        provisions=source.provisions,
        look=look,
        sample=size,
        trials=one.trials,
        statistic=six_digits(one.statistic),
        freedom=one.freedom,
        p_value=six_digits(one.p_value),
        adjusted=six_digits(adjusted),
        tests=tests,
        level=six_digits(look_level()),
        doubt=six_digits(Fraction(1, ONE_FALSE_DOUBT_IN)),
        power=None if power is None else six_digits(power),
        notices=None if least is None or math.isinf(least) else six_digits(least),
        verdict=_result_of(six_digits(adjusted)),
        frequencies=_largest_deviations(one),
        source=source.origin,
    )


def least_detectable_bias(one: Measure, tests: int) -> str:
    """Return the least bias that one of `tests` tests detects with the stated power."""
    return six_digits(
        detectable_bias(one, float(look_level() / tests), float(STATED_POWER)) or math.inf
    )


def _result_of(adjusted: str) -> DrawResult:
    p_value = float(adjusted)
    if p_value < float(six_digits(look_level())):
        return DrawResult.UNFAIR
    return (
        DrawResult.DOUBTFUL
        if p_value < float(six_digits(Fraction(1, ONE_FALSE_DOUBT_IN)))
        else DrawResult.FAIR
    )


def _largest_deviations(one: Measure) -> list[CategoryFrequency]:
    """Return the categories that contribute most to the statistic, largest first."""

    def contribution(cell: Cell) -> float:
        expected = max(float(one.trials * cell.probability), float(LEAST_EXPECTED))
        return (cell.observed - float(one.trials * cell.probability)) ** 2 / expected

    largest = sorted(one.cells, key=contribution, reverse=True)[:_MAX_CATEGORIES_SHOWN]
    return [
        CategoryFrequency(
            name=cell.name,
            probability=str(cell.probability),
            expected=six_digits(one.trials * cell.probability),
            observed=cell.observed,
        )
        for cell in largest
    ]


class SizedTest(Protocol):
    """A test, and the least bias that it detects with the stated power."""

    @property
    def test(self) -> str:
        """The name of the test."""

    @property
    def notices(self) -> str | None:
        """The least bias detected."""


def is_sample_sufficient(statistics: Sequence[SizedTest]) -> bool:
    """Return whether the sample of a source was large enough to detect a large bias."""
    # A report names what a test is of behind its name.
    deciding = [
        statistic
        for statistic in statistics
        if statistic.test.partition(" ")[0] in _SAMPLE_SIZE_TESTS
    ]
    return bool(deciding) and all(
        one.notices is not None and float(one.notices) <= LARGEST_UNNOTICED_BIAS for one in deciding
    )


def worst_result(statistics: Sequence[DrawStatistic]) -> DrawResult:
    """Return the worst verdict of the tests."""
    order = list(DrawResult)
    return max(
        (statistic.verdict for statistic in statistics),
        key=order.index,
        default=DrawResult.DOUBTFUL,
    )


def group_by_look(statistics: Sequence[DrawStatistic]) -> list[list[DrawStatistic]]:
    """Return the tests grouped by sample and look."""
    groups: dict[tuple[str, str, str, int], list[DrawStatistic]] = {}
    for statistic in statistics:
        key = (statistic.game, str(statistic.options), statistic.source, statistic.look)
        groups.setdefault(key, []).append(statistic)
    return list(groups.values())
