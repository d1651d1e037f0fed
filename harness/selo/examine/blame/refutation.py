"""Supposed causes of all that is wrong, held against every right answer of the plan.

A few right answers are kept, and what a change would make wrong besides may be among none of them.
Where several provisions could be blamed for everything, every case is asked that was answered as
the law has it: whoever would have answered it otherwise was not the cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.oracle import lawful_under, terse
from selo.examine.blame.hypotheses import COMPARE, only_compares
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.cases import Case
    from selo.examine.blame.hypotheses import Explained
    from selo.examine.tally import Tally


def unrefuted(
    tally: Tally, rivals: Sequence[Explained], cases: Iterable[tuple[int, Case]]
) -> list[Explained]:
    """Return those that leave right whatever was right; all of them if none does.

    `cases` are all cases of the game, each with its place in the plan.
    """
    left = [_Rival(rival) for rival in rivals]
    for place, case in cases:
        if place in tally.otherwise or place in tally.unsound:
            continue
        names = frozenset(bet["bet"] for bet in case.bets)
        felt = [one for one in left if one.feels(case, names)]
        lawful = tally.oracle.answer(case) if felt else None
        if lawful is None:
            continue
        refuted = {id(one) for one in felt if not one.leaves(case, lawful)}
        if refuted:
            left = [one for one in left if id(one) not in refuted]
        if not left:
            # No change that is known made just this; what looks most like it must do.
            return list(rivals)
    return [one.explained for one in left]


class _Rival:
    """A supposed cause, and the cases that could refute it."""

    def __init__(self, explained: Explained) -> None:
        self.explained = explained
        self._reached = explained.suspect.bets()
        self._compares = only_compares(explained.kinds)
        self._game = terse(explained.game)

    def feels(self, case: Case, names: frozenset[str]) -> bool:
        """Return whether a case could come out otherwise, and would speak against the cause."""
        if case.method == COMPARE:
            return True
        return not self._compares and not self._reached.isdisjoint(names)

    def leaves(self, case: Case, lawful: object) -> bool:
        """Return whether a case comes out as the law has it: what has no such case does not."""
        try:
            return lawful_under(self._game, case, lawful)  # type: ignore[arg-type]
        except UNRULY:
            return False
