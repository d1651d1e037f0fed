"""Statistical tests of outcomes: statistic, p-value and power.

Tail probabilities come from scipy, whose relative error is far below the six digits reported.
There are four kinds of statistic.

1. Frequencies: Pearson's chi-square against exact probabilities. Categories are pooled, rarest
   first, until each has the least expected count; pooling never depends on the observations.
2. Sequences: a statistic that is standard normal under the null hypothesis, two-sided, which is a
   chi-square with one degree of freedom.
3. Impossible or almost impossible events: the expected count bounds the probability.
4. Two samples: the chi-square of homogeneity, with categories pooled in the same way.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


#: The least expected count of a category after pooling. The customary five suits levels of a few
#: per cent: at one in a million it would reject three times too often.
LEAST_EXPECTED: Final = 50
#: Tests of a rule by which outcomes are dealt: they show nothing of chance.
RULE_TESTS: Final = frozenset({"additional-card"})
#: Expected number of repeated stretches below which any repetition is significant.
_MAX_EXPECTED_REPETITIONS: Final = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One category: its probability under the law and its observed count."""

    name: str
    probability: Fraction
    observed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """The result of one test."""

    test: str
    #: The die, card or hand tested; empty for all of them.
    of: str = ""
    trials: int
    statistic: float
    #: Degrees of freedom; None for a normal statistic or a count.
    freedom: int | None = None
    p_value: float
    #: Noncentrality per squared bias; None where the test has no bias model.
    strength: float | None = None
    cells: tuple[Cell, ...] = ()
    #: As in `measure_frequencies`.
    shrink: Fraction = Fraction(1)


def _scipy_special() -> Any:
    """Return scipy's special functions, imported late because loading is slow."""
    from scipy import special  # noqa: PLC0415 - only where outcomes are tested

    return special


def upper_tail(freedom: int, statistic: float) -> float:
    """Return the probability that a chi-square is at least as large as the statistic."""
    return float(_scipy_special().chdtrc(freedom, statistic))


def measure_frequencies(
    test: str,
    of: str,
    cells: Iterable[tuple[str, Fraction]],
    counts: Sequence[int] | Numbers,
    shrink: Fraction = Fraction(1),
) -> Measure:
    """Return the goodness of fit of counts to the probabilities of their categories.

    `shrink` is the ratio of the variance to that of independent trials, for trials that exclude one
    another, as cards of one deal do.
    """
    observed_cells = tuple(
        Cell(name=name, probability=probability, observed=int(count))
        for (name, probability), count in zip(cells, counts, strict=True)
    )
    trials = sum(cell.observed for cell in observed_cells)
    pooled = pool_categories(observed_cells, trials)
    freedom = len(pooled) - 1
    if freedom < 1:
        return Measure(test=test, of=of, trials=trials, statistic=0.0, p_value=1.0,
                       cells=observed_cells, strength=0.0, shrink=shrink)  # fmt: skip
    statistic = pearson_statistic(pooled, trials) / float(shrink)
    rarest = min(float(probability) for probability, _ in pooled)
    return Measure(
        test=test,
        of=of,
        trials=trials,
        statistic=statistic,
        freedom=freedom,
        p_value=upper_tail(freedom, statistic),
        strength=trials * rarest / (1 - rarest) / float(shrink),
        cells=observed_cells,
        shrink=shrink,
    )


class Histogram(NamedTuple):
    """Counts of categories with their probabilities under the law, of one kind."""

    test: str
    cells: list[tuple[str, Fraction]]
    counts: Sequence[int] | Numbers
    #: As in `measure_frequencies`.
    shrink: Fraction = Fraction(1)


