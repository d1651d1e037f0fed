"""Tests that outcomes depend on nothing: not on bets, stakes, winnings, time or process.

1. Two parts of a sample, divided by what was known before the outcome (high and low stakes, after
   a win and after none, earlier and later), have the same distribution.
2. Bets that were laid win as often as the law's outcomes make them win. Given what lay on the
   table, the number of wins of a round has a mean and a variance over all outcomes, so the sum of
   the deviations, each round with a weight that was known before, is a martingale: divided by the
   root of the summed variances it is standard normal.
3. Processes of a vendor share no stretch of outcomes that is so long that none is expected again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from selo.draws.chi_square import (
    Measure,
    measure_two_samples,
    normal_measure,
    stretch_length,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from selo.draws.chi_square import Numbers
    from selo.draws.random_equipment import Equipment

#: Processes that begin alike are compared by so many of their first outcomes.
STREAM_HEAD: Final = 4_096
#: Below this variance a sum of wins is not nearly normal, and shows nothing.
_LEAST_VARIANCE: Final = 10.0
_FEWEST_STREAMS: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class LaidRound:
    """Bets that lay on a table, and how many of them won."""

    #: How many won, and how many win on average over all outcomes, with the variance.
    wins: float
    mean: float
    variance: float
    #: The same with each bet weighed by whether its stake is high (1) or low (-1).
    weighed_wins: float
    weighed_mean: float
    weighed_variance: float
    #: Whether players had won (1) or lost (-1) in the round before at this table; 0 if none was.
    before: int


def measure_parts(
    test: str, equipment: Equipment, rows: NDArray[np.int16], chosen: NDArray[np.bool_]
) -> Iterator[Measure]:
    """Yield the tests that outcomes with a property have the distribution of those without."""
    parts = [equipment.histograms(rows[mask]) for mask in (chosen, ~chosen)]
    for own, other in zip(*parts, strict=True):
        measure = measure_two_samples(own, other)
        yield replace(measure, test=test, of=measure.test)


def measure_halves(
    test: str, equipment: Equipment, rows: NDArray[np.int16]
) -> Iterator[Measure]:
    """Yield the tests that earlier outcomes have the distribution of later ones."""
    yield from measure_parts(test, equipment, rows, np.arange(len(rows)) < len(rows) // 2)


def measure_laid_bets(rounds: Sequence[LaidRound]) -> Iterator[Measure]:
    """Yield the tests that the outcome knows neither bets nor stakes nor earlier winnings."""
    yield _measure_excess(
        "bets",
        [one.wins - one.mean for one in rounds],
        [one.variance for one in rounds],
        sum(one.mean for one in rounds),
    )
    yield _measure_excess(
        "stakes",
        [one.weighed_wins - one.weighed_mean for one in rounds],
        [one.weighed_variance for one in rounds],
        sum(one.mean for one in rounds),
    )
    later = [one for one in rounds if one.before]
    yield _measure_excess(
        "winnings",
        [one.before * (one.wins - one.mean) for one in later],
        [one.variance for one in later],
        sum(one.mean for one in later),
    )


def _measure_excess(
    test: str, excesses: Sequence[float], variances: Sequence[float], mean: float
) -> Measure:
    """Return the test that the sum of excesses of wins is zero but for chance.

    The bias is the part by which all bets win more or less often.
    """
    variance = math.fsum(variances)
    if variance < _LEAST_VARIANCE:
        return Measure(test=test, trials=len(excesses), statistic=0.0, p_value=1.0, strength=0.0)
    statistic = math.fsum(excesses) / math.sqrt(variance)
    return normal_measure(test, len(excesses), statistic, mean * mean / variance)


def measure_streams(test: str, streams: Sequence[Numbers], likeliest: Fraction) -> Measure:
    """Return the number of stretches of outcomes that two processes of a vendor have in common.

    As in `measure_repetition`, the expected number bounds the probability that there is one.
    """
    heads = [np.ascontiguousarray(stream[:STREAM_HEAD]) for stream in streams if len(stream)]
    trials = sum(map(len, heads))
    if len(heads) < _FEWEST_STREAMS:
        return Measure(test=test, trials=trials, statistic=0.0, p_value=1.0)
    length = stretch_length(likeliest, trials)
    known: set[bytes] = set()
    common = 0
    for head in heads:
        if len(head) < length:
            continue
        windows = np.lib.stride_tricks.sliding_window_view(head, length)
        own = {window.tobytes() for window in windows}
        common += len(own & known)
        known |= own
    expected = float(likeliest) ** length * math.comb(trials, 2)
    return Measure(
        test=test,
        of=str(len(heads)),
        trials=trials,
        statistic=float(common),
        p_value=expected if common else 1.0,
    )
