"""Forecasts of draws and free rounds: what their tests will be able to show, before any is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.draws import equipment_of_game
from selo.draws.chance_deviations import find_effect, outcomes_needed
from selo.draws.draw_verdict import least_detectable_bias, read_levels
from selo.draws.stream_counts import STREAM_TESTS
from selo.examine.analysis.draw_results import planned_samples, sample_key
from selo.examine.free_rounds import FreeRounds, free_round_plan
from selo.examine.plan import Sample
from selo.examine.plan.draw_plan import ChanceOptions
from selo.law.files.chance_file import OutcomesFrom, read_chance
from selo.protocol.messages import DRAW
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.draws import Equipment
    from selo.draws.draw_verdict import FamilyLevels
    from selo.examine.analysis.draw_results import SampleDraws
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer


#: Tests of bets, stakes and winnings, and parts by which outcomes are compared.
_DEPENDENCE_TESTS: Final = 3
_PARTS_COMPARED: Final = 3


class DrawForecast(msgspec.Struct, frozen=True, kw_only=True):
    """A sample of a plan, and what its tests will be able to show."""

    sample: Sample
    tests: int
    #: The least bias of a single face or card that is noticed surely.
    notices: str
    #: One fair source in this many is accused.
    accused: str
    #: The outcomes that each deviation needs of which a certificate asks for a power.
    needed: dict[str, int | None]


class FreeRoundForecast(msgspec.Struct, frozen=True, kw_only=True):
    """The free rounds of a game, and what tests of their outcomes will be able to show."""

    game: str
    tables: int
    rounds: int
    tests: int
    notices: str


class ChanceForecast(msgspec.Struct, frozen=True, kw_only=True):
    """All that a plan takes from a vendor's own chance."""

    draws: list[DrawForecast]
    free_rounds: list[FreeRoundForecast]


def forecast_draws(law: Law, terms: Terms, offers: Sequence[Offer]) -> ChanceForecast:
    """Return the forecast of every sample of a plan, and of its free rounds."""
    drawn = [(draws, draws.count_tests()) for draws in planned_samples(law, terms)]
    keys = {sample_key(draws.sample.game, draws.sample.options) for draws, _ in drawn}
    free = FreeRounds(law, terms, offers)
    tables = {game: list(_table_equipment(law, terms, free, game)) for game in free.games}
    streamed = STREAM_TESTS if free_round_plan.count_free_streams(law, terms, 1) > 1 else 0
    at_tables = {
        game: sum(
            _count_table_tests(equipment, beside=key in keys) + streamed for key, equipment in found
        )
        for game, found in tables.items()
    }
    levels = read_levels(law, terms.game_names)
    family = sum(tests for _, tests in drawn)
    if levels.tests_dependence:
        # Of each game the processes are compared.
        family += len({draws.sample.game for draws, _ in drawn} & {*at_tables})
        family += sum(draws.equipment.comparisons for draws, _ in drawn)
        at_tables = {
            game: count + _DEPENDENCE_TESTS * len(tables[game])
            + _PARTS_COMPARED * sum(equipment.comparisons for _, equipment in tables[game])
            for game, count in at_tables.items()
        }  # fmt: skip
    family += sum(at_tables.values())
    rounds = free_round_plan.count_free_rounds(law, terms, 1)
    return ChanceForecast(
        draws=[
            DrawForecast(
                sample=draws.sample,
                tests=tests,
                notices=least_detectable_bias(
                    draws.equipment.expected_measure(draws.sample.outcomes), family, levels
                ),
                accused=f"{int(1 / levels.accused):,}",
                needed=_outcomes_needed(law, draws, family, levels),
            )
            for draws, tests in drawn
        ],
        free_rounds=[
            FreeRoundForecast(
                game=game,
                tables=len(free.scripts(game)),
                rounds=rounds,
                tests=at_tables[game],
                notices=least_detectable_bias(
                    found[0][1].expected_measure(rounds // len(found)), family, levels
                ),
            )
            for game, found in tables.items()
        ],
    )


def _outcomes_needed(
    law: Law, draws: SampleDraws, tests: int, levels: FamilyLevels
) -> dict[str, int | None]:
    """Return how many outcomes each deviation needs for the power that a certificate asks for."""
    file = read_chance(draws.sample.game, specs=law.specs)
    article = None if file is None else file.for_provisions(draws.sample.provisions)
    needed = {}
    for deviation in [] if article is None or draws.sample.method != DRAW else article.deviations:
        if deviation.wanted is None or deviation.outcomes is not OutcomesFrom.DRAW:
            continue
        effect = find_effect(draws.equipment, deviation)
        if effect is not None:
            needed[deviation.id] = outcomes_needed(effect, deviation.wanted, tests, levels)
    return needed


def _table_equipment(
    law: Law, terms: Terms, free: FreeRounds, game: str
) -> Iterator[tuple[tuple[Any, ...], Equipment]]:
    """Yield the equipment of each kind of table on whose options chance depends."""
    readings = Readings(law, terms.rulings)
    planned = next(one for one in terms.games if one.game == game)
    chance = ChanceOptions.of(law, planned, readings)
    seen: dict[tuple[Any, ...], Any] = {}
    for script in free.scripts(game):
        options, _ = chance.of_table(script.options)
        seen.setdefault(sample_key(game, options), options)
    for key, options in seen.items():
        yield key, equipment_of_game(law, game, readings, options)


def _count_table_tests(equipment: Equipment, *, beside: bool) -> int:
    """Return how many tests are made of what tables drew, beside `draw` if it draws the same."""
    alone = equipment.tests() + len(list(equipment.neighbour_measures([])))
    return alone + (equipment.comparisons if beside else 0)
