"""The clauses of a game beside the one that is mutated, as far as a mutation depends on them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_models import WILDCARD

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class MutationContext:
    """The clauses of the game, each with its provision."""

    clauses: Sequence[c.Clause]
    #: The provision of each clause, as other clauses of its instrument name it.
    provisions: Sequence[str]

    def everything(self) -> list[str]:
        """Return what a clause must prevail over to prevail over all others."""
        return [WILDCARD, *self._provisions_where(lambda on: WILDCARD in on.over)]

    def repeating(self, clause: c.On) -> list[str]:
        """Return the provisions that repeat what `clause` says."""
        return self._provisions_where(
            lambda on: (
                on is not clause
                and (on.result, on.when, on.stage) == (clause.result, clause.when, clause.stage)
                and not set(c.list_names(on.on)).isdisjoint(c.list_names(clause.on))
            )
        )

    def _provisions_where(self, wanted: Callable[[c.On], bool]) -> list[str]:
        return list(
            dict.fromkeys(
                provision
                for clause, provision in zip(self.clauses, self.provisions, strict=True)
                if isinstance(clause, c.On) and wanted(clause)
            )
        )

    def bets(self) -> list[c.BetClause]:
        """Return the bets of the game."""
        return [clause for clause in self.clauses if isinstance(clause, c.BetClause)]

    def added_to(self) -> list[str]:
        """Return the bets to which others are added."""
        return [bet.added_to for bet in self.bets() if bet.added_to is not None]

    def throws(self) -> bool:
        """Return whether bets last for several throws."""
        return any(
            isinstance(clause, c.Equipment) and clause.equipment == "dice"
            for clause in self.clauses
        )

    def odds_beside(self, prize: c.Prize) -> list[str]:
        """Return the odds of the lines before and after a prize, where they differ from its own."""
        lines = [
            clause
            for clause in self.clauses
            if isinstance(clause, c.Prize) and clause.odds is not None
        ]
        odds: list[str] = []
        for first, second in pairwise(lines):
            for line, neighbour in ((first, second), (second, first)):
                if line is prize and neighbour.odds not in {prize.odds, *odds}:
                    odds.append(str(neighbour.odds))
        return odds

    def colours(self) -> list[str]:
        """Return the colours of all faces."""
        faces = [
            clause for clause in self.clauses if isinstance(clause, c.FaceClause | c.FacesClause)
        ]
        return sorted({face.colour for face in faces if face.colour is not None})
