"""Limits on additional bets: what may not pass the stake of the bet they are added to.

1. ``prize``: the bet is taken, and the prizes of all that was added to one bet stop there.
2. ``refused``: a bet whose prize would pass it is not taken.
3. ``stake``: a bet with which the stakes added to one bet would pass it is not taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selo.rules.settlement.bet_rules import BetRules


@dataclass(kw_only=True, slots=True)
class Added:
    """What was already added to one bet: stakes, prizes by the table, and prizes paid."""

    stakes: int = 0
    owed: Fraction = Fraction(0)
    paid: Fraction = Fraction(0)


def possible_prizes(rules: BetRules, stake: int, known: Mapping[str, Any]) -> list[Fraction]:
    """Return the prizes a bet may come to, as far as what is known when it is placed tells."""
    return [
        rule.odds * stake
        for rule in rules.prizes
        if rule.condition is None
        or any(name not in known for name in rule.condition.names)
        or rule.condition.on(known)
    ]
