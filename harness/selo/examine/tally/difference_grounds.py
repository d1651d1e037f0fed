"""The grounds of differences: the provisions behind them, and the readings that allow them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from selo.examine.tally.answer_difference import DifferenceGrounds

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import AnswerReadings, Oracle
    from selo.examine.tally.answer_difference import (
        Difference,
        DifferenceKind,
        DifferenceShape,
        Point,
        Points,
    )

    #: A shape, the choice of the bet, and each amount relative to the stake.
    Likeness = tuple[DifferenceShape, str, tuple[int | None, ...]]

#: The grounds of this many differences that look alike are worked out; after that, of one in
#: `_EXAMINED_EVERY`. The others are only checked against the readings that allow the last ones.
_EXAMINED_ALIKE: Final = 30
_EXAMINED_EVERY: Final = 16
#: The last grounds that are remembered for differences that look alike.
_MAX_GROUNDS: Final = 4


class GroundsMemory:
    """Works out the grounds of differences, and remembers those of differences that look alike."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._times: dict[Likeness, int] = {}
        self._remembered: dict[Likeness, list[DifferenceGrounds]] = {}

    def of(self, likeness: Likeness, apart: AnswerReadings, bet: int | None) -> DifferenceGrounds:
        """Return the provisions behind a difference, and the readings under which it is lawful.

        Differences that look alike may rest on other provisions, and may be open or not. Working
        this out takes time, so it is done only for some of very many that look alike; but a
        difference is taken for lawful under a reading only after that reading was asked.
        """
        times = self._times[likeness] = self._times.get(likeness, 0) + 1
        remembered = self._remembered.setdefault(likeness, [])
        if times > _EXAMINED_ALIKE and times % _EXAMINED_EVERY:
            for grounds in remembered:
                alternatives = grounds.alternatives
                if not alternatives:
                    # That no reading allows it is assumed only where no reading ever did.
                    same = len(remembered) == 1
                else:
                    same = all(apart.allows(points, bet) for points in alternatives)
                if same:
                    return grounds
        reasons = reasons_of(self._oracle, apart.case, bet or 0)
        grounds = DifferenceGrounds.of(reasons, *apart.explain(bet), self._oracle.is_ruled)
        if grounds in remembered:
            remembered.remove(grounds)
        remembered.insert(0, grounds)
        del remembered[_MAX_GROUNDS:]
        return grounds


def reasons_of(oracle: Oracle, case: Case, at: int) -> tuple[tuple[str, str], ...]:
    """Return the provisions from which the lawful answer follows, each with its role."""
    return tuple((reason.provision, reason.role) for reason in oracle.derivation_of(case, at))


def deny_readings(
    differences: dict[DifferenceKind, Difference],
    times: Mapping[DifferenceKind, int],
    denied: AbstractSet[Point],
) -> None:
    """Exclude denied readings from what makes differences lawful, and the less likely ones."""
    weight: dict[Point, int] = {}
    for kind, difference in differences.items():
        for point in (*difference.readings, *difference.together, *difference.against):
            weight[point] = weight.get(point, 0) + times[kind]
    for kind, difference in differences.items():
        if difference.open or difference.against:
            differences[kind] = msgspec.structs.replace(
                difference,
                readings=_likeliest_readings(difference.readings, denied, weight),
                together=() if denied & {*difference.together} else difference.together,
                against=_likeliest_readings(difference.against, denied, weight),
            )


def _likeliest_readings(
    points: Points, denied: AbstractSet[tuple[str, str]], weight: Mapping[tuple[str, str], int]
) -> Points:
    """Return the readings that are not denied and allow the most differences."""
    left = [point for point in points if point not in denied]
    most = max((weight[point] for point in left), default=0)
    return tuple(point for point in left if weight[point] == most)
