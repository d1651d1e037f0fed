"""Tests of whole packs, shoes and sets of tiles, to the last piece.

1. Each holds every piece as often as the law has it: no piece is missing, none is there twice.
2. Each piece is as likely in any part of the pack. In a random order of N pieces the counts by
   piece and part have the covariance of multinomial counts times N/(N-1), whatever the parts are,
   so Pearson's statistic times (N-1)/N is a chi-square.
3. Pieces that are removed from play, burned at the front or left behind the cut card, are chosen by
   place and not by what they show: the same statistic for each zone.
4. Neighbours: how often a piece is followed by the one that follows it in a new pack, with its
   exact variance; the correlation of places in a new pack of neighbours in a pack.
5. Packs in a row: the correlation of what lies in the same place, whole packs that come again.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from selo.draws import chi_square as ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws.chi_square import Histogram, Measure, Numbers
    from selo.table_values import Outcome

#: The fields of an outcome: all pieces in their order, how many of the first are burned, and how
#: many lie before the cut card.
PIECES: Final = "pieces"
BURNED: Final = "burned"
BEFORE_CUT: Final = "before_cut"
#: Into this many parts of equal length a pack is divided.
_PARTS: Final = 4
_FEWEST_PACKS: Final = 2
_CODE_BYTES: Final = 8


@dataclass(frozen=True, kw_only=True)
class WholePackSource:
    """Whole packs in random order; each row has all pieces, those burned, and the cut."""

    #: The pieces of a new pack in their order, each as often as it is there.
    new_pack: tuple[str, ...]
    #: Whether a row holds everything that decides a bet: there is none on a pack.
    holds_whole_outcomes: ClassVar[bool] = True

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece: at for at, piece in enumerate(dict.fromkeys(self.new_pack))}

    @cached_property
    def _copies(self) -> NDArray[np.int64]:
        counts = Counter(self._numbers[piece] for piece in self.new_pack)
        return np.array([counts[at] for at in range(len(self._numbers))])

    def row(self, outcome: Mapping[str, Any]) -> list[int]:
        """Return the pieces of a pack, how many are burned, and the cut; raise if malformed."""
        if not {PIECES} <= outcome.keys() <= {PIECES, BURNED, BEFORE_CUT}:
            msg = "a whole pack has pieces, and may have burned and before_cut"
            raise ValueError(msg)
        pieces = outcome[PIECES]
        burned, cut = outcome.get(BURNED, 0), outcome.get(BEFORE_CUT, len(pieces))
        if type(burned) is not int or type(cut) is not int or not 0 <= burned <= cut <= len(pieces):
            msg = "burned and before_cut are numbers of pieces from the front"
            raise ValueError(msg)
        if len(pieces) > 2 * len(self.new_pack):
            msg = f"{len(pieces)} pieces instead of {len(self.new_pack)}"
            raise ValueError(msg)
        # A pack of another size is wrong, and not malformed: what is missing is -1.
        size = len(self.new_pack)
        numbers = [self._numbers[piece] for piece in pieces]
        held = [*numbers[:size], *[-1] * (size - len(numbers))]
        return [*held, burned, cut, len(numbers)]

    def rows(self, outcomes: Sequence[Mapping[str, Any]]) -> NDArray[np.int16]:
        """Return packs as rows, or raise."""
        return np.array([self.row(outcome) for outcome in outcomes], dtype=np.int16)

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the pack of a row."""
        names, size = list(self._numbers), len(self.new_pack)
        pieces = [names[at] for at in row[:size] if at >= 0]
        plain: Any = {PIECES: pieces, BURNED: int(row[size]), BEFORE_CUT: int(row[size + 1])}
        return plain  # type: ignore[no-any-return]

    @property
    def likeliest(self) -> Fraction:
        """A bound of the probability of any order."""
        return Fraction(
            math.prod(math.factorial(int(count)) for count in self._copies),
            math.factorial(len(self.new_pack)),
        )

    @property
    def dealt(self) -> int:
        """The number of pieces that are tested of each pack."""
        return len(self.new_pack)

    #: Effects on frequencies are not stated of whole packs.
    shrink: ClassVar[Fraction] = Fraction(1)
    #: Whole packs are compared with no other sample.
    comparisons: ClassVar[int] = 0

    def codes(self, rows: NDArray[Any]) -> Numbers:
        """Return one number for each pack."""
        size = len(self.new_pack)
        whole = np.ascontiguousarray(rows[:, :size])
        digests = [hashlib.sha256(row.tobytes()).digest()[:_CODE_BYTES] for row in whole]
        return np.array([int.from_bytes(digest, "little", signed=True) for digest in digests])

    @staticmethod
    def histograms(_: NDArray[np.int16]) -> Iterator[Histogram]:
        """Yield nothing: no other sample has whole packs."""
        yield from ()

    @staticmethod
    def neighbour_measures(_: Sequence[object]) -> Iterator[Measure]:
        """Yield nothing: packs are drawn one by one."""
        yield from ()

    def expected_measure(self, outcomes: int) -> Measure:
        """Return the test of parts of the pack for a sample with all counts as expected."""
        parts = self._part_sizes()
        counts = np.outer(self._copies, parts) * outcomes / len(self.new_pack)
        return self._measure_parts(counts, outcomes)

    def tests(self) -> int:
        """Return the number of tests."""
        width = len(self.new_pack) + 3
        return len(list(self.measures(np.zeros((_FEWEST_PACKS, width), dtype=np.int16))))

    def measures(self, rows: NDArray[np.int16]) -> Iterator[Measure]:
        """Yield every test of whole packs."""
        size = len(self.new_pack)
        packs, given = rows[:, :size].astype(np.int64), rows[:, size:].astype(np.int64)
        held = np.array(
            [np.bincount(pack[pack >= 0], minlength=len(self._copies)) for pack in packs]
        )
        wrong = (held != self._copies).any(axis=1) | (given[:, 2] != size)
        yield ms.measure_impossible("composition", len(rows), int(wrong.sum()))
        whole, zones = packs[~wrong], given[~wrong]
        yield self._measure_parts(self._count_parts(whole), len(whole))
        yield self._measure_zone("burned", whole, zones[:, 0] * 0, zones[:, 0])
        yield self._measure_zone("behind-cut", whole, zones[:, 1], zones[:, 1] * 0 + size)
        for name, place in (("first", 0), ("last", size - 1)):
            counts = np.bincount(whole[:, place], minlength=len(self._copies))
            cells = [
                (piece, Fraction(int(count), size))
                for piece, count in zip(self._numbers, self._copies, strict=True)
            ]
            yield ms.measure_frequencies("place", name, cells, counts)
        yield self._measure_successions(whole)
        yield self._measure_neighbours(whole)
        yield self._measure_packs_in_a_row(whole)
        yield ms.measure_repetition("repetition", self.codes(rows), self.likeliest)

    def _part_sizes(self) -> NDArray[np.int64]:
        size = len(self.new_pack)
        borders = [size * part // _PARTS for part in range(_PARTS + 1)]
        return np.diff(borders)

    def _count_parts(self, packs: Numbers) -> NDArray[np.float64]:
        columns = np.split(packs, np.cumsum(self._part_sizes())[:-1], axis=1)
        return np.array(
            [np.bincount(part.ravel(), minlength=len(self._copies)) for part in columns],
            dtype=float,
        ).T

    def _measure_parts(self, counts: NDArray[np.float64], packs: int) -> Measure:
        size, pieces = len(self.new_pack), len(self._copies)
        expected = np.outer(self._copies, self._part_sizes()) * packs / size
        freedom = (pieces - 1) * (_PARTS - 1)
        if expected.min(initial=math.inf) < ms.LEAST_EXPECTED:
            # Too few for single pieces: high and low ones of a new pack.
            half = np.arange(pieces) < pieces // 2
            counts, expected = (
                np.array([table[half].sum(axis=0), table[~half].sum(axis=0)])
                for table in (counts, expected)
            )
            freedom = _PARTS - 1
        if expected.min(initial=math.inf) < ms.LEAST_EXPECTED:
            return _no_measure("parts", packs)
        statistic = float((((counts - expected) ** 2) / expected).sum()) * (size - 1) / size
        return ms.Measure(
            test="parts",
            trials=packs,
            statistic=statistic,
            freedom=freedom,
            p_value=ms.upper_tail(freedom, statistic),
            strength=float(expected.min()) * (size - 1) / size,
        )

    def _measure_zone(self, name: str, packs: Numbers, begin: Numbers, end: Numbers) -> Measure:
        """Return the test that what lies in a zone was chosen by its place alone."""
        size, pieces = len(self.new_pack), len(self._copies)
        lengths = (end - begin).astype(float)
        within = np.arange(size)
        mask = (within >= begin[:, None]) & (within < end[:, None])
        counts = np.bincount(packs[mask], minlength=pieces).astype(float)
        expected = self._copies * lengths.sum() / size
        scale = float((lengths * (size - lengths)).sum()) / (size * (size - 1))
        copies = self._copies.astype(float)
        if expected.min(initial=math.inf) < ms.LEAST_EXPECTED:
            half = np.arange(pieces) < pieces // 2
            counts, expected, copies = (
                np.array([table[half].sum(), table[~half].sum()])
                for table in (counts, expected, copies)
            )
        if not scale or expected.min(initial=math.inf) < ms.LEAST_EXPECTED:
            return _no_measure("zone", len(packs), name)
        statistic = float((((counts - expected) ** 2) / (copies * scale)).sum())
        freedom = len(counts) - 1
        return ms.Measure(
            test="zone",
            of=name,
            trials=len(packs),
            statistic=statistic,
            freedom=freedom,
            p_value=ms.upper_tail(freedom, statistic),
            strength=float(expected.min()),
        )

    def _measure_successions(self, packs: Numbers) -> Measure:
        """Return the test of pieces followed by the one that follows them in a new pack."""
        pieces = len(self._copies)
        seen = int(((packs[:, 1:] - packs[:, :-1]) % pieces == 1).sum())
        mean, variance = succession_moments([int(count) for count in self._copies])
        spread = float(variance) * len(packs)
        if float(mean) * len(packs) < ms.LEAST_EXPECTED:
            return _no_measure("succession", len(packs))
        statistic = (seen - float(mean) * len(packs)) / math.sqrt(spread)
        strength = (float(mean) * len(packs)) ** 2 / spread
        return ms.normal_measure("succession", len(packs), statistic, strength)

    def _measure_neighbours(self, packs: Numbers) -> Measure:
        """Return the test that neighbours in a pack lie anywhere in a new pack."""
        size = len(self.new_pack)
        if not len(packs):
            return _no_measure("neighbouring", 0)
        values = self._centred()[packs]
        products = (values * np.roll(values, -1, axis=1)).sum(axis=1)
        mean, variance = circular_moments(np.sort(self._centred()[self._pack_numbers()]))
        statistic = (float(products.sum()) - mean * len(packs)) / math.sqrt(variance * len(packs))
        return ms.normal_measure("neighbouring", len(packs), statistic, float(len(packs) * size))

    def _measure_packs_in_a_row(self, packs: Numbers) -> Measure:
        """Return the test that a pack lies in no relation to the one before."""
        size = len(self.new_pack)
        if len(packs) < _FEWEST_PACKS:
            return _no_measure("next-pack", len(packs))
        values = self._centred()[packs]
        products = (values[1:] * values[:-1]).sum(axis=1)
        total = float((self._centred()[self._pack_numbers()] ** 2).sum())
        # Of two random orders of the same values: mean 0, variance total² / (N-1).
        spread = total / math.sqrt(size - 1) * math.sqrt(len(products))
        statistic = float(products.sum()) / spread
        return ms.normal_measure("next-pack", len(packs), statistic, float(len(products) * size))

    def _pack_numbers(self) -> Numbers:
        return np.array([self._numbers[piece] for piece in self.new_pack])

    def _centred(self) -> NDArray[np.float64]:
        """Return the place of each piece in a new pack, less the mean over all pieces."""
        places = np.arange(len(self._copies), dtype=float)
        return places - float((places * self._copies).sum()) / len(self.new_pack)


def _no_measure(test: str, packs: int, of: str = "") -> Measure:
    return ms.Measure(test=test, of=of, trials=packs, statistic=0.0, p_value=1.0, strength=0.0)


def succession_moments(copies: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return mean and variance of how often a piece precedes its successor in a random order.

    The successor of the last piece is the first.
    """
    kinds, size = len(copies), sum(copies)
    if kinds <= 3:  # noqa: PLR2004 - successors of successors would coincide
        msg = "a pack has more than three kinds of pieces"
        raise ValueError(msg)
    pairs = [copies[at] * copies[(at + 1) % kinds] for at in range(kinds)]
    single = Fraction(sum(pairs), math.perm(size, 2))
    mean = (size - 1) * single
    triples = sum(
        copies[at] * copies[(at + 1) % kinds] * copies[(at + 2) % kinds] for at in range(kinds)
    )
    overlapping = Fraction(triples, math.perm(size, 3))
    # Two pairs without a common place: ordered choices of four different pieces.
    apart = 0
    for at in range(kinds):
        one, two = copies[at], copies[(at + 1) % kinds]
        for other in range(kinds):
            left = list(copies)
            left[at] -= 1
            left[(at + 1) % kinds] -= 1
            apart += one * two * left[other] * left[(other + 1) % kinds]
    disjoint = Fraction(apart, math.perm(size, 4))
    places = size - 1
    adjacent = 2 * (places - 1)
    second = places * single + adjacent * overlapping
    second += (places * (places - 1) - adjacent) * disjoint
    return mean, second - mean * mean


def circular_moments(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return mean and variance of the circular sum of products of neighbours in a random order.

    Wald and Wolfowitz, 1943; the sum of the values is zero.
    """
    size = len(values)
    second, fourth = float((values**2).sum()), float((values**4).sum())
    mean = -second / (size - 1)
    variance = (second**2 - fourth) / (size - 1)
    variance += (second**2 - 2 * fourth) / ((size - 1) * (size - 2))
    return mean, variance - mean * mean
