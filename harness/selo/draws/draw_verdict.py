"""From measured outcomes to what may be said of a random source, within a budget of errors.

1. All tests of one look are one family. Their probabilities are adjusted by Holm's rule, so that
   the chance that any of them is below a level by chance is at most that level, whatever depends
   on what.
2. Below the level of a look it is against the law. From there up to the level of doubt more is
   drawn, once, and the second look decides.
3. A source in perfect order is accused in at most one of `ACCUSED` examinations, and left in doubt
   in at most one of `DOUBTED` squared, as both looks must be in doubt.
"""

from __future__ import annotations

import enum
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec

from selo.draws.chi_square import LEAST_EXPECTED, detectable_bias, power_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.draws.chi_square import Cell, Measure

#: One fair source in so many may be accused.
ONE_FALSE_ACCUSATION_IN: Final = 10_000
#: One fair source in so many is drawn from again.
ONE_FALSE_DOUBT_IN: Final = 100
MAX_LOOKS: Final = 2
#: The bias for which power is told: one category so much likelier, or so large a correlation.
STATED_BIAS: Final = Fraction(5, 100)
#: A sample is large enough if such a bias of one face or card would be noticed, and how surely.
LARGEST_UNNOTICED_BIAS: Final = Fraction(25, 100)
STATED_POWER: Final = Fraction(9, 10)
#: Tests that show whether a sample is large enough: each face of a die, each card.
_SAMPLE_SIZE_TESTS: Final = frozenset({"face", "cards"})
#: Of so many categories it is told how often they were seen.
_MAX_CATEGORIES_SHOWN: Final = 8


class DrawResult(enum.StrEnum):
    """What a test says of a random source, gravest last."""

    FAIR = "fair"
    DOUBTFUL = "doubtful"
    UNFAIR = "unfair"


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
    #: 1, or 2 where the first look left a doubt.
    look: int
    #: How many outcomes were drawn, and how often the test counted something.
    sample: int
    trials: int
    statistic: str
    freedom: int | None
    p_value: str
    #: Adjusted for so many tests by Holm's rule.
    adjusted: str
    tests: int
    #: Below this it is against the law; below that it is in doubt.
    level: str
    doubt: str
    #: How surely the stated bias is noticed, and the least bias that is noticed surely.
    power: str | None
    notices: str | None
    verdict: DrawResult
    #: The categories that are furthest from what was expected.
    frequencies: list[CategoryFrequency]

    @property
    def distance(self) -> float:
        """How far from chance it is, in a measure that tests have in common."""
        if self.freedom is not None:
            return (float(self.statistic) - self.freedom) / math.sqrt(2 * self.freedom)
        # What hardly ever happens is the plainest sign of all.
        return math.inf if self.power is None else abs(float(self.statistic))


class DrawSource(msgspec.Struct, frozen=True, kw_only=True):
    """Where outcomes were drawn from: a game at a table, and the provisions that ask for chance."""

    game: str
    options: dict[str, str | int]
    provisions: list[str]


def six_digits(number: float | Fraction) -> str:
    """Return a number as it is told, and as it is compared: with six digits."""
    return f"{float(number):.6g}"


def look_level() -> Fraction:
    """Return the level of one look."""
    return Fraction(1, ONE_FALSE_ACCUSATION_IN * MAX_LOOKS)


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return probabilities adjusted for their number by Holm's rule, in their order."""
    many = len(p_values)
    found, highest = [0.0] * many, 0.0
    for rank, at in enumerate(sorted(range(many), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, p_values[at] * (many - rank)))
        found[at] = highest
    return found


def judge_draws(
    measured: Sequence[tuple[DrawSource, int, Sequence[Measure]]], look: int
) -> list[DrawStatistic]:
    """Return what all tests of one look say; each source comes with the size of its sample."""
    every = [(source, size, one) for source, size, some in measured for one in some]
    adjusted = adjust_by_holm([one.p_value for _, _, one in every])
    return [
        _make_statistic(source, size, one, look, now, len(every))
        for (source, size, one), now in zip(every, adjusted, strict=True)
    ]


def _make_statistic(  # noqa: PLR0913, PLR0917 - everything that a statistic is told with
    source: DrawSource, size: int, one: Measure, look: int, adjusted: float, tests: int
) -> DrawStatistic:
    # Power is told as if this were the only test to notice anything: Holm's rule can only help.
    each = float(look_level() / tests)
    seen, least = (
        power_of(one, each, float(STATED_BIAS)),
        detectable_bias(one, each, float(STATED_POWER)),
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
        power=None if seen is None else six_digits(seen),
        notices=None if least is None or math.isinf(least) else six_digits(least),
        verdict=_result_of(six_digits(adjusted)),
        frequencies=_largest_deviations(one),
    )


def least_detectable_bias(one: Measure, tests: int) -> str:
    """Return the least bias that a test of such a family notices surely."""
    return six_digits(
        detectable_bias(one, float(look_level() / tests), float(STATED_POWER)) or math.inf
    )


def _result_of(adjusted: str) -> DrawResult:
    told = float(adjusted)
    if told < float(six_digits(look_level())):
        return DrawResult.UNFAIR
    return (
        DrawResult.DOUBTFUL
        if told < float(six_digits(Fraction(1, ONE_FALSE_DOUBT_IN)))
        else DrawResult.FAIR
    )


def _largest_deviations(one: Measure) -> list[CategoryFrequency]:
    """Return the categories that make the statistic what it is, the furthest first."""

    def apart(cell: Cell) -> float:
        expected = max(float(one.trials * cell.probability), float(LEAST_EXPECTED))
        return (cell.observed - float(one.trials * cell.probability)) ** 2 / expected

    found = sorted(one.cells, key=apart, reverse=True)[:_MAX_CATEGORIES_SHOWN]
    return [
        CategoryFrequency(
            name=cell.name,
            probability=str(cell.probability),
            expected=six_digits(one.trials * cell.probability),
            observed=cell.observed,
        )
        for cell in found
    ]


def is_sample_sufficient(statistics: Sequence[DrawStatistic]) -> bool:
    """Return whether the sample of one source was large enough to notice a large bias."""
    deciding = [statistic for statistic in statistics if statistic.test in _SAMPLE_SIZE_TESTS]
    return bool(deciding) and all(
        one.notices is not None and float(one.notices) <= LARGEST_UNNOTICED_BIAS for one in deciding
    )


def worst_result(statistics: Sequence[DrawStatistic]) -> DrawResult:
    """Return the gravest of what tests say."""
    order = list(DrawResult)
    return max(
        (statistic.verdict for statistic in statistics),
        key=order.index,
        default=DrawResult.DOUBTFUL,
    )


def group_by_look(statistics: Sequence[DrawStatistic]) -> list[list[DrawStatistic]]:
    """Return the tests of each sample and each look together."""
    found: dict[tuple[str, str, int], list[DrawStatistic]] = {}
    for statistic in statistics:
        found.setdefault((statistic.game, str(statistic.options), statistic.look), []).append(
            statistic
        )
    return list(found.values())