def measure_two_samples(one: Histogram, other: Histogram) -> Measure:
    """Return the test that two samples have the same distribution, whatever that is.

    Categories are pooled as the law expects them in the smaller sample, so pooling does not depend
    on the observations. Frequencies are those of the first sample.
    """
    sizes = [int(sum(sample.counts)) for sample in (one, other)]
    small = min(sizes)
    cells = tuple(
        Cell(name=name, probability=probability, observed=at)
        for at, (name, probability) in enumerate(one.cells)
    )
    groups = _pooled_places(cells, small)
    freedom = len(groups) - 1
    shown = tuple(
        Cell(
            name=name,
            probability=Fraction(int(count), max(1, sizes[1])),
            observed=int(own),
        )
        for (name, _), own, count in zip(one.cells, one.counts, other.counts, strict=True)
    )
    if freedom < 1:
        return Measure(test=one.test, trials=sizes[0], statistic=0.0, p_value=1.0,
                       cells=shown, strength=0.0)  # fmt: skip
    counts = np.array(
        [
            [sum(int(sample.counts[at]) for at in group) for group in groups]
            for sample in (one, other)
        ],
        dtype=float,
    )
    both = counts.sum(axis=0)
    weights = math.sqrt(sizes[1] / sizes[0]), math.sqrt(sizes[0] / sizes[1])
    parts = (weights[0] * counts[0] - weights[1] * counts[1]) ** 2 / np.maximum(both, 1)
    statistic = float(parts.sum()) / float(one.shrink)
    rarest = min(
        float(sum((cells[at].probability for at in group), Fraction(0))) for group in groups
    )
    joint = sizes[0] * sizes[1] / (sizes[0] + sizes[1])
    return Measure(
        test=one.test,
        trials=sizes[0],
        statistic=statistic,
        freedom=freedom,
        p_value=upper_tail(freedom, statistic),
        strength=joint * rarest / (1 - rarest) / float(one.shrink),
        cells=shown,
    )


def _pooled_places(cells: Sequence[Cell], trials: int) -> list[list[int]]:
    """Return the places of the categories that are pooled with each other."""
    left = [
        (float(cell.probability), at, [at]) for at, cell in enumerate(cells) if cell.probability
    ]
    heapq.heapify(left)
    while len(left) > 1 and left[0][0] * trials < LEAST_EXPECTED:
        rarest, at, places = heapq.heappop(left)
        next_rarest, _, others = heapq.heappop(left)
        heapq.heappush(left, (rarest + next_rarest, at, places + others))
    return [places for _, _, places in sorted(left)]


def pearson_statistic(pooled: Sequence[tuple[Fraction, int]], trials: int) -> float:
    """Return Pearson's chi-square of counts, each with the probability of its category."""
    expected = np.array([float(trials * probability) for probability, _ in pooled])
    observed = np.array([count for _, count in pooled], dtype=float)
    return float((((observed - expected) ** 2) / expected).sum())


def pool_categories(cells: Sequence[Cell], trials: int) -> list[tuple[Fraction, int]]:
    """Return the probability and count of each category after pooling the rarest ones."""
    # Floats compare faster than fractions; ties go to the category named first.
    left = [
        (float(cell.probability), at, cell.probability, cell.observed)
        for at, cell in enumerate(cells)
        if cell.probability
    ]
    heapq.heapify(left)
    while len(left) > 1 and left[0][0] * trials < LEAST_EXPECTED:
        _, at, rarest, rarest_count = heapq.heappop(left)
        _, _, next_rarest, next_count = heapq.heappop(left)
        probability = rarest + next_rarest
        heapq.heappush(left, (float(probability), at, probability, rarest_count + next_count))
    return [(probability, count) for _, _, probability, count in sorted(left)]


def measure_runs(test: str, high: NDArray[np.bool_]) -> Measure:
    """Return the Wald-Wolfowitz runs test of high and low outcomes."""
    size = len(high)
    ups = int(high.sum())
    downs = size - ups
    both = 2 * ups * downs
    if both <= size:
        return _empty_measure(test, size)
    seen = 1 + int((high[1:] != high[:-1]).sum())
    mean, variance = expected_runs(ups, downs)
    deviation = math.sqrt(variance)
    return normal_measure(test, size, (seen - mean) / deviation, ((mean - 1) / deviation) ** 2)


def expected_runs(ups: int, downs: int) -> tuple[float, float]:
    """Return mean and variance of the number of runs of high and low outcomes."""
    size, both = ups + downs, 2 * ups * downs
    return 1 + both / size, both * (both - size) / (size * size * (size - 1))


def measure_correlation(test: str, scores: Numbers) -> Measure:
    """Return the test of serial correlation of successive outcomes."""
    size = len(scores)
    deviations = scores - scores.mean()
    variation = float((deviations * deviations).sum())
    if not variation:
        return _empty_measure(test, size)
    coefficient = float((deviations[1:] * deviations[:-1]).sum()) / variation
    # Its expectation is slightly negative, because the mean is that of the sample.
    return normal_measure(test, size, (coefficient + 1 / size) * math.sqrt(size), float(size))


