"""The samples that a plan draws from a vendor's random source, with the provisions they test."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import OfferedGame, Scope
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.rules.declarations import applicable_rules, read_randomness_rules
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.group import Budget
    from selo.examine.plan.examination_plan import PlannedGame, Terms
    from selo.law import Law

#: Outcomes drawn at a table. Every test states the bias that this number can detect.
OUTCOMES_PER_TABLE: Final[dict[Budget, int]] = {
    "quick": 20_000,
    "standard": 60_000,
    "full": 200_000,
}
#: Outcomes per request: few enough that a slow source answers in time.
OUTCOMES_PER_REQUEST: Final = 1_000
#: The number of packs: a shoe is shuffled differently from a single pack.
_PACKS_OPTION: Final = "packs"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """Outcomes of one game at a table with certain options, and the provisions they are for."""

    game: str
    options: dict[str, str | int]
    provisions: list[str]
    outcomes: int

    @property
    def batches(self) -> int:
        """The number of requests for the first look."""
        return math.ceil(self.outcomes / OUTCOMES_PER_REQUEST)

    def params(self) -> dict[str, Any]:
        """Return the params of each request."""
        return {"game": self.game, "options": self.options, "count": OUTCOMES_PER_REQUEST}


def plan_samples(law: Law, terms: Terms) -> list[Sample]:
    """Return every sample of a plan, in order."""
    readings = Readings(law, terms.rulings)
    return [
        sample
        for game in terms.games
        if DRAW in game.methods
        for sample in _samples_of_game(law, game, readings, OUTCOMES_PER_TABLE[terms.budget])
        if not terms.provisions or set(terms.provisions) & set(sample.provisions)
    ]


def with_draws(law: Law, scope: Scope) -> Scope:
    """Return a scope that adds draws of everything that must be random, under all options."""
    return Scope(games=tuple(_game_with_draws(law, game) for game in scope.games))


def _game_with_draws(law: Law, offered: OfferedGame) -> OfferedGame:
    requirements = read_randomness_rules(law, offered.game)
    if not requirements:
        return offered
    file = find_events_file(law, offered.game)
    names = {name for requirement in requirements for name in requirement.option_names}
    options = {
        option.id: option.values
        for option in ([] if file is None else file.options)
        if option.id in names and option.values
    }
    return replace(
        offered, methods=offered.methods | {DRAW}, options={**options, **offered.options}
    )


def _samples_of_game(
    law: Law, planned: PlannedGame, readings: Readings, outcomes: int
) -> Iterator[Sample]:
    requirements = read_randomness_rules(law, planned.game, readings)
    if not requirements:
        return
    words = game_words(law, planned.game)
    # Options that the vendor does not declare keep their defaults.
    named = [
        name
        for name in sorted(
            {
                _PACKS_OPTION,
                *(name for requirement in requirements for name in requirement.option_names),
            }
        )
        if name in planned.options
    ]
    for values in product(*(_values_drawn_at(planned.options[name]) for name in named)):
        options = {**words.default_options, **dict(zip(named, values, strict=True))}
        applicable = applicable_rules(law, planned.game, requirements, options)
        if applicable:
            yield Sample(
                game=planned.game,
                options=options,
                provisions=[requirement.provision for requirement in applicable],
                outcomes=outcomes,
            )


def _values_drawn_at(offered: list[Any] | dict[str, int]) -> list[Any]:
    """Return the values of an option that are sampled."""
    values = list(offered.values()) if isinstance(offered, dict) else offered
    # The smallest and the largest number stand for all.
    return sorted({min(values), max(values)}) if isinstance(values[0], int) else values
