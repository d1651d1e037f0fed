"""Under which readings of the law an answer is lawful: under one alone, or under several together.

1. The readings that the vendor seems to follow are tried first, all together; those without which
   the answer would not be lawful are needed for it.
2. Then every other reading alone.
3. Then combinations: those followed with up to three more readings that change the settlement of
   the bet, or of which one clause depends on both. This is given up after many searches in vain:
   combinations are many, and what a vendor follows is inferred from many answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from selo.cases.oracle.answer_check import find_wrong_bets
from selo.rules.settlement.settlement_models import UNSETTLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.case import Case
    from selo.cases.oracle.case_oracle import Oracle, Point

    Points = tuple[Point, ...]

#: Combinations that are tried for one bet, and searches in vain after which none are tried.
_MAX_TRIES: Final = 48
_MAX_VAIN_SEARCHES: Final = 60


class LawfulReadings(NamedTuple):
    """The readings that make an answer lawful."""

    #: Each of these alone makes it so, besides what is in force.
    alone: Points = ()
    #: Only together these make it so.
    together: Points = ()

    @property
    def points(self) -> Points:
        """All of them."""
        return (*self.alone, *self.together)


@dataclass(slots=True)
class ReadingSearch:
    """What answers are compared with: the readings followed, and how much more is searched."""

    oracle: Oracle
    #: The readings that the vendor seems to follow, at most one of each point.
    followed: Points = ()
    vain_searches: int = 0

    def of(self, case: Case, answer: Any) -> AnswerReadings:
        """Return the readings of one answer, each compared when that is asked for."""
        return AnswerReadings(self, case, answer)


class AnswerReadings:
    """One answer, compared with the law under other readings when that is asked for."""

    def __init__(self, search: ReadingSearch, case: Case, answer: Any) -> None:
        self.case, self.answer = case, answer
        self._search, self._oracle = search, search.oracle
        #: Every reading that makes some bet of the answer lawful.
        self.found: dict[Point, None] = {}
        self._plain: dict[Points, list[Any] | None] = {}
        self._wrong: dict[Points, frozenset[int]] = {}
        self._agreeing: dict[Points, bool] = {}
        #: Whether a bet that depends on no other is settled otherwise under some readings.
        self._wrong_alone: dict[tuple[Points, int], bool] = {}

    def explain(self, bet: int | None) -> LawfulReadings:
        """Return the readings under which the answer to a bet or a comparison is lawful."""
        found = self._explain(bet)
        self.found.update(dict.fromkeys(found.points))
        return found

    def _explain(self, bet: int | None) -> LawfulReadings:
        followed = self._search.followed
        needed = LawfulReadings()
        if followed and self.allows(followed, bet):
            needed = self._needed(followed, bet)
            if needed.together:
                return needed
        # The reading that is followed may turn out not to be, and another explain the same.
        alone = tuple(
            point
            for point in self._oracle.other_readings(self.case.game)
            if self._may_alter(point, bet) and not self._is_wrong_under((point,), bet or 0)
        )
        if alone or needed.alone or self._search.vain_searches >= _MAX_VAIN_SEARCHES:
            return LawfulReadings(tuple(dict.fromkeys((*needed.alone, *alone))))
        for points in islice(self._combinations(bet or 0), _MAX_TRIES):
            if self.allows(points, bet):
                return self._needed(points, bet)
        self._search.vain_searches += 1
        return LawfulReadings()

    def _may_alter(self, point: Point, bet: int | None) -> bool:
        """Return whether the answer to a bet or a comparison can depend on a reading."""
        if bet is None or not self.case.bets:
            return True
        return self._oracle.may_alter(self.case.game, point, str(self.case.bets[bet].get("bet")))

    def _needed(self, points: Points, bet: int | None) -> LawfulReadings:
        """Return those of several readings without which an answer would not be lawful."""
        needed = tuple(point for point in points if not self.allows(_without(points, point), bet))
        if needed and self.allows(needed, bet):
            return LawfulReadings(needed) if len(needed) == 1 else LawfulReadings((), needed)
        # Several of them do the same, so that none of these is needed.
        alone = tuple(point for point in points if self.allows((point,), bet))
        return LawfulReadings(alone) if alone else LawfulReadings((), points)

    def _combinations(self, bet: int) -> Iterator[Points]:
        """Yield combinations that may explain a bet, the likeliest first.

        They are made of readings that change its settlement besides those followed.
        """
        followed = self._search.followed
        altering = [
            point
            for point in self._oracle.other_readings(self.case.game)
            if point not in followed
            and self._may_alter(point, bet)
            and self._differs(followed, _with(followed, point), bet)
        ]
        linked = self._linked_to(altering)
        for many in (1, 2, 3):
            for points in combinations([*altering, *(linked if many > 1 else ())], many):
                if len(dict(points)) == many:
                    yield _with(followed, *points)

    def _linked_to(self, altering: Sequence[Point]) -> list[Point]:
        """Return the readings that may matter only together with one of those that alter a bet."""
        names = {name for name, _ in altering}
        pairs = self._oracle.linked_points(self.case.game)
        linked = {name for pair in pairs if pair & names for name in pair} - names
        return [
            point
            for point in self._oracle.other_readings(self.case.game)
            if point[0] in linked and point not in self._search.followed
        ]

    def allows(self, points: Points, bet: int | None) -> bool:
        """Return whether the answer to a bet or a comparison is lawful under some readings."""
        return self.agrees(points) or not self._is_wrong_under(points, bet or 0)

    def fitting_readings(self, name: str) -> set[str] | None:
        """Return the readings of a point that the answer fits; nothing if it tells none apart.

        All other points are read as the vendor seems to. A bet that fits no reading of the point
        is wrong for another cause, and tells nothing.
        """
        followed = tuple(point for point in self._search.followed if point[0] != name)
        in_force = self._oracle.reading_of(name)
        variants = {
            reading: followed if reading == in_force else _with(followed, (name, reading))
            for reading in self._oracle.points_of(self.case.game)[name]
        }
        if self.agrees(self._search.followed):
            # No bet is wrong for another cause.
            fitting = {reading for reading, points in variants.items() if self.agrees(points)}
            return fitting if len(fitting) < len(variants) else None
        fitting, telling = set(variants), False
        for at in range(max(len(self.case.bets), 1)):
            kept = {
                reading
                for reading, points in variants.items()
                if at not in self._wrong_under(points)
            }
            if kept and len(kept) < len(variants):
                telling = True
                fitting &= kept
        return fitting if telling else None

    def agrees(self, points: Points) -> bool:
        """Return whether the whole answer is exactly what the law under some readings gives."""
        if points not in self._agreeing:
            oracle = self._oracle.under(points)
            try:
                self._agreeing[points] = (
                    oracle.compare(self.case) == self.answer
                    if self.case.method != "settle"
                    else oracle.is_exactly_expected(self.case, self.answer)
                )
            except UNSETTLED:
                self._agreeing[points] = False
        return self._agreeing[points]

    def _is_wrong_under(self, points: Points, bet: int) -> bool:
        """Return whether a bet or a comparison is wrong under some readings.

        A bet that depends on no other is settled by itself.
        """
        if points in self._wrong or self.case.method != "settle":
            return bet in self._wrong_under(points)
        if (points, bet) not in self._wrong_alone:
            try:
                plain = self._oracle.under(points).settle_alone(self.case, bet)
            except UNSETTLED:
                plain = None
            if plain is None:
                return bet in self._wrong_under(points)
            alone = msgspec.structs.replace(self.case, bets=[self.case.bets[bet]])
            wrong = bool(find_wrong_bets(alone, [plain], [self.answer[bet]]))
            self._wrong_alone[points, bet] = wrong
        return self._wrong_alone[points, bet]

    def _wrong_under(self, points: Points) -> frozenset[int]:
        """Return the bets that are not settled as the law under some readings settles them."""
        if points not in self._wrong:
            plain = self._settle(points)
            if plain is None:
                wrong: Sequence[int] = range(max(len(self.case.bets), 1))
            elif self.case.method == "settle":
                wrong = find_wrong_bets(self.case, plain, self.answer)
            else:
                wrong = [] if plain == [self.answer] else [0]
            self._wrong[points] = frozenset(wrong)
        return self._wrong[points]

    def _differs(self, points: Points, others: Points, bet: int) -> bool:
        """Return whether two combinations of readings settle a bet differently."""
        one, other = self._settle(points), self._settle(others)
        return one is None or other is None or one[bet] != other[bet]

    def _settle(self, points: Points) -> list[Any] | None:
        if points not in self._plain:
            oracle = self._oracle.under(points)
            try:
                self._plain[points] = (
                    oracle.settle_plain(self.case)
                    if self.case.method == "settle"
                    else [oracle.compare(self.case)]
                )
            except UNSETTLED:
                # There is no such case under these readings.
                self._plain[points] = None
        return self._plain[points]


def _without(points: Points, point: Point) -> Points:
    return tuple(other for other in points if other != point)


def _with(points: Points, *more: Point) -> Points:
    names = {name for name, _ in more}
    return (*(other for other in points if other[0] not in names), *more)
