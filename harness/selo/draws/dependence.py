"""Tests that outcomes depend on nothing: not on bets, stakes, winnings, time or process.

1. Two parts of a sample, divided by what was known before the outcome (high and low stakes, after
   a win and after none, earlier and later), have the same distribution.
2. Bets that were laid win as often as outcomes make them win that do not know them. Given what
   lay on the table, the wins of a round have a mean and a variance: over all throws of dice, which
   are equally likely; with cards, over the outcomes of the sample in any other order. The sum of
   the deviations, each round with a weight that was known before, is then nearly normal.
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

#: The test of stretches that two processes have in common.
PROCESSES: Final = "processes"
#: Processes that begin alike are compared by this many of their first outcomes.
STREAM_HEAD: Final = 4_096
#: Below this variance a sum of wins is not nearly normal, and shows nothing.
_LEAST_VARIANCE: Final = 10.0
_FEWEST_STREAMS: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class WinExcess:
    """How many more bets won than the outcomes make win that did not know them."""

    rounds: int
    #: The sum of weights times wins, less its expectation, and its variance.
    excess: float
    variance: float
    #: How many wins are expected; 0 where a change of all of them would not show.
    expected: float


#: No round was played that could show anything.
NO_WINS: Final = WinExcess(rounds=0, excess=0.0, variance=0.0, expected=0.0)


def add_exact(wins: NDArray[np.float64], weights: NDArray[np.float64],
              seen: NDArray[np.float64]) -> WinExcess:  # fmt: skip
    """Return the excess of rounds of which the wins in every equally likely outcome are known.

    `wins` has a row for each round and a column for each outcome, `seen` the wins of each round.
    """
    if not len(weights):
        return NO_WINS
    means = wins.mean(axis=1)
    return WinExcess(
        rounds=len(weights),
        excess=float((weights * (seen - means)).sum()),
        variance=float((weights**2 * wins.var(axis=1)).sum()),
        expected=float((np.abs(weights) * means).sum()),
    )


def add_permuted(wins: NDArray[np.float64], weights: NDArray[np.float64]) -> WinExcess:
    """Return the excess of rounds against their own outcomes in any other order.

    Row r, column s: what the bets of round r win with the outcome of round s. Mean and variance
    over all orders are Hoeffding's (1951).
    """
    weighed = wins * weights[:, None]
    rounds = len(weights)
    if not rounds:
        return NO_WINS
    centred = (
        weighed
        - weighed.mean(axis=0, keepdims=True)
        - weighed.mean(axis=1, keepdims=True)
        + weighed.mean()
    )
    return WinExcess(
        rounds=rounds,
        excess=float(np.trace(centred)),
        variance=float((centred**2).sum()) / max(1, rounds - 1),
        # Bets that all rounds have in common tell nothing, so no power is stated.
        expected=0.0,
    )


def measure_parts(
    test: str, equipment: Equipment, rows: NDArray[np.int16], chosen: NDArray[np.bool_]
) -> Iterator[Measure]:
    """Yield the tests that outcomes with a property have the distribution of those without."""
    parts = [equipment.histograms(rows[mask]) for mask in (chosen, ~chosen)]
    for own, other in zip(*parts, strict=True):
        measure = measure_two_samples(own, other)
        yield replace(measure, test=test, of=measure.test)


def measure_halves(test: str, equipment: Equipment, rows: NDArray[np.int16]) -> Iterator[Measure]:
    """Yield the tests that earlier outcomes have the distribution of later ones."""
    yield from measure_parts(test, equipment, rows, np.arange(len(rows)) < len(rows) // 2)


def measure_wins(test: str, wins: WinExcess) -> Measure:
    """Return the test that bets win as often as if the outcome did not know of them.

    The bias is the part by which all bets win more or less often.
    """
    if wins.variance < _LEAST_VARIANCE:
        return Measure(test=test, trials=wins.rounds, statistic=0.0, p_value=1.0, strength=0.0)
    statistic = wins.excess / math.sqrt(wins.variance)
    strength = wins.expected * wins.expected / wins.variance
    return normal_measure(test, wins.rounds, statistic, strength)


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
