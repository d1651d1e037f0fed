"""Compiled games: settle bets, compare hands, and derive every result from provisions."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.settlement.equivalence import EquivalenceClasses
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.game_compiler import compile_game
    from selo.rules.settlement.throwing_game import ThrowingGame
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "EquivalenceClasses",
    "Game",
    "ThrowingGame",
    "compile_game",
    "jackpot",
    "neighbouring_bets",
    "settlement_models",
]