def _empty_measure(test: str, size: int) -> Measure:
    return Measure(test=test, trials=size, statistic=0.0, p_value=1.0, strength=0.0)


def normal_measure(test: str, size: int, statistic: float, strength: float) -> Measure:
    """Return the two-sided test of a statistic that is standard normal."""
    return Measure(
        test=test,
        trials=size,
        statistic=statistic,
        p_value=upper_tail(1, statistic * statistic),
        strength=strength,
    )


def measure_repetition(test: str, codes: Numbers, likeliest: Fraction) -> Measure:
    """Return the number of repeated stretches of outcomes; a code stands for a whole outcome.

    Stretches are long enough that no repetition is expected in the whole sample. If one occurs, the
    expected number bounds its probability (Markov's inequality), even for overlapping stretches.
    """
    size = len(codes)
    length = stretch_length(likeliest, size)
    expected = float(likeliest) ** length * math.comb(size, 2)
    if size < length:
        return Measure(test=test, trials=size, statistic=0.0, p_value=1.0)
    stretches = np.lib.stride_tricks.sliding_window_view(codes, length)
    whole = np.ascontiguousarray(stretches).view(np.dtype((np.void, stretches.itemsize * length)))
    repetitions = len(stretches) - len(np.unique(whole))
    return Measure(
        test=test,
        of=str(length),
        trials=size,
        statistic=float(repetitions),
        p_value=expected if repetitions else 1.0,
    )


def stretch_length(likeliest: Fraction, size: int, other: int | None = None) -> int:
    """Return from which length on no stretch is expected twice among this many outcomes.

    With an `other` sample, one stretch is in the one and one in the other.
    """
    pairs = math.comb(size, 2) if other is None else size * other
    length, expected = 1, float(likeliest) * pairs
    while expected > _MAX_EXPECTED_REPETITIONS:
        length += 1
        expected = float(likeliest) ** length * pairs
    return length


def measure_impossible(test: str, trials: int, seen: int) -> Measure:
    """Return the test that an impossible event was never seen."""
    return Measure(test=test, trials=trials, statistic=float(seen), p_value=0.0 if seen else 1.0)


def measure_rule(
    test: str, of: str, trials: int, names: Sequence[str], counts: Sequence[int] | Numbers
) -> Measure:
    """Return the test that no outcome departs from a rule; counts are of those that do."""
    cells = tuple(
        Cell(name=name, probability=Fraction(0), observed=int(count))
        for name, count in zip(names, counts, strict=True)
    )
    seen = sum(cell.observed for cell in cells)
    return Measure(
        test=test,
        of=of,
        trials=trials,
        statistic=float(seen),
        p_value=0.0 if seen else 1.0,
        cells=cells,
    )


def power_at(freedom: int, level: float, noncentrality: float) -> float:
    """Return the power of a chi-square test at `level` against a noncentrality."""
    special = _scipy_special()
    critical = special.chdtri(freedom, level)
    return float(1 - special.chndtr(critical, freedom, noncentrality))


def least_noncentrality(freedom: int, level: float, power: float) -> float:
    """Return the noncentrality that a chi-square test at `level` notices with a power."""
    special = _scipy_special()
    critical = special.chdtri(freedom, level)
    return float(special.chndtrinc(critical, freedom, 1 - power))


def power_of(measure: Measure, level: float, bias: float) -> float | None:
    """Return the power of a test at `level` against a bias, or None without a bias model."""
    if measure.strength is None:
        return None
    return power_at(measure.freedom or 1, level, measure.strength * bias * bias)


def detectable_bias(measure: Measure, level: float, probability: float) -> float | None:
    """Return the least bias that a test at `level` detects with a probability."""
    if not measure.strength:
        return None if measure.strength is None else math.inf
    needed = least_noncentrality(measure.freedom or 1, level, probability)
    return math.sqrt(needed / measure.strength)


def measure_successive_pairs(of: str, values: Numbers, names: Sequence[str]) -> Measure:
    """Return the test of disjoint pairs of successive, equally likely outcomes."""
    count = len(names)
    pairs = values[: len(values) // 2 * 2].reshape(-1, 2)
    counts = np.bincount(pairs[:, 0] * count + pairs[:, 1], minlength=count * count)
    cells = [(f"{name}, {other}", Fraction(1, count * count)) for name in names for other in names]
    return measure_frequencies("successive", of, cells, counts)
