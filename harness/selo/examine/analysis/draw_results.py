"""Tests what a vendor drew for fairness, by `draw` and at live tables, in one or two looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.cases import offer_everything
from selo.draws import equipment_of_game
from selo.draws.chi_square import measure_two_samples
from selo.draws.draw_verdict import (
    DrawResult,
    DrawSource,
    DrawStatistic,
    OutcomeSource,
    is_sample_sufficient,
    judge_draws,
    worst_result,
)
from selo.examine.plan import Sample, terms_of
from selo.examine.plan.draw_plan import plan_samples, with_draws
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.draws.chi_square import Histogram
    from selo.examine.free_rounds import FreeRounds, TableSample
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.table_values import Outcome


#: How many times as many outcomes the second look at a doubtful sample draws.
SECOND_LOOK_FACTOR: Final = 4


@dataclass(kw_only=True)
class SampleDraws:
    """The outcomes drawn for one sample."""

    sample: Sample
    equipment: Equipment
    batches: list[NDArray[np.int16]] = field(default_factory=list)
    #: The number of the first line of the sample.
    first: int = 0
    #: Why drawing stopped, if the adapter failed.
    fault: dict[str, str] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all outcomes of the first look were drawn."""
        return self.fault is None and len(self.batches) >= self.sample.batches

    @property
    def is_finished(self) -> bool:
        """Whether nothing more can be drawn for the first look."""
        return self.fault is not None or len(self.batches) >= self.sample.batches

    def rows(self, look: int) -> NDArray[np.int16]:
        """Return the outcomes of one look; the second look does not reuse those of the first."""
        first = self.sample.batches
        return np.concatenate(self.batches[:first] if look == 1 else self.batches[first:])

    def source(self) -> DrawSource:
        """Return the source that the outcomes were drawn from."""
        sample = self.sample
        return DrawSource(game=sample.game, options=sample.options, provisions=sample.provisions)

    def add_line(self, line: dict[str, Any]) -> None:
        """Add the outcomes, or the fault, of a recorded line."""
        if not self.batches:
            self.first = line["n"]
        if "answer" in line:
            self.add_outcomes(line["answer"]["outcomes"])
        else:
            self.fault = line["fault"]

    def add_outcomes(self, outcomes: list[Outcome]) -> None:
        """Add a batch of outcomes; raise if one is not an outcome of the game."""
        self.batches.append(self.equipment.rows(outcomes))


@dataclass(kw_only=True)
class DrawResults:
    """All draws of a run, with the tests made of them."""

    root: str | None = None
    samples: list[SampleDraws] = field(default_factory=list)
    statistics: list[DrawStatistic] = field(default_factory=list)
    #: Rounds at tables that drew their own outcomes; none if no table is offered.
    free: FreeRounds | None = None

    def deciding_tests(self, draws: SampleDraws) -> list[DrawStatistic]:
        """Return the tests that decide on a sample: of the second look, if there was one."""
        key = (draws.sample.game, draws.sample.options)
        return _last_look(
            test
            for test in self.statistics
            if (test.game, test.options) == key and test.source is OutcomeSource.DRAW
        )

    def table_tests(self, sample: TableSample) -> list[DrawStatistic]:
        """Return the tests that decide on what tables drew, by itself and beside `draw`."""
        key = (sample.game, sample.options)
        return _last_look(
            test
            for test in self.statistics
            if (test.game, test.options) == key and test.source is not OutcomeSource.DRAW
        )

    def table_samples(self) -> list[TableSample]:
        """Return what tables drew in the first look."""
        return [] if self.free is None else self.free.samples(1)

    def verdict_of(self, draws: SampleDraws) -> DrawResult:
        """Return the verdict on a sample: doubtful without tests, or with too few draws."""
        tests = self.deciding_tests(draws)
        verdict = worst_result(tests)
        return (
            DrawResult.DOUBTFUL
            if verdict is DrawResult.FAIR and not is_sample_sufficient(tests)
            else verdict
        )


def _last_look(tests: Iterable[DrawStatistic]) -> list[DrawStatistic]:
    known = list(tests)
    return [test for test in known if test.look > 1] or known


