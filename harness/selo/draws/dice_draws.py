"""Tests of dice: faces, colours, sums and throws, and successive throws."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from selo.draws import chi_square as ms
from selo.draws.chi_square import Histogram, measure_successive_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from selo.draws.chi_square import Measure, Numbers
    from selo.table_values import Outcome


_MIN_THROWS = 2


@dataclass(frozen=True, kw_only=True)
class DiceSource:
    """Balanced dice: every face of every die is as likely as any other."""

    #: The colour, if any, and the number of each face.
    faces: dict[Any, tuple[str | None, int]]
    dice: int
    #: Returns the faces shown in an outcome, or raises for an invalid one.
    read_faces: Callable[[Outcome], Sequence[Any]]
    #: Returns the outcome in which the dice show given faces.
    make_outcome: Callable[[list[Any]], Outcome]

    def row(self, outcome: Outcome) -> list[int]:
        """Return the numbers of the faces of an outcome, or raise for an invalid one."""
        shown = self.read_faces(outcome)
        if len(shown) != self.dice:
            msg = f"{len(shown)} dice instead of {self.dice}"
            raise ValueError(msg)
        return [self._places[face] for face in shown]

    def rows(self, outcomes: Sequence[Outcome]) -> NDArray[np.int16]:
        """Return outcomes as rows, or raise."""
        return np.array([self.row(outcome) for outcome in outcomes], dtype=np.int16)

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the throw of a row; how its dice lay is not recorded."""
        faces = list(self.faces)
        return self.make_outcome([faces[at] for at in row])

    @property
    def likeliest(self) -> Fraction:
        """The probability of the likeliest throw."""
        return Fraction(1, len(self.faces) ** self.dice)

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {face: at for at, face in enumerate(self.faces)}

    def expected_measure(self, outcomes: int) -> Measure:
        """Return the test of one die for a sample in which all counts are as expected."""
        face_count = len(self.faces)
        fair = [(str(face), Fraction(1, face_count)) for face in self.faces]
        return ms.measure_frequencies("face", "1", fair, [outcomes // face_count] * face_count)

    def tests(self) -> int:
        """Return the number of tests."""
        return len(list(self.measures(np.zeros((_MIN_THROWS, self.dice), dtype=np.int16))))

    def measures(self, rows: NDArray[np.int16]) -> Iterator[Measure]:
        """Yield every test of successive throws."""
        face_count, throws = len(self.faces), rows.astype(np.int64)
        names = [str(face) for face in self.faces]
        fair = [(name, Fraction(1, face_count)) for name in names]
        for die in range(self.dice):
            counts = np.bincount(throws[:, die], minlength=face_count)
            yield ms.measure_frequencies("face", str(die + 1), fair, counts)
        if self.dice > 1:
            yield ms.measure_frequencies(
                "faces", "", fair, np.bincount(throws.ravel(), minlength=face_count)
            )
        codes = self.codes(throws)
        every = list(product(self.faces, repeat=self.dice))
        counts = np.bincount(codes, minlength=len(every))
        if all(colour is not None for colour, _ in self.faces.values()):
            yield _gather_throws("colours", every, counts, self._colours)
        if self.dice > 1:
            # Of a single piece, its face is its sum and the whole throw.
            yield _gather_throws("sum", every, counts, lambda throw: str(self._sum(throw)))
            yield _gather_throws("throw", every, counts, lambda throw: " ".join(map(str, throw)))
        for die in range(self.dice):
            yield measure_successive_pairs(str(die + 1), throws[:, die], names)
        sums = np.array([self._sum(throw) for throw in every])[codes]
        middle = Fraction(sum(map(self._sum, every)), len(every))
        yield ms.measure_runs("runs", sums > float(middle))
        yield ms.measure_correlation("correlation", sums)
        yield ms.measure_repetition("repetition", codes, self.likeliest)

    #: How many kinds of counts two samples are compared by.
    comparisons: ClassVar[int] = 2
    #: Whether a row holds everything that decides a bet.
    holds_whole_outcomes: ClassVar[bool] = True

    def histograms(self, rows: NDArray[np.int16]) -> Iterator[Histogram]:
        """Yield the counts by which two samples of throws are compared."""
        throws = rows.astype(np.int64)
        fair = [(str(face), Fraction(1, len(self.faces))) for face in self.faces]
        yield Histogram("faces", fair, np.bincount(throws.ravel(), minlength=len(fair)))
        sums = Counter(self._sum(throw) for throw in product(self.faces, repeat=self.dice))
        numbers = np.array([number for _, number in self.faces.values()])
        seen = np.bincount(numbers[throws].sum(axis=1), minlength=max(sums) + 1)
        cells = [(str(total), Fraction(ways, sum(sums.values()))) for total, ways in sums.items()]
        yield Histogram("sum", cells, [int(seen[total]) for total in sums])

    def neighbour_measures(
        self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]
    ) -> Iterator[Measure]:
        """Yield the test that throws in a row at one table are high or low independently."""
        numbers = [number for _, number in self.faces.values()]
        sums = [self._sum(throw) for throw in product(self.faces, repeat=self.dice)]
        middle = Fraction(sum(sums), len(sums))
        high = Fraction(sum(total > middle for total in sums), len(sums))
        alike = sum(
            (sum(numbers[face] for face in one) > middle)
            == (sum(numbers[face] for face in other) > middle)
            for one, other in pairs
        )
        same = high * high + (1 - high) * (1 - high)
        yield ms.measure_frequencies(
            "neighbours", "", [("alike", same), ("unlike", 1 - same)], [alike, len(pairs) - alike]
        )

    def codes(self, rows: NDArray[Any]) -> Numbers:
        """Return the number of each throw in the list of all throws."""
        throws = rows.astype(np.int64)
        codes = np.zeros(len(throws), dtype=np.int64)
        for die in range(self.dice):
            codes = codes * len(self.faces) + throws[:, die]
        return codes

    def _sum(self, throw: Sequence[Any]) -> int:
        return sum(self.faces[face][1] for face in throw)

    def _colours(self, throw: Sequence[Any]) -> str:
        return " ".join(sorted(str(self.faces[face][0]) for face in throw))


def _gather_throws(
    test: str, every: list[Any], counts: Numbers, name_of: Callable[[Any], Hashable]
) -> Measure:
    """Return the test of throws grouped by name, all throws being equally likely."""
    names = [name_of(throw) for throw in every]
    ways, seen = Counter(names), Counter[Any]()
    for name, count in zip(names, counts, strict=True):
        seen[name] += int(count)
    cells = [(str(name), Fraction(times, len(every))) for name, times in ways.items()]
    return ms.measure_frequencies(test, "", cells, [seen[name] for name in ways])
