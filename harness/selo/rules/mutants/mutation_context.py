"""The clauses around one that is changed: what they say beside it, and what it prevails over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from selo.rules.clauses import clause_models as c
from selo.rules.settlement.game import ALL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """The clauses of the game around the one that is changed, each with its provision."""

    clauses: Sequence[c.Clause]
    #: The provision of each clause, as other clauses of its instrument name it.
    provisions: Sequence[str]

    def everything(self) -> list[str]:
        """Return what a clause must prevail over to prevail over all others."""
        return [ALL, *self._of(lambda one: ALL in one.over)]

    def repeating(self, clause: c.On) -> list[str]:
        """Return the provisions that say again what `clause` says."""
        return self._of(
            lambda one: (
                one is not clause
                and (one.result, one.when, one.stage) == (clause.result, clause.when, clause.stage)
                and not set(c.names(one.on)).isdisjoint(c.names(clause.on))
            )
        )

    def _of(self, wanted: Callable[[c.On], bool]) -> list[str]:
        return list(
            dict.fromkeys(
                provision
                for clause, provision in zip(self.clauses, self.provisions, strict=True)
                if isinstance(clause, c.On) and wanted(clause)
            )
        )

    def bets(self) -> list[c.Bet]:
        """Return the bets of the game."""
        return [clause for clause in self.clauses if isinstance(clause, c.Bet)]

    def added_to(self) -> list[str]:
        """Return the bets to which others are added."""
        return [bet.added_to for bet in self.bets() if bet.added_to is not None]

    def throws(self) -> bool:
        """Return whether bets live over several throws."""
        return any(
            isinstance(clause, c.Equipment) and clause.equipment == "dice"
            for clause in self.clauses
        )

    def odds_beside(self, prize: c.Prize) -> list[str]:
        """Return the odds of the lines before and after a prize, where they are others."""
        lines = [
            clause
            for clause in self.clauses
            if isinstance(clause, c.Prize) and clause.odds is not None
        ]
        found: list[str] = []
        for one, other in pairwise(lines):
            for mine, beside in ((one, other), (other, one)):
                if mine is prize and beside.odds not in {prize.odds, *found}:
                    found.append(str(beside.odds))
        return found

    def colours(self) -> list[str]:
        """Return the colours of all faces."""
        faces = [clause for clause in self.clauses if isinstance(clause, c.Face)]
        return sorted({face.colour for face in faces if face.colour is not None})