def planned_samples(law: Law, terms: Terms) -> list[SampleDraws]:
    """Return every sample of a plan, still without outcomes."""
    readings = Readings(law, terms.rulings)
    return [
        SampleDraws(
            sample=sample, equipment=equipment_of_game(law, sample.game, readings, sample.options)
        )
        for sample in plan_samples(law, terms)
    ]


def full_offer_terms(law: Law, game: str, rulings: Mapping[str, str] | None = None) -> Terms:
    """Return the terms of a plan for a vendor that offers everything of a game, with draws."""
    return terms_of(
        law, with_draws(law, offer_everything(law, [game])), as_of="", text_as_stored=True,
        rulings=dict(rulings or {}), budget="quick", seed=0, provisions=[],
    )  # fmt: skip


def count_deciding_tests(law: Law, terms: Terms) -> dict[str, int]:
    """Return how many tests of draws decide on each provision."""
    counts: dict[str, int] = {}
    for draws in planned_samples(law, terms):
        for provision in draws.sample.provisions:
            counts[provision] = counts.get(provision, 0) + draws.equipment.tests()
    return counts


def sample_key(game: str, options: dict[str, str | int]) -> tuple[Any, ...]:
    """Return what tells one sample from another."""
    return game, tuple(sorted(options.items()))


def tests_of_look(
    samples: Iterable[SampleDraws],
    number: int,
    tables: Iterable[TableSample],
    beside: Iterable[SampleDraws],
) -> list[DrawStatistic]:
    """Return the tests of one look, which form one family.

    What tables drew is tested by itself, and beside what `draw` drew with the same options.
    """
    measured = []
    drawn: dict[tuple[Any, ...], Sequence[Histogram]] = {}
    for draws in samples:
        rows = draws.rows(number)
        measured.append((draws.source(), len(rows), list(draws.equipment.measures(rows))))
    known = list(beside)
    for table in tables:
        rows = table.rows()
        if not len(rows):
            continue
        equipment = table.equipment
        tests = [*equipment.measures(rows), *equipment.neighbour_measures(table.neighbours())]
        measured.append((table.source(), len(rows), tests))
        for draws in known:
            if (draws.sample.game, draws.sample.options) == (table.game, table.options):
                key = sample_key(table.game, table.options)
                if key not in drawn:
                    drawn[key] = list(equipment.histograms(np.concatenate(draws.batches)))
                both = [
                    measure_two_samples(own, other)
                    for own, other in zip(equipment.histograms(rows), drawn[key], strict=True)
                ]
                measured.append((table.source(OutcomeSource.BOTH), len(rows), both))
    return judge_draws(measured, number)


def doubtful_samples(
    samples: Iterable[SampleDraws], first: list[DrawStatistic]
) -> list[SampleDraws]:
    """Return the samples that the first look leaves in doubt."""
    results = DrawResults(statistics=first)
    return [
        draws
        for draws in samples
        if draws.is_complete and worst_result(results.deciding_tests(draws)) is DrawResult.DOUBTFUL
    ]


def doubtful_games(results: DrawResults) -> list[str]:
    """Return the games whose tables drew what the first look leaves in doubt."""
    first = DrawResults(statistics=[test for test in results.statistics if test.look == 1])
    games = [
        sample.game
        for sample in results.table_samples()
        if worst_result(first.table_tests(sample)) is DrawResult.DOUBTFUL
    ]
    return list(dict.fromkeys(games))


def run_tests(results: DrawResults, first: list[DrawStatistic] | None) -> None:
    """Test all complete samples, then again the doubtful ones that were drawn a second time.

    `first` holds the tests of the first look, if they were made already.
    """
    complete = [draws for draws in results.samples if draws.is_complete]
    results.statistics = (
        tests_of_look(complete, 1, results.table_samples(), complete)
        if first is None
        else list(first)
    )
    repeated = [
        draws
        for draws in doubtful_samples(complete, results.statistics)
        if len(draws.batches) > draws.sample.batches
    ]
    free, games = results.free, doubtful_games(results)
    tables = [] if free is None else free.samples(2, games)
    if repeated or tables:
        results.statistics += tests_of_look(repeated, 2, tables, complete)
