"""Which other readings of the law would make a wrong answer lawful."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import differing_bets, is_answer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.tally.answer_difference import Point

#: Amounts that differ by less than this part of the stake look alike.
_STAKE_FRACTIONS: Final = 20


class AnswerReadings:
    """One answer, compared with each other reading when that is asked for."""

    def __init__(self, oracle: Oracle, case: Case, answer: Any) -> None:
        self.case, self.answer = case, answer
        self._games = oracle.games_under_other_readings(case.game)
        self._lawful = oracle.settle_plain(case) if case.method == "settle" else []
        #: For each reading, the bets that it settles unlike the law, and unlike the answer.
        self._differing: dict[Point, tuple[frozenset[int], frozenset[int]] | None] = {}

    def points(self, bet: int | None) -> Iterator[Point]:
        """Yield each reading under which the answer to a bet or a comparison is lawful."""
        return (point for point in self._games if self.allows(point, bet))

    def allows(self, point: Point, bet: int | None) -> bool:
        """Return whether the answer to a bet or a comparison is lawful under a reading."""
        differing = self._compare(point)
        return differing is not None and (bet or 0) not in differing[1]

    def _compare(self, point: Point) -> tuple[frozenset[int], frozenset[int]] | None:
        if point not in self._differing:
            game = self._games[point]
            if self.case.method == "settle":
                self._differing[point] = differing_bets(game, self.case, self._lawful, self.answer)
            else:
                lawful = is_answer_of(game, self.case, self.answer)
                self._differing[point] = frozenset({0}), frozenset() if lawful else frozenset({0})
        return self._differing[point]

    def following(self, wrong: Sequence[int]) -> Iterator[tuple[Point, bool, bool]]:
        """Yield each reading under which one of the `wrong` bets is lawful.

        With it come whether the answer follows the reading in every bet that the reading settles
        unlike the law, and whether it follows the law in one of them instead.
        """
        places = wrong or [0]
        for point, differing in self._differing.items():
            if differing is not None and any(at not in differing[1] for at in places):
                from_law, from_answer = differing
                contradicted = from_law & from_answer
                yield point, not contradicted, bool(contradicted - {*places})


@dataclass(slots=True)
class ReadingFit:
    """How often wrong answers agree with other readings, over cases in which a bet agrees."""

    #: The number of cases that depend on an open point.
    cases: dict[str, int] = field(default_factory=dict)
    #: How many of them follow a reading wherever it differs from the law.
    fits: dict[Point, int] = field(default_factory=dict)
    #: How many of them follow the law, and not the reading, in another bet.
    denied: dict[Point, int] = field(default_factory=dict)

    def take(self, apart: AnswerReadings, wrong: Sequence[int]) -> None:
        """Count one answer that is wrong in some bets."""
        names: set[str] = set()
        for point, follows, denies in apart.following(wrong):
            names.add(point[0])
            self.fits[point] = self.fits.get(point, 0) + follows
            if denies:
                self.denied[point] = self.denied.get(point, 0) + 1
        for name in names:
            self.cases[name] = self.cases.get(name, 0) + 1


def relative_amount(amount: Any, stake: Any) -> int | None:
    """Return the rough size of an amount relative to a stake; nothing if the stake is invalid."""
    if type(stake) is not int or stake <= 0:
        return None
    above, below = (amount, 1) if isinstance(amount, int) else amount
    return int(above * _STAKE_FRACTIONS // (stake * below)) if below else None
