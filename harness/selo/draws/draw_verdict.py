"""Verdicts on random sources from statistical tests, with bounded error rates.

1. All tests of one look form a family. Their p-values are adjusted by Holm's method, which bounds
   the family-wise error rate by the level, whatever the dependence between tests.
2. An adjusted p-value below the level of a look means unfair. Between it and the level of doubt
   more outcomes are drawn, once, and the second look decides.
3. The levels stand in ``chance.yaml`` of each game. A fair source is accused with at most the
   probability stated there over all looks, and left in doubt with at most the square of the level
   of doubt, as both looks must be in doubt.
"""

from __future__ import annotations

import enum
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from selo.draws.chi_square import LEAST_EXPECTED, RULE_TESTS, detectable_bias, power_of
from selo.law.files.chance_file import read_chance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.draws.chi_square import Cell, Measure
    from selo.law import Law

#: Tests that decide whether a sample is sufficient: each face of a die, each card.
_SAMPLE_SIZE_TESTS: Final = frozenset({"face", "cards"})
_MAX_CATEGORIES_SHOWN: Final = 8


class FamilyLevels(msgspec.Struct, frozen=True, kw_only=True):
    """The errors allowed over all tests of a run, its looks, and the biases that are stated.

    The defaults are those of editions of the law without ``chance.yaml``, which stated none.
    """

    #: The probability that a fair source is accused, and that it is drawn from again.
    accused: Fraction = Fraction(1, 10_000)
    doubted: Fraction = Fraction(1, 100)
    looks: int = 2
    #: How many times as much the second look draws.
    factor: int = 4
    #: The bias for which power is stated: excess of one category's probability, or correlation.
    stated_bias: Fraction = Fraction(5, 100)
    stated_power: Fraction = Fraction(9, 10)
    #: A sample is sufficient if this bias of a face or card is detected with the stated power.
    enough_bias: Fraction = Fraction(25, 100)
    #: Whether dependence on bets, stakes, winnings, parts and processes is tested, too.
    tests_dependence: bool = False

    @property
    def of_look(self) -> Fraction:
        """The significance level of one look."""
        return self.accused / self.looks


#: The levels of editions of the law that state none.
UNSTATED_LEVELS: Final = FamilyLevels()


def read_levels(law: Law, games: Iterable[str]) -> FamilyLevels:
    """Return the levels of the family of all tests of a run: the strictest of its games."""
    files = [file for game in games if (file := read_chance(game, specs=law.specs)) is not None]
    if not files:
        return UNSTATED_LEVELS
    return FamilyLevels(
        accused=min(Fraction(file.levels.accused) for file in files),
        doubted=min(Fraction(file.levels.doubted) for file in files),
        looks=max(file.looks.count for file in files),
        factor=max(file.looks.factor for file in files),
        stated_bias=min(Fraction(file.stated.bias) for file in files),
        stated_power=max(Fraction(file.stated.power) for file in files),
        enough_bias=min(Fraction(file.enough.bias) for file in files),
        tests_dependence=True,
    )


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
    #: The method `pack`: whole packs.
    PACK = "pack"


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
    def is_of_chance(self) -> bool:
        """Whether it tests chance, and not a rule by which outcomes are dealt."""
        return self.test not in RULE_TESTS

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


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's method, in their order."""
    count = len(p_values)
    adjusted, highest = [0.0] * count, 0.0
    for rank, at in enumerate(sorted(range(count), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, p_values[at] * (count - rank)))
        adjusted[at] = highest
    return adjusted


def judge_draws(
    measured: Sequence[tuple[DrawSource, int, Sequence[Measure]]],
    look: int,
    levels: FamilyLevels = UNSTATED_LEVELS,
) -> list[DrawStatistic]:
    """Return the statistics of all tests of one look; each source has the size of its sample.

    A test of a rule is certain, and belongs to no family.
    """
    tests = [(source, size, test) for source, size, measures in measured for test in measures]
    family = [test.p_value for _, _, test in tests if test.test not in RULE_TESTS]
    adjusted = iter(adjust_by_holm(family))
    return [
        _make_statistic(source, size, test, look, test.p_value, 1, levels)
        if test.test in RULE_TESTS
        else _make_statistic(source, size, test, look, next(adjusted), len(family), levels)
        for source, size, test in tests
    ]


def _make_statistic(  # noqa: PLR0913, PLR0917 - all the inputs of a statistic
    source: DrawSource,
    size: int,
    one: Measure,
    look: int,
    adjusted: float,
    tests: int,
    levels: FamilyLevels,
) -> DrawStatistic:
    # Power is stated for Bonferroni's level, a lower bound: Holm's method can only increase it.
    level = float(levels.of_look / tests)
    power, least = (
        power_of(one, level, float(levels.stated_bias)),
        detectable_bias(one, level, float(levels.stated_power)),
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
        level=six_digits(levels.of_look),
        doubt=six_digits(levels.doubted),
        power=None if power is None else six_digits(power),
        notices=None if least is None or math.isinf(least) else six_digits(least),
        verdict=_result_of(six_digits(adjusted), levels),
        frequencies=_largest_deviations(one),
        source=source.origin,
    )


def least_detectable_bias(one: Measure, tests: int, levels: FamilyLevels = UNSTATED_LEVELS) -> str:
    """Return the least bias that one of `tests` tests detects with the stated power."""
    level = float(levels.of_look / tests)
    return six_digits(detectable_bias(one, level, float(levels.stated_power)) or math.inf)


def _result_of(adjusted: str, levels: FamilyLevels) -> DrawResult:
    p_value = float(adjusted)
    if p_value < float(six_digits(levels.of_look)):
        return DrawResult.UNFAIR
    return DrawResult.DOUBTFUL if p_value < float(six_digits(levels.doubted)) else DrawResult.FAIR


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


def is_sample_sufficient(
    statistics: Sequence[SizedTest], enough: Fraction = UNSTATED_LEVELS.enough_bias
) -> bool:
    """Return whether the sample of a source was large enough to detect a large bias."""
    # A report names what a test is of behind its name.
    deciding = [
        statistic
        for statistic in statistics
        if statistic.test.partition(" ")[0] in _SAMPLE_SIZE_TESTS
    ]
    return bool(deciding) and all(
        one.notices is not None and float(one.notices) <= enough for one in deciding
    )


def worst_result(statistics: Sequence[DrawStatistic]) -> DrawResult:
    """Return the worst verdict of the tests of chance."""
    order = list(DrawResult)
    return max(
        (statistic.verdict for statistic in statistics if statistic.is_of_chance),
        key=order.index,
        default=DrawResult.DOUBTFUL,
    )


def group_by_look(statistics: Sequence[DrawStatistic]) -> list[list[DrawStatistic]]:
    """Return the tests grouped by sample and look."""
    groups: dict[tuple[str, str, str, int], list[DrawStatistic]] = {}
    for statistic in statistics:
        key = (statistic.game, str(statistic.options), statistic.source, statistic.look)
        if not statistic.is_of_chance:
            key = (*key[:3], -statistic.look)
        groups.setdefault(key, []).append(statistic)
    return list(groups.values())
