"""Whether the settlement of a bet can depend on other bets of its case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.rules.settlement import ThrowingGame

if TYPE_CHECKING:
    from selo.rules.settlement import Game
    from selo.table_values import Bet

    AnyGame = Game | ThrowingGame


def settles_alone(game: AnyGame, bet: Bet) -> bool:
    """Return whether the settlement of a bet depends on no other bet."""
    rules = game.bets.get(bet.get("bet", ""))
    if rules is None or rules.needs or rules.asks_others:
        return False
    if isinstance(game, ThrowingGame):
        # Limits apply to what is added to another bet.
        return rules.added_to is None and not rules.limits
    return not settles_bets_jointly(game) and all(prize.share is None for prize in rules.prizes)


def settles_bets_jointly(game: AnyGame) -> bool:
    """Return whether the settlement of a bet can depend on other bets."""
    if isinstance(game, ThrowingGame):
        return True
    return any(not rule.in_place for rule in game.refusals) or any(
        not stage.shares for stage in game.stages
    )
