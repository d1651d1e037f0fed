"""Which readings a vendor seems to follow together, inferred from some of its answers.

1. Each open point has a situation in the register in which its readings give different results.
   They are asked first. Wrong answers that the readings inferred so far do not explain are set
   aside, up to a limit, and so are a few right answers.
2. From these a reading is adopted for the vendor if more bets are then answered as the law gives
   them, other points being read as inferred so far. This is repeated until nothing improves: the
   effect of a reading may depend on another.
3. What is still answered otherwise may need two or three more readings at once.

Whether the vendor really follows the readings, all its other answers tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import ReadingSearch
from selo.rules.settlement.settlement_models import UNSETTLED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.cases import Case
    from selo.cases.oracle import AnswerReadings, Oracle
    from selo.examine.tally.answer_difference import Point, Points

    Answers = Sequence[tuple[Case, Any]]

#: How often all points are gone through.
_MAX_PASSES: Final = 4
#: After this many unexplained answers the readings are inferred again; after the last, no more.
_INFERRED_AT: Final = (30, 150, 600)
#: Answers of each sort from which the readings are inferred; of situations, all are.
_MAX_ANSWERS: Final = 40
#: Bets for which combinations are searched where no single reading explains more.
_MAX_SEARCHED: Final = 4


@dataclass(slots=True)
class UnexplainedAnswers:
    """Wrong answers that are set aside until the readings that the vendor follows are inferred."""

    search: ReadingSearch
    situations: list[tuple[Case, Any]] = field(default_factory=list)
    right: list[tuple[Case, Any]] = field(default_factory=list)
    kept: list[tuple[Case, Any, int]] = field(default_factory=list)
    _inferred: int = 0

    def keeps(self, apart: AnswerReadings, wrong: Sequence[int | None], n: int) -> bool:
        """Set an answer aside if the readings followed do not explain it; return whether it is."""
        followed = self.search.followed
        if self._inferred >= len(_INFERRED_AT) or (
            followed and all(apart.allows(followed, bet) for bet in wrong)
        ):
            return False
        self.kept.append((apart.case, apart.answer, n))
        return True

    @property
    def is_due(self) -> bool:
        """Whether enough answers are set aside for the readings to be inferred."""
        return self._inferred < len(_INFERRED_AT) and len(self.kept) >= _INFERRED_AT[self._inferred]

    def release(self, *, closing: bool) -> list[tuple[Case, Any, int]]:
        """Infer the readings that the vendor seems to follow, and return what was set aside."""
        self._inferred = len(_INFERRED_AT) if closing else self._inferred + 1
        kept, self.kept = self.kept, []
        if kept:
            answers = [
                *self.situations,
                *_spread([(case, answer) for case, answer, _ in kept]),
                *_spread(self.right),
            ]
            self.search.followed = infer_followed_readings(
                self.search.oracle, kept[0][0].game, answers, self.search.followed
            )
        return kept


def _spread(answers: Answers) -> Answers:
    return answers[:: 1 + len(answers) // _MAX_ANSWERS]


def infer_followed_readings(
    oracle: Oracle, game: str, answers: Answers, followed: Points = ()
) -> Points:
    """Return the readings that explain the most answers, beginning with those `followed` so far."""
    trial = _Trial(oracle, answers)
    for _ in range(_MAX_PASSES):
        before = followed
        for name in _by_gain(trial, oracle.points_of(game), followed):
            followed = _adopt_best(trial, name, followed)
        if trial.is_explained(followed):
            break
        if followed == before:
            followed = _adopt_pairs(trial, followed)
            if followed == before:
                break
    # What changes nothing is not followed.
    for point in followed:
        rest = tuple(other for other in followed if other != point)
        if trial.count_right(rest) >= trial.count_right(followed):
            followed = rest
    return followed


def _by_gain(trial: _Trial, names: Iterable[str], followed: Points) -> list[str]:
    """Return the points of which a reading explains more, those that explain the most first.

    Two points may explain the same wrong answers, and only one of them leaves right ones right.
    """
    now = trial.count_right(followed)
    gains = {name: trial.count_right(_adopt_best(trial, name, followed)) - now for name in names}
    return sorted((name for name in gains if gains[name] > 0), key=lambda name: -gains[name])


def _adopt_best(trial: _Trial, name: str, followed: Points) -> Points:
    """Return the readings followed with the reading of one point that explains the most."""
    if not trial.may_alter(name, followed):
        return followed
    best, most = followed, trial.count_right(followed)
    for points in trial.variants(name, followed):
        right = trial.count_right(points)
        if right > most:
            best, most = points, right
    return best


def _adopt_pairs(trial: _Trial, followed: Points) -> Points:
    """Return the readings followed with more that explain an answer only together."""
    for points in trial.combinations(followed):
        if trial.count_right(points) > trial.count_right(followed):
            return points
    return followed


class _Trial:
    """Answers, compared with the law under combinations of readings."""

    def __init__(self, oracle: Oracle, answers: Sequence[tuple[Case, Any]]) -> None:
        self._oracle, self._answers = oracle, answers
        self._right: dict[Points, tuple[frozenset[int], ...]] = {}
        self._altering: dict[str, frozenset[int]] = {}
        self._bets = [max(len(case.bets), 1) for case, _ in answers]

    def is_explained(self, points: Points) -> bool:
        """Return whether every answer is what the law gives under some readings."""
        return self.count_right(points) == sum(self._bets)

    def count_right(self, points: Points) -> int:
        """Return the number of bets that are answered as the law gives them."""
        return sum(map(len, self._right_bets(points)))

    def variants(self, name: str, followed: Points) -> Iterator[Points]:
        """Yield the readings followed with every other reading of a point."""
        rest = tuple(point for point in followed if point[0] != name)
        for reading in self._oracle.points_of(self._game)[name]:
            in_force = reading == self._oracle.reading_of(name)
            points = rest if in_force else _sorted(self._oracle, (*rest, (name, reading)))
            if points != followed:
                yield points

    def may_alter(self, name: str, followed: Points) -> bool:
        """Return whether a reading of a point may change what is answered wrongly so far."""
        linked = {
            other
            for pair in self._oracle.linked_points(self._game)
            if name in pair
            for other in pair
        }
        if linked & {point for point, _ in followed}:
            return True
        right = self._right_bets(followed)
        wrong = {at for at, bets in enumerate(right) if len(bets) < self._bets[at]}
        return bool(wrong & set().union(*map(self._altered_by, linked | {name})))

    def combinations(self, followed: Points) -> Iterator[Points]:
        """Yield combinations of readings that explain a bet which is not explained so far."""
        search = ReadingSearch(self._oracle, followed)
        seen: set[Any] = set()
        for at, bets in enumerate(self._right_bets(followed)):
            case, answer = self._answers[at]
            for bet in range(self._bets[at]):
                name = case.bets[bet].get("bet") if case.bets else None
                if bet in bets or name in seen or len(seen) >= _MAX_SEARCHED:
                    continue
                seen.add(name)
                found = search.of(case, answer).explain(bet if case.bets else None)
                for points in (*((point,) for point in found.alone), found.together):
                    changed = {**dict(followed), **dict(points)}
                    yield _sorted(self._oracle, tuple(changed.items()))

    @property
    def _game(self) -> str:
        return self._answers[0][0].game

    def _altered_by(self, name: str) -> frozenset[int]:
        """Return the cases that a reading of a point changes, all else as it is in force."""
        if name not in self._altering:
            lawful = self._settle(())
            self._altering[name] = frozenset(
                at
                for reading in self._oracle.points_of(self._game)[name]
                if reading != self._oracle.reading_of(name)
                for at, settled in enumerate(self._settle(((name, reading),)))
                if settled != lawful[at]
            )
        return self._altering[name]

    def _settle(self, points: Points) -> list[Any]:
        oracle = self._oracle.under(points)
        settled: list[Any] = []
        for case, _ in self._answers:
            try:
                settled.append(
                    oracle.settle_plain(case) if case.method == "settle" else oracle.compare(case)
                )
            except UNSETTLED:
                settled.append(None)
        return settled

    def _right_bets(self, points: Points) -> tuple[frozenset[int], ...]:
        if points not in self._right:
            oracle = self._oracle.under(points)
            self._right[points] = tuple(
                frozenset(range(many)) - oracle.unlike_bets(case, answer)
                for (case, answer), many in zip(self._answers, self._bets, strict=True)
            )
        return self._right[points]


def _sorted(oracle: Oracle, points: tuple[Point, ...]) -> Points:
    """Return readings in one order, without those that are in force anyway."""
    return tuple(
        sorted((name, reading) for name, reading in points if reading != oracle.reading_of(name))
    )
