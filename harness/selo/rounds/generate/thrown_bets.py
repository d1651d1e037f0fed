"""What the bets on repeated throws have to do with one another, as the law says it.

A line bet is one to which another bet may be added. Line bets are placed before the point is set,
or only once there is one. All others are decided by single throws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.cases import settlement_case
from selo.cases.group import STAKE
from selo.rounds.script import THROWS
from selo.rules.equipment.pack_and_dice import PIPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.rounds.generate.table_model import ModelContext


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrownBets:
    """The bets of a game of throws."""

    #: Line bets placed before the point is set, and their counterparts for later, side by side.
    opening: tuple[str, ...]
    later: tuple[str, ...]
    single: tuple[str, ...]
    #: The bet that may be added to each line bet.
    added: Mapping[str, str]

    @classmethod
    def of(cls, context: ModelContext) -> ThrownBets:
        """Return the bets of the game, offered or not."""
        bases = {name: rules.added_to for name, rules in context.all_rules.items()}
        added = {base: name for name, base in bases.items() if base is not None}
        lines = [name for name in bases if name in added]
        return cls(
            opening=tuple(name for name in lines if is_open_at_first(context, name)),
            later=tuple(name for name in lines if not is_open_at_first(context, name)),
            single=tuple(
                name for name, base in bases.items() if base is None and name not in added
            ),
            added=added,
        )


def is_open_at_first(context: ModelContext, name: str) -> bool:
    """Return whether a bet may be placed before the first throw."""
    domain = context.all_rules[name].domain
    choice: Any = {} if domain is None else {"choice": next(iter(domain))}
    bet: Any = {"bet": name, **choice, "stake": STAKE, "at": 0}
    throw = [PIPS[0], PIPS[1]]
    case = settlement_case(context.game, "first-throw", {THROWS: [throw]}, [bet])
    return context.oracle.expected_settlements(case)[0].result != "refused"
