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
        return [one for one in self.clauses if isinstance(one, c.Bet)]

    def added_to(self) -> list[str]:
        """Return the bets to which others are added."""
        return [one.added_to for one in self.bets() if one.added_to is not None]

    def throws(self) -> bool:
        """Return whether bets live over several throws."""
        return any(isinstance(one, c.Equipment) and one.equipment == "dice" for one in self.clauses)

    def odds_beside(self, prize: c.Prize) -> list[str]:
        """Return the odds of the lines before and after a prize, where they are others."""
        lines = [one for one in self.clauses if isinstance(one, c.Prize) and one.odds is not None]
        found: list[str] = []
        for one, other in pairwise(lines):
            for mine, beside in ((one, other), (other, one)):
                if mine is prize and beside.odds not in {prize.odds, *found}:
                    found.append(str(beside.odds))
        return found

    def colours(self) -> list[str]:
        """Return the colours of all faces."""
        faces = [one for one in self.clauses if isinstance(one, c.Face)]
        return sorted({one.colour for one in faces if one.colour is not None})
