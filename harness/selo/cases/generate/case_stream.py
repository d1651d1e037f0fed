"""Streams the cases of all offered games within a budget.

1. Every finite group that the budget includes, in the order in which a game lists them; those of
   the aspects that every game has come last.
2. Then the number of random cases that the budget sets, or the caller.

The same law, scope, budget and seed give the same stream.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases.aspects import list_aspects
from selo.cases.generate import (
    banker_and_seats_cases,
    croupier_cases,
    piece_cases,
    played_hand_cases,
    player_and_banker_cases,
    situation_cases,
    thrown_dice_cases,
    tile_cases,
)
from selo.cases.group import BUDGETS, GeneratorSetting
from selo.rules.clauses import read_clauses
from selo.rules.clauses.clause_models import Equipment
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from selo.cases.case import Case
    from selo.cases.group import Budget, Group
    from selo.cases.scope import OfferedGame, Scope
    from selo.law import Law

#: The generators of groups by the name of the equipment in the law files.
_BY_EQUIPMENT: Final[dict[str, Callable[[GeneratorSetting], Iterator[Group]]]] = {
    "figure-dice": piece_cases.list_groups,
    "pieces": piece_cases.list_groups,
    "played-hands": played_hand_cases.list_groups,
    "banker-and-seats": banker_and_seats_cases.list_groups,
    "player-and-banker": player_and_banker_cases.list_groups,
    "croupier-and-places": croupier_cases.list_groups,
    "dice": thrown_dice_cases.list_groups,
    "tiles": tile_cases.list_groups,
}
#: Number of random cases for each game.
_RANDOM_CASES: Final[dict[Budget, int]] = {"quick": 300, "standard": 10_000, "full": 15_000}
DEFAULT_SEED: Final = 0


def random_case_count(budget: Budget) -> int:
    """Return the number of random cases of each game under a budget."""
    return _RANDOM_CASES[budget]


def drawn_case_count(group: Group, most: int) -> int:
    """Return the number of cases drawn from an endless group, at most `most`."""
    return most if group.max_drawn is None else min(most, group.max_drawn)


def stream_cases(  # noqa: PLR0913 - each is a choice of its own
    law: Law,
    scope: Scope,
    *,
    budget: Budget = "quick",
    seed: int = DEFAULT_SEED,
    rulings: Mapping[str, str] | None = None,
    at_random: int | None = None,
) -> Iterator[Case]:
    """Yield the cases of all games of `scope`; `at_random` replaces the number of the budget."""
    most = _RANDOM_CASES[budget] if at_random is None else at_random
    for offered in scope.require_known_games(law).games:
        for group in _groups_of_game(law, offered, seed, rulings):
            if group.endless:
                yield from islice(group.cases(), drawn_case_count(group, most))
            elif BUDGETS.index(group.budget) <= BUDGETS.index(budget):
                yield from group.cases()


def list_groups(
    law: Law,
    scope: Scope,
    *,
    budget: Budget = "full",
    seed: int = DEFAULT_SEED,
    rulings: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, Group]]:
    """Yield each game with each of its groups that a budget includes."""
    for offered in scope.require_known_games(law).games:
        for group in _groups_of_game(law, offered, seed, rulings):
            if BUDGETS.index(group.budget) <= BUDGETS.index(budget):
                yield offered.game, group


def _groups_of_game(
    law: Law, offered: OfferedGame, seed: int, rulings: Mapping[str, str] | None
) -> Iterator[Group]:
    rules = compile_game(law, offered.game, Readings(law, rulings))
    setting = GeneratorSetting(law=law, rules=rules, offered=offered, seed=seed)
    for group in _list_all_groups(setting):
        yield _fit_stakes(group, setting)


def _fit_stakes(group: Group, setting: GeneratorSetting) -> Group:
    """Return a group of those cases that can be asked within the limits of stakes."""
    limits = setting.offered.stake_limits
    if limits.is_open:
        return group
    payable = setting.highest_stake()

    def cases() -> Iterator[Case]:
        for case in group.cases():
            bets = limits.fit(case.bets, payable)
            if bets is not None:
                yield msgspec.structs.replace(case, bets=bets)

    return replace(group, cases=cases, chunks=None)


def _list_all_groups(setting: GeneratorSetting) -> Iterator[Group]:
    yield from situation_cases.list_groups(setting)
    for read_clause in read_clauses(setting.law, setting.game):
        if isinstance(read_clause.clause, Equipment):
            own = list(_BY_EQUIPMENT[read_clause.clause.equipment](setting))
            yield from (group for group in own if not group.endless)
            yield from list_aspects(setting, own)
            yield from (group for group in own if group.endless)
            return
