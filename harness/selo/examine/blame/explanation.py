"""Explanations: every wrong answer of a plan, compared with the causes that were accepted.

1. A wrong answer is *explained* if the law with an accepted cause gives it exactly, or the
   law with several accepted causes that meet in it, or the law under other readings that the
   vendor may follow.
2. An accepted cause explains nothing if a right answer contradicts it, and no other accepted cause
   mends that answer: the vendor is then not the law with this cause.
3. Every wrong answer of the plan is compared, not a sample of them. An answer that was too much to
   keep is unexplained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.examine.blame.mutant_trial import give_parts
from selo.examine.blame.wrong_answer import ComparedAnswer
from selo.examine.tally import SETTLEMENT_PARTS
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.cause_cover import AcceptedCause
    from selo.examine.blame.mutant_trial import RightAnswerIndex
    from selo.examine.blame.plan_index import PlanIndex
    from selo.examine.tally import Tally

#: Accepted causes that may meet in one answer.
_MAX_MEETING: Final = 4
#: Right answers at most that a cause changes and that are tried with other causes.
_MAX_MENDED: Final = 60


class Explanation:
    """What explains wrong answers: accepted causes, alone and together, and readings."""

    def __init__(
        self, oracle: Oracle, causes: Sequence[AcceptedCause], readings: Sequence[Oracle] = ()
    ) -> None:
        self._oracle, self._causes, self._readings = oracle, causes, readings
        self._bets = [cause.trial.hypothesis.bets() for cause in causes]
        self._contradicted: set[int] = set()
        self._together: dict[tuple[int, ...], list[Any]] = {}
        #: The case that was settled last, by each game.
        self._case: Case | None = None
        self._settled: dict[int, dict[int, Any]] = {}

    def contradict(self, right: RightAnswerIndex, index: PlanIndex) -> None:
        """Exclude the causes that a right answer contradicts."""
        cases = dict(index.cases()) if len(self._causes) > 1 else {}
        for number, cause in enumerate(self._causes):
            contradictions = right.contradictions(cause.trial.hypothesis)
            for tried, (place, bet) in enumerate(contradictions):
                if tried >= _MAX_MENDED or not self._is_mended(cases.get(place), bet, number):
                    self._contradicted.add(number)
                    break

    def _is_mended(self, case: Case | None, bet: int, number: int) -> bool:
        """Return whether a cause with others gives the lawful answer to a bet."""
        if case is None:
            return False
        meeting = self._meeting(case, bet)
        if len(meeting) < 2 or number not in meeting:  # noqa: PLR2004 - one cause meets nobody
            return False
        lawful = (
            {"order": self._oracle.compare(case)}
            if case.method == "compare"
            else self._oracle.expected_parts(case, bet, SETTLEMENT_PARTS)
        )
        return any(self._gives(game, case, bet, lawful) for game in self._games_of(meeting))

    def compare_answers(self, tally: Tally, index: PlanIndex) -> Iterator[ComparedAnswer]:
        """Yield every wrong answer of the plan."""
        placed = index.planned()
        for place, answers in tally.wrong_answers.by_place():
            # Places ascend, and answers were given to cases of the plan only.
            case = next(case for at, case in placed if at == place)
            for bet, observed in answers:
                explained = observed is not None and self.explains(case, bet, observed)
                yield ComparedAnswer(place, case, bet, observed, explained, answers)

    def explains(self, case: Case, bet: int, observed: Mapping[str, Any]) -> bool:
        """Return whether an answer is just what an accepted cause or a reading gives."""
        name = None if case.method == "compare" else case.bets[bet].get("bet")
        for number, cause in enumerate(self._causes):
            if (
                number not in self._contradicted
                and (name is None or name in self._bets[number])
                and self._gives(cause.trial.game, case, bet, observed)
            ):
                return True
        for oracle in self._readings:
            if self._reads(oracle, case, bet, observed):
                return True
        meeting = self._meeting(case, bet)
        return len(meeting) > 1 and any(
            self._gives(game, case, bet, observed) for game in self._games_of(meeting)
        )

    @staticmethod
    def _reads(oracle: Oracle, case: Case, bet: int, observed: Mapping[str, Any]) -> bool:
        try:
            if case.method == "compare":
                return bool(oracle.compare(case) == observed["order"])
            return bool(oracle.expected_parts(case, bet, observed) == observed)
        except ANSWER_ERRORS:
            # There is no such case under these readings.
            return False

    def _meeting(self, case: Case, bet: int) -> tuple[int, ...]:
        """Return the accepted causes that can meet in an answer; none if they are many."""
        name = None if case.method == "compare" else case.bets[bet].get("bet")
        numbers = tuple(
            number
            for number in range(len(self._causes))
            if name is None or name in self._bets[number]
        )
        return numbers if len(numbers) <= _MAX_MEETING else ()

    def _games_of(self, numbers: tuple[int, ...]) -> list[Any]:
        """Return the games in which several causes are changed together."""
        if numbers not in self._together:
            games = self._together[numbers] = []
            hypotheses = [self._causes[number].trial.hypothesis for number in numbers]
            for first in hypotheses:
                others = [other for other in hypotheses if other is not first]
                try:
                    games.append(first.compile_with(others))
                except ANSWER_ERRORS:
                    # Not everything that is changed together is a game.
                    continue
        return self._together[numbers]

    def _gives(self, game: Any, case: Case, bet: int, observed: Mapping[str, Any]) -> bool:
        if case is not self._case:
            self._case, self._settled = case, {}
        try:
            given = give_parts(game, case, bet, observed, self._settled.setdefault(id(game), {}))
        except ANSWER_ERRORS:
            return False
        return given == observed
