"""Groups of cases that every game has: stakes, options, repetition, full tables, histories.

They know no game. What the own groups of a game show (outcomes, options, places) is sampled and
combined anew, by covering arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from selo.cases.aspects.factor_cases import FactorCases
from selo.cases.aspects.game_sample import GameSample
from selo.cases.aspects.history_cases import HistoryCases
from selo.cases.aspects.stake_cases import StakeCases
from selo.cases.aspects.table_cases import TableCases
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases.group import GeneratorSetting, Group

__all__ = ["list_aspects"]


def list_aspects(setting: GeneratorSetting, groups: Sequence[Group]) -> Iterator[Group]:
    """Yield the groups of every aspect of a game, made from what its own groups show."""
    if not setting.bets():
        return
    sample = GameSample(setting, groups)
    yield from FactorCases(sample).groups()
    yield from StakeCases(sample).groups()
    if sample.layout.throws:
        yield from HistoryCases(sample).groups()
    if isinstance(setting.rules, Game) and sample.layout.duel is not None:
        yield from TableCases(sample, setting.rules, sample.layout.duel).groups()
