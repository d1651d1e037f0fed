"""Bets placed to measure their odds: with the companion bets they need, and divisible stakes.

A prize or a commission may have to be rounded.
Odds are those of a stake that divides without a remainder, so that nothing is rounded.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from selo.rules.odds.bet_odds import BetEnd

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.rules.settlement import Game
    from selo.rules.settlement.settlement_models import BetRules, BetSettlement
    from selo.table_values import Bet

#: Some readings round to whole patacas.
_PATACA: Final = 100
#: The seat or place of all bets; it does not affect the odds.
PLACE: Final = "1"


def choices_of(rules: BetRules) -> Sequence[Any]:
    """Return the choices of a bet; a bet without a choice has the one choice None."""
    return rules.domain if rules.domain is not None else (None,)


def divisible_stake(game: Game) -> int:
    """Return a stake for which every prize and commission is a whole number of patacas."""
    parts = [1]
    for rules in game.bets.values():
        for prize in rules.prizes:
            odds = prize.odds
            parts.append(odds.denominator)
            parts += [(odds * commission.rate).denominator for commission in rules.commissions]
            parts += [commission.rate.denominator for commission in rules.commissions]
    return math.lcm(*parts) * _PATACA


def place_bet(game: Game, name: str, *, choice: Any = None, stake: int) -> list[Bet]:
    """Return a bet, followed by the companion bets that it needs."""
    wanted = [name]
    for bet in wanted:
        for need in game.bets[bet].needs:
            if not need.beside & set(wanted):
                wanted.append(min(need.beside))
    return list(_bets_named(game, wanted, choice, stake))


def _bets_named(game: Game, names: Sequence[str], choice: Any, stake: int) -> Iterator[Bet]:
    for name in names:
        rules = game.bets[name]
        bet: dict[str, Any] = {"bet": name, "stake": stake, "bettor": PLACE}
        if rules.domain is not None:
            bet["choice"] = choice if name == names[0] else rules.domain[0]
        if rules.place is not None:
            bet[rules.place] = PLACE
        yield cast("Bet", bet)


def end_of(settlement: BetSettlement, stake: int) -> BetEnd:
    """Return the end of a bet of one, from the settlement of a bet of `stake`."""
    return BetEnd(
        result=settlement.result,
        prize=Fraction(settlement.prize) / stake,
        commission=Fraction(settlement.commission) / stake,
    )
