"""Sets of the numbers that cases have in their plan, as ranges: collected, published, compared."""

from __future__ import annotations

import hashlib
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Ranges of numbers that are published of one set at most; count and digest are of all.
_MAX_RANGES: Final = 200
_END: Final = "…"


class NumberRanges:
    """A growing set of numbers; adding them in order takes little memory."""

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        #: The first number of each range, and the last one.
        self._firsts, self._lasts = array("Q"), array("Q")
        for number in numbers:
            self.add(number)

    def add(self, number: int) -> None:
        """Add a number; a negative one stands for a case outside the plan and is ignored."""
        if number < 0:
            return
        if self._lasts and self._firsts[-1] <= number <= self._lasts[-1] + 1:
            self._lasts[-1] = max(number, self._lasts[-1])
        else:
            self._firsts.append(number)
            self._lasts.append(number)

    def update(self, other: NumberRanges) -> None:
        """Add all numbers of another set."""
        self._firsts.extend(other._firsts)
        self._lasts.extend(other._lasts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last number of each range, in order."""
        first, last = -1, -1
        for begin, end in sorted(zip(self._firsts, self._lasts, strict=True)):
            if first < 0 or begin > last + 1:
                if first >= 0:
                    yield first, last
                first, last = begin, end
            else:
                last = max(last, end)
        if first >= 0:
            yield first, last


def join_numbers(numbers: Iterable[Mapping[str, NumberRanges]]) -> dict[str, NumberRanges]:
    """Return named sets of numbers, with all numbers that have the same name."""
    joined: dict[str, NumberRanges] = {}
    for by_name in numbers:
        for name, some in by_name.items():
            joined.setdefault(name, NumberRanges()).update(some)
    return joined


class CaseNumbers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers that some cases have in their plan: ``3, 7-9``."""

    count: int
    #: Ranges in order; where they are very many, the first ones and an ellipsis.
    ranges: str
    #: The SHA-256 of all ranges, written so.
    digest: str

    @classmethod
    def of(cls, numbers: NumberRanges) -> Self:
        """Return the published form of a set of numbers."""
        ranges = list(numbers)
        written = [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
        shown = written[:_MAX_RANGES] + ([_END] if len(written) > _MAX_RANGES else [])
        return cls(
            count=sum(last - first + 1 for first, last in ranges),
            ranges=", ".join(shown),
            digest=hashlib.sha256(", ".join(written).encode()).hexdigest(),
        )

    def is_within(self, other: CaseNumbers) -> bool:
        """Return whether all numbers are in another set; not if that cannot be told."""
        if (self.count, self.digest) == (other.count, other.digest):
            return True
        own, outer = parse_ranges(self.ranges), parse_ranges(other.ranges)
        if own is None or outer is None:
            return False
        return all(
            any(first >= begin and last <= end for begin, end in outer) for first, last in own
        )


#: The numbers of what no case of a plan shows.
NO_CASES: Final = CaseNumbers.of(NumberRanges())


def parse_ranges(written: str) -> list[tuple[int, int]] | None:
    """Return the ranges that are written; none where they are not whole or not in order."""
    ranges: list[tuple[int, int]] = []
    for piece in filter(None, (piece.strip() for piece in written.split(","))):
        first, dash, last = piece.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            return None
        ranges.append((int(first), int(last or first)))
    in_order = all(last < begin for (_, last), (begin, _) in pairwise(ranges))
    return ranges if in_order and all(first <= last for first, last in ranges) else None
