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

#: The grounds of this many differences that look alike are computed; after that, of one in
#: `_EXAMINED_EVERY`. The others are only checked against the readings that allow the last ones.
_EXAMINED_ALIKE: Final = 30
_EXAMINED_EVERY: Final = 16
#: The last grounds that are remembered for differences that look alike.
_MAX_GROUNDS: Final = 4
#: The combinations of readings that are remembered because they allowed some difference of a game.
_MAX_ALLOWING: Final = 8


class GroundsMemory:
    """Works out the grounds of differences, and remembers those of differences that look alike."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._times: dict[Likeness, int] = {}
        self._remembered: dict[Likeness, list[DifferenceGrounds]] = {}
        #: How many differences of a shape no reading allowed; none if a reading allowed one.
        self._never_allowed: dict[DifferenceShape, int | None] = {}
        #: The last combinations of readings that allowed some difference.
        self._allowing: list[Points] = []

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
        readings = self._explain(likeness[0], times, apart, bet)
        grounds = DifferenceGrounds.of(reasons, *readings, self._oracle.is_ruled)
        if grounds in remembered:
            remembered.remove(grounds)
        remembered.insert(0, grounds)
        del remembered[_MAX_GROUNDS:]
        return grounds

    def _explain(
        self, shape: DifferenceShape, times: int, apart: AnswerReadings, bet: int | None
    ) -> tuple[Points, Points]:
        """Return the readings under which a difference is lawful, alone and together.

        A vendor may be wrong in a thousand ways that do not look alike. Where no reading allowed
        any difference of a shape, only one of several is still compared with every reading; the
        others with those that allowed a difference of any shape, or that the vendor follows.
        """
        seen = self._never_allowed.setdefault(shape, 0)
        followed = [apart.followed] if apart.followed else []
        if (
            seen is not None
            and seen >= _EXAMINED_ALIKE
            and (seen + times) % _EXAMINED_EVERY
            and not any(apart.allows(points, bet) for points in (*self._allowing, *followed))
        ):
            self._never_allowed[shape] = seen + 1
            return (), ()
        alone, together = apart.explain(bet)
        if alone or together:
            self._never_allowed[shape] = None
            for points in (*((point,) for point in alone), *((together,) if together else ())):
                if points not in self._allowing:
                    self._allowing.insert(0, points)
            del self._allowing[_MAX_ALLOWING:]
        elif seen is not None:
            self._never_allowed[shape] = seen + 1
        return alone, together


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
