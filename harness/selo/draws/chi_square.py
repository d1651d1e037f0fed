"""One test of outcomes: its statistic, how likely that is by chance alone, and its power.

Three kinds of statistic are used. Tails are those of scipy, whose relative error is far below the
six digits to which they are told.

1. Frequencies: Pearson's chi-square against exact probabilities. Categories are pooled, the
   rarest first, until each is expected so many times; what is pooled never depends on what was
   observed.
2. Sequences: a number that is normal by chance, two-sided, which is a chi-square of one degree.
3. Things that cannot happen, or hardly ever: the expected number of times bounds the probability.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def measure_successive_pairs(of: str, values: Numbers, names: Sequence[str]) -> Measure:
    """Return whether each of equally likely things follows each other as often as any."""
    many = len(names)
    even = values[: len(values) // 2 * 2].reshape(-1, 2)
    counts = np.bincount(even[:, 0] * many + even[:, 1], minlength=many * many)
    cells = [(f"{name}, {other}", Fraction(1, many * many)) for name in names for other in names]
    return measure_frequencies("successive", of, cells, counts)


#: Each category is expected at least so many times, or pooled with others. The customary five is
#: for levels of a few per cent: at one in a million it would reject three times too often.
LEAST_EXPECTED: Final = 50
#: A sequence that comes again is so unlikely that any is too many.
_MAX_EXPECTED_REPETITIONS: Final = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One category: how likely it is by the law, and how often it was seen."""

    name: str
    probability: Fraction
    observed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """What one test measured."""

    test: str
    #: Which die, card or hand it looked at; nothing if all of them.
    of: str = ""
    trials: int
    statistic: float
    #: Nothing where the statistic is normal, or only counted.
    freedom: int | None = None
    p_value: float
    #: By how much the square of a bias moves the statistic; nothing where no bias is meant.
    strength: float | None = None
    cells: tuple[Cell, ...] = ()


def _scipy_special() -> Any:
    """Return the functions of scipy, which take a while to load."""
    from scipy import special  # noqa: PLC0415 - only where outcomes are tested

    return special


def upper_tail(freedom: int, statistic: float) -> float:
    """Return how likely a chi-square is at least so large by chance."""
    return float(_scipy_special().chdtrc(freedom, statistic))


def measure_frequencies(
    test: str,
    of: str,
    cells: Iterable[tuple[str, Fraction]],
    counts: Sequence[int] | Numbers,
    shrink: Fraction = Fraction(1),
) -> Measure:
    """Return how well counts fit the probabilities of their categories.

    `shrink` is the part of the variance of independent trials that is left where trials exclude one
    another, as cards of one deal do.
    """
    seen = tuple(
        Cell(name=name, probability=probability, observed=int(count))
        for (name, probability), count in zip(cells, counts, strict=True)
    )
    trials = sum(one.observed for one in seen)
    pooled = pool_categories(seen, trials)
    freedom = len(pooled) - 1
    if freedom < 1:
        return Measure(test=test, of=of, trials=trials, statistic=0.0, p_value=1.0, cells=seen,
                       strength=0.0)  # fmt: skip
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
        cells=seen,
    )


def pearson_statistic(pooled: Sequence[tuple[Fraction, int]], trials: int) -> float:
    """Return the chi-square of counts, each with the probability of its category."""
    expected = np.array([float(trials * probability) for probability, _ in pooled])
    observed = np.array([count for _, count in pooled], dtype=float)
    return float((((observed - expected) ** 2) / expected).sum())


def pool_categories(cells: Sequence[Cell], trials: int) -> list[tuple[Fraction, int]]:
    """Return probability and count of each category, the rarest joined until all are expected."""
    # Floats are ordered faster than fractions; of equals the first named comes first.
    left = [
        (float(cell.probability), at, cell.probability, cell.observed)
        for at, cell in enumerate(cells)
        if cell.probability
    ]
    heapq.heapify(left)
    while len(left) > 1 and left[0][0] * trials < LEAST_EXPECTED:
        _, at, one, seen = heapq.heappop(left)
        _, _, other, more = heapq.heappop(left)
        heapq.heappush(left, (float(one + other), at, one + other, seen + more))
    return [(probability, count) for _, _, probability, count in sorted(left)]


