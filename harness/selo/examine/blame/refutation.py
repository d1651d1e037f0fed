"""Refutation of explanations by every right answer of the plan.

Only a few right answers are kept as samples, and a mutant may spoil none of these. Where mutants of
several provisions explain everything, each right answer of the plan is compared: a mutant that
answers it otherwise is not the cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.oracle import is_answer_of, make_fast_game
from selo.examine.blame.hypotheses import are_all_comparisons
from selo.examine.tally import COMPARE
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.cases import Case
    from selo.examine.blame.hypotheses import Explanation
    from selo.examine.tally import Tally


def drop_refuted(
    tally: Tally, explanations: Sequence[Explanation], cases: Iterable[tuple[int, Case]]
) -> list[Explanation]:
    """Return the explanations that leave every right answer right; all of them if none does.

    `cases` are all cases of the game, each with its place in the plan.
    """
    left = [_Candidate(explanation) for explanation in explanations]
    for place, case in cases:
        if place in tally.wrong_places or place in tally.unanswered_places:
            continue
        names = frozenset(bet["bet"] for bet in case.bets)
        affected = [candidate for candidate in left if candidate.can_refute(case, names)]
        lawful = tally.oracle.answer(case) if affected else None
        if lawful is None:
            continue
        refuted = {
            id(candidate) for candidate in affected if not candidate.leaves_right(case, lawful)
        }
        if refuted:
            left = [candidate for candidate in left if id(candidate) not in refuted]
        if not left:
            # No mutant is exactly the fault; those that are most like it must do.
            return list(explanations)
    return [candidate.explanation for candidate in left]


class _Candidate:
    """An explanation, and the cases that can refute it."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation = explanation
        self._reached = explanation.hypothesis.bets()
        self._compares = are_all_comparisons(explanation.kinds)
        self._game = make_fast_game(explanation.game)

    def can_refute(self, case: Case, names: frozenset[str]) -> bool:
        """Return whether a case can come out otherwise and so refute the explanation."""
        if case.method == COMPARE:
            return True
        return not self._compares and not self._reached.isdisjoint(names)

    def leaves_right(self, case: Case, lawful: object) -> bool:
        """Return whether a case comes out lawfully; a mutant without such a case does not."""
        try:
            return is_answer_of(self._game, case, lawful)  # type: ignore[arg-type]
        except ANSWER_ERRORS:
            return False
