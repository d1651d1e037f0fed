"""Bets as they must be laid for their odds to be seen: companions beside them, stakes that divide.

A prize or a commission may have to be rounded.
Odds are those of a stake that divides without a remainder, so that nothing is rounded.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.rules.odds.figures import End

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Game, Settlement

#: Some readings round to whole patacas.
_PATACA: Final = 100
#: The one seat or place at which all bets lie; who sits there does not matter to the odds.
PLACE: Final = "1"


def choices(rules: BetRules) -> Sequence[Any]:
    """Return everything that may be chosen in a bet, or nothing once."""
    return rules.domain if rules.domain is not None else (None,)


def stake_of(game: Game) -> int:
    """Return a stake of which every prize and every commission is a whole number of patacas."""
    parts = [1]
    for rules in game.bets.values():
        for prize in rules.prizes:
            odds = prize.odds
            parts.append(odds.denominator)
            parts += [(odds * commission.rate).denominator for commission in rules.commissions]
            parts += [commission.rate.denominator for commission in rules.commissions]
    return math.lcm(*parts) * _PATACA


def laid(game: Game, name: str, *, choice: Any = None, stake: int) -> list[dict[str, Any]]:
    """Return a bet, and after it the bets without which the law refuses it."""
    wanted = [name]
    for one in wanted:
        for need in game.bets[one].needs:
            if not need.beside & set(wanted):
                wanted.append(min(need.beside))
    return list(_written(game, wanted, choice, stake))


def _written(game: Game, names: Sequence[str], choice: Any, stake: int) -> Iterator[dict[str, Any]]:
    for name in names:
        rules = game.bets[name]
        bet: dict[str, Any] = {"bet": name, "stake": stake, "bettor": PLACE}
        if rules.domain is not None:
            bet["choice"] = choice if name == names[0] else rules.domain[0]
        if rules.place is not None:
            bet[rules.place] = PLACE
        yield bet


def end_of(settlement: Settlement, stake: int) -> End:
    """Return how a bet of one ends, when a bet of `stake` ends so."""
    return End(
        result=settlement.result,
        prize=Fraction(settlement.prize) / stake,
        commission=Fraction(settlement.commission) / stake,
    )
