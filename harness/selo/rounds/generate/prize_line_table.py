"""What is particular to the tables of a game at which one outcome decides every bet of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import random

    from selo.rounds.generate.table_model import ModelContext, TableModel
    from selo.table_values import Bet, Options, Outcome


class PrizeLineTable(Protocol):
    """What is particular to the tables of a game."""

    @property
    def rounds(self) -> int:
        """The number of rounds at a table."""

    def options(self, context: ModelContext) -> list[Options]:
        """Return the options with which tables are opened."""

    def settlement_options(self, options: Options) -> Options:
        """Return those of the options that settlements need."""

    def bets(
        self, context: ModelContext, options: Options, outcome: Outcome, chance: random.Random
    ) -> list[Bet]:
        """Return all bets that can be placed together."""

    def select_bets(self, bets: list[Bet], new: list[int]) -> list[Bet]:
        """Return the bets with new results, and those that they need."""

    def play(self, model: TableModel, rounds: list[tuple[Outcome, list[Bet]]]) -> None:
        """Play rounds at one table."""

    def free_options(self, context: ModelContext) -> list[Options]:
        """Return the options of tables that draw their own outcomes."""

    def select_free_bets(
        self, bets: list[Bet], chosen: list[int], chance: random.Random
    ) -> list[Bet]:
        """Return the chosen bets as people place them before they know any outcome."""


class UnchangedTable:
    """What most games do at tables that draw their own outcomes: the same as at others."""

    def options(self, _: ModelContext) -> list[Options]:
        """Return the options with which tables are opened."""
        raise NotImplementedError

    def free_options(self, context: ModelContext) -> list[Options]:
        """Return those of all its tables."""
        return self.options(context)

    def select_bets(self, bets: list[Bet], new: list[int]) -> list[Bet]:
        """Return the bets with new results, and those that they need."""
        raise NotImplementedError

    def select_free_bets(
        self, bets: list[Bet], chosen: list[int], chance: random.Random
    ) -> list[Bet]:
        """Return the chosen bets, and those that they need."""
        del chance
        return self.select_bets(bets, chosen)
