"""The samples that a plan draws from a vendor's random source, with the provisions they test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import OfferedGame, Scope
from selo.examine.plan.recorded_plan import recorded_plan_of
from selo.protocol.messages import DRAW, PACK_ORDER
from selo.protocol.schema import game_words
from selo.rules.declarations import applicable_rules, read_randomness_rules
from selo.rules.procedure import complete_options
from selo.rules.procedure.step_reader import find_events_file
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.cases.group import Budget
    from selo.examine.plan.plan_terms import PlannedGame, Terms
    from selo.law import Law
    from selo.rules.declarations import RandomnessRule
    from selo.table_values import Options

#: Outcomes drawn at a table. Every test states the bias that this number can detect.
OUTCOMES_PER_TABLE: Final[dict[Budget, int]] = {
    "quick": 20_000,
    "standard": 60_000,
    "full": 200_000,
}
#: Outcomes drawn at a table where no article that is held asks for chance: a measurement.
_OUTCOMES_MEASURED: Final[dict[Budget, int]] = {
    "quick": 5_000,
    "standard": 20_000,
    "full": 60_000,
}
#: Whole packs that are shuffled at a table; a quick run has none.
_WHOLE_PACKS: Final[dict[Budget, int]] = {"quick": 0, "standard": 120, "full": 480}
#: Outcomes per request: few enough that a slow source answers in time.
OUTCOMES_PER_REQUEST: Final = 1_000
#: Outcomes that one process draws in succession. The first of a sample are kept as they
#: were drawn, those of every further stream as counts with a root.
OUTCOMES_PER_STREAM: Final = 200_000
_PACKS_PER_REQUEST: Final = 40
#: The number of packs: a shoe is shuffled differently from a single pack.
_PACKS_OPTION: Final = "packs"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """Outcomes of one game at a table with certain options, and the provisions they are for."""

    game: str
    options: dict[str, str | int]
    provisions: list[str]
    outcomes: int
    #: `draw`, or `pack` for whole packs.
    method: str = DRAW

    @property
    def per_request(self) -> int:
        """The number of outcomes that one request asks for."""
        return OUTCOMES_PER_REQUEST if self.method == DRAW else _PACKS_PER_REQUEST

    @property
    def batches(self) -> int:
        """The number of requests for the first look."""
        return math.ceil(self.outcomes / self.per_request)

    @property
    def kept_batches(self) -> int:
        """The number of requests of the first look whose outcomes are kept as they are."""
        return min(self.batches, OUTCOMES_PER_STREAM // self.per_request)

    def streams(self, look: int, factor: int) -> list[int]:
        """Return the number of requests of each further stream; the second look has this many more.

        A sample that is kept whole has none.
        """
        left = self.batches - self.kept_batches
        if not left:
            return []
        left = left if look == 1 else factor * self.batches
        size = OUTCOMES_PER_STREAM // self.per_request
        return [min(size, left - at) for at in range(0, left, size)]

    def params(self) -> dict[str, Any]:
        """Return the params of each request."""
        return {"game": self.game, "options": self.options, "count": self.per_request}


def plan_samples(law: Law, terms: Terms) -> list[Sample]:
    """Return every sample of a plan, in order."""
    recorded = recorded_plan_of(law, terms)
    if recorded is not None:
        return [msgspec.convert(sample, Sample) for sample in recorded.samples()]
    readings = Readings(law, terms.rulings)
    return [
        sample
        for game in terms.games
        if {DRAW, PACK_ORDER} & {*game.methods}
        for sample in _samples_of_game(law, game, readings, terms)
        if not terms.provisions or set(terms.provisions) & set(sample.provisions)
    ]


def with_draws(law: Law, scope: Scope) -> Scope:
    """Return a scope that adds draws of everything that can be drawn, under all options."""
    return Scope(games=tuple(_game_with_draws(law, game) for game in scope.games))


def _game_with_draws(law: Law, offered: OfferedGame) -> OfferedGame:
    if DRAW not in game_words(law, offered.game).abilities:
        return offered
    requirements = read_randomness_rules(law, offered.game)
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


@dataclass(frozen=True, kw_only=True)
class ChanceOptions:
    """The options of a game's tables on which chance depends, and what the law asks of it."""

    law: Law
    game: str
    requirements: list[RandomnessRule]
    defaults: Options
    #: Options that the vendor does not declare keep their defaults.
    named: list[str]

    @classmethod
    def of(cls, law: Law, planned: PlannedGame, readings: Readings) -> ChanceOptions:
        """Return those of a planned game."""
        requirements = read_randomness_rules(law, planned.game, readings)
        names = {
            _PACKS_OPTION,
            *(name for requirement in requirements for name in requirement.option_names),
        }
        return cls(
            law=law,
            game=planned.game,
            requirements=requirements,
            defaults=game_words(law, planned.game).default_options,
            named=[name for name in sorted(names) if name in planned.options],
        )

    def with_values(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return the options of such a table, and the provisions that ask for chance there."""
        options: dict[str, Any] = {**self.defaults, **values}
        applicable = applicable_rules(self.law, self.game, self.requirements, options)
        return options, [requirement.provision for requirement in applicable]

    def of_table(self, options: Options) -> tuple[dict[str, Any], list[str]]:
        """Return the same of a table with any options."""
        file = find_events_file(self.law, self.game)
        own: Any = {name: value for name, value in options.items() if name in self.named}
        known = own if file is None else complete_options(file, own)
        return self.with_values({name: known[name] for name in self.named})


def _samples_of_game(
    law: Law, planned: PlannedGame, readings: Readings, terms: Terms
) -> Iterator[Sample]:
    chance = ChanceOptions.of(law, planned, readings)
    named = chance.named
    for values in product(*(_values_drawn_at(planned.options[name]) for name in named)):
        options, provisions = chance.with_values(dict(zip(named, values, strict=True)))
        numbers = OUTCOMES_PER_TABLE if provisions else _OUTCOMES_MEASURED
        # Where the law can be read to ask for chance at some tables, others are not measured.
        if not provisions and read_randomness_rules(law, planned.game):
            continue
        if DRAW in planned.methods:
            yield Sample(
                game=planned.game,
                options=options,
                provisions=provisions,
                outcomes=max(
                    terms.draws, terms.game_draws.get(planned.game, 0), numbers[terms.budget]
                ),
            )
        if PACK_ORDER in planned.methods and _WHOLE_PACKS[terms.budget]:
            yield Sample(
                game=planned.game,
                options=options,
                provisions=provisions,
                outcomes=_WHOLE_PACKS[terms.budget],
                method=PACK_ORDER,
            )


def _values_drawn_at(offered: list[Any] | dict[str, int]) -> list[Any]:
    """Return the values of an option that are sampled."""
    values = list(offered.values()) if isinstance(offered, dict) else offered
    # The smallest and the largest number stand for all.
    return sorted({min(values), max(values)}) if isinstance(values[0], int) else values
