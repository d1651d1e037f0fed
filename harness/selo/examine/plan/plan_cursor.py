"""Reads the cases of a plan by their numbers, without generating those that nobody asks for.

Evidence is compared with the plan it was made by: line n must be about case n. Each process that
reads some blocks of evidence has a cursor of its own and skips the cases of all other blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.case_encoding import CaseEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import msgspec

    from selo.cases import Case

    #: The number of some consecutive cases, and what generates them.
    CasePart = tuple[int, Callable[[], Iterable[Case]]]


class PlanCursor:
    """The cases of a plan, read from the first to the last."""

    def __init__(self, parts: Iterator[CasePart]) -> None:
        self._parts = parts
        self._encoder = CaseEncoder()
        #: The part that the cursor stands on: its first case, its size, and what generates it.
        self._first = self._size = 0
        self._make: Callable[[], Iterable[Case]] = list
        self._made: list[Case] | None = None

    def read(self, first: int, count: int) -> list[Case]:
        """Return `count` cases from number `first` on, or as many as the plan has.

        A call must not go back behind the part in which the one before it ended.
        """
        cases: list[Case] = []
        while len(cases) < count:
            at = first + len(cases) - self._first
            if at < 0:
                msg = f"case {first} comes before what was read already"
                raise ValueError(msg)
            if at >= self._size:
                if not self._advance():
                    break
                continue
            if self._made is None:
                self._made = list(self._make())
            cases += self._made[at : at + count - len(cases)]
        return cases

    def params(self, case: Case) -> msgspec.Raw:
        """Return the params of a case as its line of evidence holds them."""
        return self._encoder.params(case)

    def _advance(self) -> bool:
        """Step to the next part; return whether there is one."""
        self._first, self._size, self._made = self._first + self._size, 0, None
        part = next(self._parts, None)
        if part is not None:
            self._size, self._make = part
        return part is not None
