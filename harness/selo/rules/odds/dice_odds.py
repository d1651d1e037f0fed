"""Dice with figures: every throw, once."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from selo.rules.odds.companion_bets import choices, end_of, laid, stake_of
from selo.rules.odds.figures import figure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from selo.rules.odds.figures import Figure
    from selo.rules.settlement.game import Game


def figures_of(game: Game, *, dice: int, only: Collection[str]) -> Iterator[Figure]:
    """Yield the odds of the bets `only`, counted over all throws of so many dice."""
    stake = stake_of(game)
    throws = [list(throw) for throw in product(game.tables.faces, repeat=dice)]
    for name, rules in game.bets.items():
        if name not in only:
            continue
        for choice in choices(rules):
            bets = laid(game, name, choice=choice, stake=stake)
            ends = Counter(
                end_of(game.settle({}, {"dice": throw}, bets)[0], stake) for throw in throws
            )
            yield figure(name, ends.items(), total=len(throws), choice=choice)
