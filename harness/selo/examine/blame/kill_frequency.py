"""How many bets of a plan a mutant settles unlike the law.

Several mutants of a provision may explain every sample of what is wrong. The one that a vendor has
implemented settles about as many bets wrongly as the vendor did.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.cases.oracle import Oracle
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan
from selo.examine.tally import COMPARE
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.blame.hypotheses import Explanation
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant


#: In a longer plan, nothing is counted.
_MAX_CASES: Final = 6000


class KillFrequency:
    """Counts the bets in the plan of one game that mutants settle unlike the law."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        self._law, self._game = law, game
        alone = [offer for offer in terms.games if offer.game == game]
        self._terms = msgspec.structs.replace(terms, games=alone)

    @cached_property
    def _cases(self) -> KillIndex | None:
        plan = Plan(self._law, self._terms)
        every_case = (case for group in plan.groups() for case in plan.cases(*group))
        cases = list(islice(every_case, _MAX_CASES + 1))
        if len(cases) > _MAX_CASES:
            return None
        oracle = Oracle(self._law, self._terms.rulings)
        return KillIndex(oracle, oracle.game(self._game), cases, with_reasons=False)

    def nearest(self, explanations: Sequence[Explanation], times: int) -> Explanation:
        """Return the first explanation whose number of wrong bets is nearest to `times`."""
        if len(explanations) == 1 or self._cases is None:
            return explanations[0]
        return min(explanations, key=lambda explanation: abs(self._times(explanation) - times))

    def _times(self, explanation: Explanation) -> int:
        if self._cases is None:
            return 0
        try:
            killed_by = self._cases.killing_cases(cast("Mutant", explanation.hypothesis), set())
            return sum(self._wrong_bets(explanation.game, at) for at in killed_by)
        except ANSWER_ERRORS:
            # A mutant that does not answer every case counts as never seen.
            return 0

    def _wrong_bets(self, game: Any, at: int) -> int:
        """Return how many bets of a case a mutant settles unlike the law."""
        if self._cases is None:
            return 0
        case, expected = self._cases.cases[at], self._cases.expected[at]
        if case.method == COMPARE:
            return 1
        now = game.settle_plain(case.options, case.outcome, case.bets)
        return sum(settled != lawful for settled, lawful in zip(now, expected, strict=True))
