"""How surely each deviation that the law files name would have been noticed in a run.

Every power follows from the sizes of the samples and the number of tests, and from no outcome.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.draws.chance_deviations import (
    DeviationEffect,
    DeviationPower,
    find_effect,
    format_power,
    outcomes_needed,
    power_over_looks,
)
from selo.draws.chi_square import least_noncentrality
from selo.draws.dependence import PROCESSES
from selo.draws.draw_verdict import OutcomeSource
from selo.examine.plan.draw_plan import OUTCOMES_PER_STREAM
from selo.law.files.chance_file import DeviationModel, OutcomesFrom, read_chance
from selo.protocol.messages import DRAW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.draws import Equipment
    from selo.draws.draw_verdict import DrawStatistic, FamilyLevels
    from selo.examine.analysis.draw_results import DrawResults
    from selo.law import Law
    from selo.law.files.chance_file import NamedDeviation

#: Two processes at least must have been asked to see a repeated seed.
_PROCESSES: Final = 2
_BETS: Final = "bets"
#: The requirement on the number of rounds at live tables, stated beside the deviations.
LIVE_ROUNDS: Final = "live-rounds"


def list_powers(law: Law, results: DrawResults) -> Iterator[DeviationPower]:
    """Yield the power of a run against every deviation that its law files name."""
    if not results.levels.tests_dependence:
        return
    first = [test for test in results.statistics if test.look == 1]
    tests = max((test.tests for test in first), default=1)
    for draws in results.samples:
        sample = draws.sample
        outcomes = OutcomesFrom.DRAW if sample.method == DRAW else OutcomesFrom.PACK
        drawn = draws.size(1) if draws.is_complete else 0
        place = _Place(sample.game, sample.options, sample.provisions, outcomes, draws.equipment)
        yield from _state_sample(law, place, drawn, first, tests, results.levels)
    played: dict[str, int] = {}
    for table in results.table_samples():
        drawn = table.size
        played[table.game] = played.get(table.game, 0) + drawn
        place = _Place(
            table.game, table.options, table.provisions, OutcomesFrom.TABLE, table.equipment
        )
        yield from _state_sample(law, place, drawn, first, tests, results.levels)
    for game, rounds in played.items():
        yield from _state_rounds(law, game, rounds)


class _Place:
    """Where outcomes were drawn, and from what."""

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        provisions: list[str],
        outcomes: OutcomesFrom,
        equipment: Equipment,
    ) -> None:
        self.game, self.options, self.provisions = game, options, provisions
        self.outcomes, self.equipment = outcomes, equipment

    def holds(self, test: DrawStatistic) -> bool:
        """Return whether a test is of these outcomes."""
        return (test.game, test.options) == (self.game, self.options)


def _state_sample(  # noqa: PLR0913, PLR0917 - all that power follows from
    law: Law,
    place: _Place,
    drawn: int,
    first: Sequence[DrawStatistic],
    tests: int,
    levels: FamilyLevels,
) -> Iterator[DeviationPower]:
    file = read_chance(place.game, specs=law.specs)
    article = None if file is None else file.for_provisions(place.provisions)
    for deviation in [] if article is None else article.deviations:
        if deviation.outcomes is not place.outcomes:
            continue
        effect, size = _find_effect(place, deviation, drawn, first, levels)
        if effect is None:
            continue
        wanted = deviation.wanted
        power, risk = format_power(power_over_looks(effect, size, tests, levels))
        yield DeviationPower(
            deviation=deviation.id,
            game=place.game,
            options=place.options,
            provisions=place.provisions,
            outcomes=str(place.outcomes),
            test=effect.test,
            sample=size,
            power=power,
            risk=risk,
            wanted=None if wanted is None else str(wanted),
            needed=outcomes_needed(effect, wanted or levels.stated_power, tests, levels),
        )


def _find_effect(
    place: _Place,
    deviation: NamedDeviation,
    drawn: int,
    first: Sequence[DrawStatistic],
    levels: FamilyLevels,
) -> tuple[DeviationEffect | None, int]:
    """Return what a deviation does to a test, and the size of the sample that counts for it."""
    if deviation.model is DeviationModel.SEED:
        streams = [
            int(test.of or 0)
            for test in first
            if test.game == place.game and test.test == PROCESSES
        ]
        return DeviationEffect(test=PROCESSES, certain_from=_PROCESSES), max(streams, default=0)
    if place.outcomes is OutcomesFrom.PACK:
        # One whole pack shows what is missing or double.
        return DeviationEffect(test="composition", certain_from=1), drawn
    if deviation.model is DeviationModel.BETS:
        for test in first:
            if place.holds(test) and test.test == _BETS and test.source is OutcomeSource.TABLE:
                return _effect_on_bets(test, deviation, levels), test.trials
        return None, 0
    if deviation.model is DeviationModel.PERIOD:
        # Stretches are sought within what one process drew in succession.
        drawn = min(drawn, OUTCOMES_PER_STREAM)
    return find_effect(place.equipment, deviation), drawn


def _effect_on_bets(
    test: DrawStatistic, deviation: NamedDeviation, levels: FamilyLevels
) -> DeviationEffect:
    """Return the effect of bets that win more or less often on the test of bets laid."""
    if test.notices is None or not test.trials:
        return DeviationEffect(test=_BETS)
    # The least bias that is noticed with the stated power gives the noncentrality back.
    level = float(levels.of_look / test.tests)
    noncentrality = least_noncentrality(1, level, float(levels.stated_power))
    part = float(deviation.size) / float(test.notices)
    return DeviationEffect(test=_BETS, rate=noncentrality * part * part / test.trials)


def _state_rounds(law: Law, game: str, rounds: int) -> Iterator[DeviationPower]:
    """Yield whether a game was played at live tables as often as a certificate needs."""
    file = read_chance(game, specs=law.specs)
    needed = max((one.certificate_rounds for one in file.articles), default=0) if file else 0
    if needed:
        power, risk = format_power(float(rounds >= needed))
        yield DeviationPower(
            deviation=LIVE_ROUNDS,
            game=game,
            options={},
            provisions=[],
            outcomes=str(OutcomesFrom.TABLE),
            test="rounds",
            sample=rounds,
            power=power,
            risk=risk,
            wanted=str(Fraction(1)),
            needed=needed,
        )
