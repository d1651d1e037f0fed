"""How often a change of one provision would have been seen in the cases of a plan.

Several changes of a provision may explain everything that was kept of what is wrong. A vendor that
made one of them answered otherwise as often as that one does, and not as often as another.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.cases.oracle import Oracle
from selo.examine.kills import Cases
from selo.examine.plan import Plan
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.blame.hypotheses import Explained
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.rules.mutants import Variant

#: A longer plan is not gone through again.
_MOST: Final = 6000
_COMPARE: Final = "compare"


class Often:
    """Counts in the plan of one game what some changes would answer otherwise than the law."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        self._law, self._game = law, game
        alone = [one for one in terms.games if one.game == game]
        self._terms = msgspec.structs.replace(terms, games=alone)

    @cached_property
    def _cases(self) -> Cases | None:
        groups = Plan(self._law, self._terms).groups()
        cases = list(islice((case for *_, some in groups for case in some), _MOST + 1))
        if len(cases) > _MOST:
            return None
        oracle = Oracle(self._law, self._terms.rulings)
        return Cases(oracle, oracle.game(self._game), cases, tells=False)

    def nearest(self, some: Sequence[Explained], times: int) -> Explained:
        """Return what would have been seen most nearly so many times; the first of equals."""
        if len(some) == 1 or self._cases is None:
            return some[0]
        return min(some, key=lambda one: abs(self._times(one) - times))

    def _times(self, one: Explained) -> int:
        if self._cases is None:
            return 0
        try:
            found = self._cases.decided(cast("Variant", one.suspect), set())
            return sum(self._otherwise(one.game, at) for at in found)
        except UNRULY:
            # What cannot answer every case was not seen at all.
            return 0

    def _otherwise(self, game: Any, at: int) -> int:
        """Return how many bets of a case come out otherwise."""
        if self._cases is None:
            return 0
        case, expected = self._cases.cases[at], self._cases.expected[at]
        if case.method == _COMPARE:
            return 1
        now = game.settle_plain(case.options, case.outcome, case.bets)
        return sum(one != other for one, other in zip(now, expected, strict=True))
