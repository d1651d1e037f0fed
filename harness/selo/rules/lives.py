"""What becomes of bets over several throws: each bet's life, and the table on which they lie."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from selo.rules.game import REFUSED, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.game import BetRules
    from selo.rules.limits import Added

_REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    """What became of a bet: the verdict, on which throw, and the point it had from which throw."""

    verdict: Verdict
    ended: int
    point: int = 0
    point_from: int | None = None

    @property
    def refused(self) -> bool:
        """Whether the bet was never taken."""
        return self.verdict.result == _REFUSED


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """A case: its throws with the round around them, its bets, and what became of them so far."""

    throws: Sequence[Mapping[str, Any]]
    #: The point of the round before each throw, and after the last; nought is none.
    points: Sequence[int]
    bets: Sequence[Mapping[str, Any]]
    #: What became of bets on the same throws in other cases, by name, choice and moment.
    known: dict[Hashable, Life]
    lives: dict[int, Life] = field(default_factory=dict)
    added: dict[int, Added] = field(default_factory=dict)


def never_taken(*reasons: Reason) -> Life:
    """Return the life of a bet that was refused."""
    return Life(verdict=replace(REFUSED, reasons=reasons), ended=-1)


def others_of(index: int, at: int, table: Board) -> list[str]:
    """Return the bets of the same bettor that lie on the table at that moment."""
    bettor = table.bets[index].get("bettor")
    return [
        str(table.bets[other]["bet"])
        for other, life in table.lives.items()
        if not life.refused and life.ended >= at and table.bets[other].get("bettor") == bettor
    ]


def base_of(rules: BetRules, bet: Mapping[str, Any], at: int, table: Board) -> Life | None:
    """Return the bet to which another is added, if it lies on the table at that moment."""
    to = bet.get("to")
    if not isinstance(to, int) or not 0 <= to < len(table.bets):
        return None
    life = table.lives.get(to)
    if life is None or life.refused or life.ended < at:
        return None
    return life if table.bets[to].get("bet") == rules.added_to else None


def with_declaration(rules: BetRules, verdict: Verdict, before: tuple[Reason, ...]) -> Verdict:
    """Return `verdict` with the reasons `before` it, and the provision that allows the bet."""
    reasons = (*before, *verdict.reasons)
    if all(reason.provision != rules.declared_in for reason in reasons):
        reasons = (Reason(provision=rules.declared_in, role="bet", condition=None), *reasons)
    return replace(verdict, reasons=reasons)
