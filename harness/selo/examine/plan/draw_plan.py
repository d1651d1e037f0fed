"""Which outcomes of a vendor's random source a plan asks for: of which games, how many, and why."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Offered, Scope
from selo.protocol.schema import game_words
from selo.rules.declarations.randomness import asking, chances
from selo.rules.procedure.step_reader import events_of
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.group import Budget
    from selo.examine.plan.examination_plan import PlannedGame, Terms
    from selo.law.loader import Law

DRAW: Final = "draw"
#: How many outcomes are drawn at a table. What bias each number shows is told with every test.
OUTCOMES: Final[dict[Budget, int]] = {"quick": 20_000, "standard": 60_000, "full": 200_000}
#: So many are asked for at once: few enough that nobody who draws slowly is late.
BATCH: Final = 1_000
#: The option that says how many packs are dealt from: a shoe is shuffled otherwise than a pack.
_PACKS: Final = "packs"
#: If the first look leaves a doubt, so many times as much is drawn for the second.
AGAIN: Final = 4


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """Outcomes of one game at a table with certain options, and the provisions they are for."""

    game: str
    options: dict[str, str | int]
    provisions: list[str]
    outcomes: int

    @property
    def batches(self) -> int:
        """How many requests the first look takes."""
        return math.ceil(self.outcomes / BATCH)

    def params(self) -> dict[str, Any]:
        """Return what is asked for with each request."""
        return {"game": self.game, "options": self.options, "count": BATCH}


def samples(law: Law, terms: Terms) -> list[Sample]:
    """Return every sample of a plan, in order."""
    readings = Readings(law, terms.rulings)
    return [
        sample
        for game in terms.games
        if DRAW in game.methods
        for sample in _samples(law, game, readings, OUTCOMES[terms.budget])
        if not terms.provisions or set(terms.provisions) & set(sample.provisions)
    ]


def drawable(law: Law, scope: Scope) -> Scope:
    """Return a scope in which all that must be random is drawn, at tables of every kind."""
    return Scope(games=tuple(_drawable(law, game) for game in scope.games))


def _drawable(law: Law, offered: Offered) -> Offered:
    asked = chances(law, offered.game)
    if not asked:
        return offered
    file = events_of(law, offered.game)
    names = {name for one in asked for name in one.asks}
    options = {
        option.id: option.values
        for option in ([] if file is None else file.options)
        if option.id in names and option.values
    }
    return replace(
        offered, methods=offered.methods | {DRAW}, options={**options, **offered.options}
    )


def _samples(law: Law, planned: PlannedGame, readings: Readings, many: int) -> Iterator[Sample]:
    asked = chances(law, planned.game, readings)
    if not asked:
        return
    words = game_words(law, planned.game)
    # Only what the vendor says that it offers is asked for; else what holds without a word.
    named = [
        name
        for name in sorted({_PACKS, *(name for one in asked for name in one.asks)})
        if name in planned.options
    ]
    for values in product(*(_values(planned.options[name]) for name in named)):
        options = {**words.default_options, **dict(zip(named, values, strict=True))}
        mine = asking(law, planned.game, asked, options)
        if mine:
            yield Sample(
                game=planned.game,
                options=options,
                provisions=[one.provision for one in mine],
                outcomes=many,
            )


def _values(offered: list[Any] | dict[str, int]) -> list[Any]:
    """Return the values of an option at which tables are drawn from."""
    values = list(offered.values()) if isinstance(offered, dict) else offered
    # Of numbers the least and the largest stand for all.
    return sorted({min(values), max(values)}) if isinstance(values[0], int) else values
