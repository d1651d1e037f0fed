"""Cases in spans, cut into lists of one length without making those that nobody wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.cases.case import Case
    from selo.cases.group import Span


def spans_cut(
    spans: Iterator[Span], wanted: Callable[[int], bool], length: int
) -> Iterator[tuple[int, list[Case]]]:
    """Yield for each list how many cases it has, and those cases if the list is wanted.

    Lists are counted from nought; none but the last is shorter than `length`.
    """
    number = filled = 0
    some: list[Case] = []
    for size, _, make in spans:
        made: list[Case] | None = None
        at = 0
        while at < size:
            more = min(size - at, length - filled)
            if wanted(number):
                made = list(make()) if made is None else made
                some += made[at : at + more]
            at += more
            filled += more
            if filled == length:
                yield filled, some
                number, filled, some = number + 1, 0, []
    if filled:
        yield filled, some
