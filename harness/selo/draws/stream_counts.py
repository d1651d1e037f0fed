"""Counts of streams of outcomes, and the tests of many streams: together, and each for itself.

A stream is a stretch of outcomes that one process drew in succession. Only its counts are kept,
with a root over the outcomes, so that memory does not grow with the sample.

1. Together: counts of categories are added, which gives the test of all outcomes as one sample;
   normal statistics are combined by Stouffer's method, weighted by their trials; counts of events
   that are impossible or nearly so are added, and their probability is bounded by the sum.
2. Each for itself: the least p-value of all tests of all streams, times their number, is the
   p-value of one test (Bonferroni).
3. Overlap: some windows of each stream leave a fingerprint, chosen by their content. Two streams
   that share a stretch, because a source began with the same seed or came round, share
   fingerprints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from selo.draws.chi_square import (
    RULE_TESTS,
    Histogram,
    Measure,
    measure_frequencies,
    measure_rule,
    upper_tail,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from selo.draws.random_equipment import Equipment

#: The names of the tests of several streams.
STREAMS: Final = "streams"
OVERLAP: Final = "overlap"
#: How many tests are made of several streams beside those of all of them together.
STREAM_TESTS: Final = 2

#: The outcomes of a window. No source has an outcome likelier than one in six, so that two windows
#: are equal by chance with a probability below 1e-49.
_WINDOW: Final = 64
#: One window in this many leaves a fingerprint, beside the first one of a stream.
_ONE_WINDOW_IN: Final = np.uint64(1 << 14)
#: The bound on the probability of an overlap by chance, in up to 10^9 outcomes and 10^10 pairs.
_OVERLAP_P_VALUE: Final = 1e-15
#: Odd multipliers of two independent hashes of 64 bits.
_MULTIPLIERS: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_SHIFT: Final = np.uint64(32)
_FEWEST_ROWS: Final = 2


class KeptMeasure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of one test of one stream; figures that are not whole are exact, in hexadecimal.

    Frequencies keep their counts, normal statistics their value and strength, impossible events
    their number and the bound on their probability.
    """

    test: str
    of: str = ""
    trials: int
    counts: list[int] = []
    statistic: str = ""
    strength: str = ""
    p_value: str = ""


class StreamCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of a stream."""

    outcomes: int
    #: How many whole numbers stand for an outcome.
    columns: int
    measures: list[KeptMeasure]
    #: The counts by which samples are compared with one another.
    histograms: list[list[int]] = []
    fingerprints: list[str] = []


def count_stream(
    equipment: Equipment, rows: NDArray[np.int16], *, neighbours: Sequence[object] | None = None
) -> StreamCounts:
    """Return the counts of a stream; `neighbours` are pairs of outcomes in a row at one table."""
    measures = list(equipment.measures(rows))
    if neighbours is not None:
        measures += equipment.neighbour_measures(neighbours)  # type: ignore[arg-type]
    return StreamCounts(
        outcomes=len(rows),
        columns=rows.shape[1],
        measures=list(map(_keep, measures)),
        histograms=[[int(count) for count in one.counts] for one in equipment.histograms(rows)],
        fingerprints=_take_fingerprints(rows),
    )


def _keep(measure: Measure) -> KeptMeasure:
    test, of, trials = measure.test, measure.of, measure.trials
    if measure.cells:
        counts = [cell.observed for cell in measure.cells]
        return KeptMeasure(test=test, of=of, trials=trials, counts=counts)
    statistic = float(measure.statistic).hex()
    if measure.strength is not None:
        strength = float(measure.strength).hex()
        return KeptMeasure(test=test, of=of, trials=trials, statistic=statistic, strength=strength)
    p_value = float(measure.p_value).hex()
    return KeptMeasure(test=test, of=of, trials=trials, statistic=statistic, p_value=p_value)


def _take_fingerprints(rows: NDArray[np.int16]) -> list[str]:
    """Return fingerprints of the first window and of those whose hash is a multiple."""
    windows = len(rows) - _WINDOW + 1
    if windows < 1:
        return []
    hashes = []
    with np.errstate(over="ignore"):
        for multiplier in _MULTIPLIERS:
            base = np.uint64(multiplier)
            codes = np.zeros(len(rows), dtype=np.uint64)
            for column in range(rows.shape[1]):
                codes = (codes + rows[:, column].astype(np.uint64) + np.uint64(1)) * base
            codes ^= codes >> _SHIFT
            window = np.zeros(windows, dtype=np.uint64)
            for at in range(_WINDOW):
                window = window * base + codes[at : at + windows]
            window = (window ^ (window >> _SHIFT)) * _MIX
            hashes.append(window ^ (window >> _SHIFT))
    chosen = np.flatnonzero(hashes[0] % _ONE_WINDOW_IN == 0)
    places = sorted({0, *map(int, chosen)})
    return list(
        dict.fromkeys(f"{int(hashes[0][at]):016x}{int(hashes[1][at]):016x}" for at in places)
    )


@dataclass
class _Together:
    """The sum of one test over all streams."""

    #: A test of the same kind, with the categories and probabilities of the law.
    model: Measure
    of: str = ""
    trials: int = 0
    counts: list[int] = field(default_factory=list)
    weighted: float = 0.0
    strength: float = 0.0
    events: float = 0.0
    bound: float = 0.0

    def add(self, kept: KeptMeasure) -> Measure:
        """Add one stream and return its own test; raise if it is not of this test."""
        model = self.model
        if kept.test != model.test or kept.trials < 0:
            msg = f"{kept.test} stands in the place of {model.test}"
            raise ValueError(msg)
        self.of, self.trials = self.of or kept.of, self.trials + kept.trials
        if model.cells:
            if len(kept.counts) != len(model.cells) or min(kept.counts) < 0:
                msg = f"{kept.test} {kept.of} has other categories"
                raise ValueError(msg)
            self.counts = [
                a + b
                for a, b in zip(self.counts or [0] * len(kept.counts), kept.counts, strict=True)
            ]
            return _counted(model, kept.of, kept.trials, kept.counts)
        statistic = _finite(kept.statistic)
        if model.strength is not None:
            strength = _finite(kept.strength)
            self.weighted += statistic * math.sqrt(kept.trials)
            self.strength += strength
            return _normal(model, kept.of, kept.trials, statistic, strength)
        p_value = min(1.0, max(0.0, _finite(kept.p_value))) if statistic else 1.0
        self.events += statistic
        self.bound = max(self.bound, p_value if statistic else 0.0)
        return _events(model, kept.of, kept.trials, statistic, p_value)

    def measure(self, streams: int) -> Measure:
        """Return the test of all streams together."""
        model, of, trials = self.model, self.of, self.trials
        if model.cells:
            return _counted(model, of, trials, self.counts)
        if model.strength is not None:
            value = self.weighted / math.sqrt(trials) if trials else 0.0
            return _normal(model, of, trials, value, self.strength)
        p_value = min(1.0, streams * self.bound) if self.events else 1.0
        return _events(model, of, trials, self.events, p_value)


class StreamTotals:
    """The sums of the streams of one sample, and the most unlikely stream."""

    def __init__(self, equipment: Equipment, *, neighbours: bool = False) -> None:
        self._equipment, self._neighbours = equipment, neighbours
        self._tests: list[_Together] = []
        self._columns = 0
        self._histograms: list[Histogram] = []
        self._fingerprints: set[bytes] = set()
        self._overlaps = 0
        self._least: Measure | None = None
        self._made = 0
        #: The number of streams and of outcomes.
        self.streams = 0
        self.outcomes = 0

    def add(self, counts: StreamCounts) -> None:
        """Add a stream; raise if its counts are not those of the equipment."""
        if not self.streams:
            self._begin(counts.columns)
        if counts.columns != self._columns or counts.outcomes < 1:
            msg = "a stream has outcomes of another shape"
            raise ValueError(msg)
        own = [one.add(kept) for one, kept in zip(self._tests, counts.measures, strict=True)]
        own = [test for test in own if test.test not in RULE_TESTS]
        for test in own:
            if self._least is None or test.p_value < self._least.p_value:
                self._least = test
        self._made += len(own)
        self._histograms = [
            known._replace(counts=_add_counts(known.counts, more))
            for known, more in zip(self._histograms, counts.histograms, strict=True)
        ]
        prints = {bytes.fromhex(one) for one in counts.fingerprints}
        self._overlaps += len(prints & self._fingerprints)
        self._fingerprints |= prints
        self.streams += 1
        self.outcomes += counts.outcomes

    def _begin(self, columns: int) -> None:
        empty = np.zeros((_FEWEST_ROWS, columns), dtype=np.int16)
        models = list(self._equipment.measures(empty))
        if self._neighbours:
            models += self._equipment.neighbour_measures([])
        self._tests = [_Together(model) for model in models]
        self._histograms = [
            one._replace(counts=[0] * len(one.cells)) for one in self._equipment.histograms(empty)
        ]
        self._columns = columns

    def histograms(self) -> list[Histogram]:
        """Return the counts by which samples are compared."""
        return self._histograms

    def measures(self) -> list[Measure]:
        """Return the tests of all streams together, of each for itself, and of their overlap."""
        together = [one.measure(self.streams) for one in self._tests]
        if self.streams < 2 or self._least is None:  # noqa: PLR2004 - one stream is a sample
            return together
        return [*together, self._measure_each(self._least), self._measure_overlap()]

    def _measure_each(self, least: Measure) -> Measure:
        freedom, statistic = least.freedom, least.statistic
        if freedom is None and least.strength is not None:
            # A normal statistic is a chi-square with one degree of freedom.
            freedom, statistic = 1, statistic * statistic
        return Measure(
            test=STREAMS,
            trials=least.trials,
            statistic=statistic,
            freedom=freedom,
            p_value=min(1.0, least.p_value * self._made),
            cells=least.cells,
        )

    def _measure_overlap(self) -> Measure:
        return Measure(
            test=OVERLAP,
            trials=self.streams,
            statistic=float(self._overlaps),
            p_value=_OVERLAP_P_VALUE if self._overlaps else 1.0,
        )


def _add_counts(known: Iterable[int], more: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(known, more, strict=True)]


def _counted(model: Measure, of: str, trials: int, counts: Sequence[int]) -> Measure:
    if model.test in RULE_TESTS:
        return measure_rule(model.test, of, trials, [cell.name for cell in model.cells], counts)
    cells: list[tuple[str, Fraction]] = [(cell.name, cell.probability) for cell in model.cells]
    return measure_frequencies(model.test, of, cells, counts, model.shrink)


def _normal(model: Measure, of: str, trials: int, statistic: float, strength: float) -> Measure:
    p_value = upper_tail(1, statistic * statistic)
    return Measure(test=model.test, of=of, trials=trials, statistic=statistic, p_value=p_value,
                   strength=strength)  # fmt: skip


def _events(model: Measure, of: str, trials: int, seen: float, p_value: float) -> Measure:
    return Measure(test=model.test, of=of, trials=trials, statistic=seen, p_value=p_value)


def _finite(figure: str) -> float:
    value = float.fromhex(figure)
    if not math.isfinite(value):
        msg = f"{figure} is not a finite number"
        raise ValueError(msg)
    return value