def measure_runs(test: str, high: NDArray[np.bool_]) -> Measure:
    """Return whether high and low follow one another as by chance (Wald and Wolfowitz)."""
    size = len(high)
    ups = int(high.sum())
    downs = size - ups
    both = 2 * ups * downs
    if both <= size:
        return _empty_measure(test, size)
    seen = 1 + int((high[1:] != high[:-1]).sum())
    mean, variance = expected_runs(ups, downs)
    deviation = math.sqrt(variance)
    return _normal_measure(test, size, (seen - mean) / deviation, ((mean - 1) / deviation) ** 2)


def expected_runs(ups: int, downs: int) -> tuple[float, float]:
    """Return how many runs so many high and low outcomes make, and the variance of that."""
    size, both = ups + downs, 2 * ups * downs
    return 1 + both / size, both * (both - size) / (size * size * (size - 1))


def measure_correlation(test: str, scores: Numbers) -> Measure:
    """Return whether each outcome tells something of the next (serial correlation)."""
    size = len(scores)
    apart = scores - scores.mean()
    spread = float((apart * apart).sum())
    if not spread:
        return _empty_measure(test, size)
    found = float((apart[1:] * apart[:-1]).sum()) / spread
    # By chance it is a little below zero, because the mean is that of the sample.
    return _normal_measure(test, size, (found + 1 / size) * math.sqrt(size), float(size))


def _empty_measure(test: str, size: int) -> Measure:
    return Measure(test=test, trials=size, statistic=0.0, p_value=1.0, strength=0.0)


def _normal_measure(test: str, size: int, found: float, strength: float) -> Measure:
    return Measure(
        test=test,
        trials=size,
        statistic=found,
        p_value=upper_tail(1, found * found),
        strength=strength,
    )


def measure_repetition(test: str, codes: Numbers, likeliest: Fraction) -> Measure:
    """Return how many stretches of outcomes came before; `codes` are whole outcomes.

    A stretch is so long that none is expected to come again in the whole sample: if one does, the
    expected number bounds the probability of it (Markov), whatever overlaps what.
    """
    size = len(codes)
    length, expected = 1, float(likeliest) * math.comb(size, 2)
    while expected > _MAX_EXPECTED_REPETITIONS:
        length += 1
        expected = float(likeliest) ** length * math.comb(size, 2)
    if size < length:
        return Measure(test=test, trials=size, statistic=0.0, p_value=1.0)
    stretches = np.lib.stride_tricks.sliding_window_view(codes, length)
    whole = np.ascontiguousarray(stretches).view(np.dtype((np.void, stretches.itemsize * length)))
    again = len(stretches) - len(np.unique(whole))
    return Measure(
        test=test,
        of=str(length),
        trials=size,
        statistic=float(again),
        p_value=expected if again else 1.0,
    )


def measure_impossible(test: str, trials: int, seen: int) -> Measure:
    """Return how often something was seen that cannot be."""
    return Measure(test=test, trials=trials, statistic=float(seen), p_value=0.0 if seen else 1.0)


# Power.


def power_of(one: Measure, level: float, bias: float) -> float | None:
    """Return how likely a test at `level` is to notice a bias; nothing where none is meant."""
    if one.strength is None:
        return None
    freedom, special = one.freedom or 1, _scipy_special()
    critical = special.chdtri(freedom, level)
    return float(1 - special.chndtr(critical, freedom, one.strength * bias * bias))


def detectable_bias(one: Measure, level: float, probability: float) -> float | None:
    """Return the least bias that a test at `level` notices with such a probability."""
    if not one.strength:
        return None if one.strength is None else math.inf
    freedom, special = one.freedom or 1, _scipy_special()
    critical = special.chdtri(freedom, level)
    needed = float(special.chndtrinc(critical, freedom, 1 - probability))
    return math.sqrt(needed / one.strength)
