"""How an answer that is not as the law has it stands to other readings of the law."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import lawful_under, parted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle

    #: An open point and one of its readings.
    Point = tuple[str, str]

#: Amounts are told apart by so many parts of the stake.
_PARTS: Final = 20


class Apart:
    """One answer, and how each other reading stands to it, worked out when it is asked for."""

    def __init__(self, oracle: Oracle, case: Case, answer: Any) -> None:
        self.case, self.answer = case, answer
        self._games = oracle.others(case.game)
        self._lawful = oracle.plain(case) if case.method == "settle" else []
        #: Of each reading the bets that it settles otherwise than the law, and than the answer.
        self._known: dict[Point, tuple[frozenset[int], frozenset[int]] | None] = {}

    def points(self, bet: int | None) -> Iterator[Point]:
        """Yield each reading under which a bet, or a comparison, was answered lawfully."""
        return (point for point in self._games if self.allows(point, bet))

    def allows(self, point: Point, bet: int | None) -> bool:
        """Return whether a bet, or a comparison, was answered as a reading has it."""
        found = self._of(point)
        return found is not None and (bet or 0) not in found[1]

    def _of(self, point: Point) -> tuple[frozenset[int], frozenset[int]] | None:
        if point not in self._known:
            game = self._games[point]
            if self.case.method == "settle":
                self._known[point] = parted(game, self.case, self._lawful, self.answer)
            else:
                so = lawful_under(game, self.case, self.answer)
                self._known[point] = frozenset({0}), frozenset() if so else frozenset({0})
        return self._known[point]

    def following(self, wrong: Sequence[int]) -> Iterator[tuple[Point, bool, bool]]:
        """Yield each reading that allows something here which is `wrong`.

        With it come whether every bet on which it and the law part is as the reading has it, and
        whether one of them is as the law has it.
        """
        asked = wrong or [0]
        for point, found in self._known.items():
            if found is not None and any(at not in found[1] for at in asked):
                parts, otherwise = found
                left = parts & otherwise
                yield point, not left, bool(left - {*asked})


@dataclass(slots=True)
class Told:
    """How wrong answers fit other readings: over cases in which some bet is as one has it."""

    #: How many cases show something of an open point.
    cases: dict[str, int] = field(default_factory=dict)
    #: How many of them are as a reading has them wherever it and the law part.
    fits: dict[Point, int] = field(default_factory=dict)
    #: How many of them are, in another bet, as the law has them and the reading has not.
    denied: dict[Point, int] = field(default_factory=dict)

    def take(self, apart: Apart, wrong: Sequence[int]) -> None:
        """Take one answer that is wrong in some bets."""
        shown: set[str] = set()
        for point, follows, denies in apart.following(wrong):
            shown.add(point[0])
            self.fits[point] = self.fits.get(point, 0) + follows
            if denies:
                self.denied[point] = self.denied.get(point, 0) + 1
        for name in shown:
            self.cases[name] = self.cases.get(name, 0) + 1


def size(amount: Any, stake: Any) -> int | None:
    """Return how large an amount is beside a stake, roughly; nothing for what is no stake."""
    if type(stake) is not int or stake <= 0:
        return None
    above, below = (amount, 1) if isinstance(amount, int) else amount
    return int(above * _PARTS // (stake * below)) if below else None
