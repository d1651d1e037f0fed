"""Tests what a vendor drew for fairness, by `draw` and at live tables, in one or two looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from selo.cases import offer_everything
from selo.draws.chi_square import measure_two_samples
from selo.draws.dependence import PROCESSES, STREAM_HEAD, measure_halves, measure_streams
from selo.draws.draw_verdict import (
    UNSTATED_LEVELS,
    DrawResult,
    DrawSource,
    DrawStatistic,
    FamilyLevels,
    OutcomeSource,
    is_sample_sufficient,
    judge_draws,
    read_levels,
    worst_result,
)
from selo.draws.stream_counts import STREAM_TESTS, StreamCounts, StreamTotals, count_stream
from selo.examine.exchange.outcome_streams import equipment_of_sample
from selo.examine.plan import Sample, terms_of
from selo.examine.plan.draw_plan import plan_samples, with_draws
from selo.protocol.messages import DRAW
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.draws.chi_square import Histogram, Measure
    from selo.examine.free_rounds import FreeRounds, TableSample
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.table_values import Outcome


#: Sources of tests of what live tables drew.
_TABLE_SOURCES: Final = frozenset({OutcomeSource.TABLE, OutcomeSource.BOTH})


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
    #: How many times as much a second look draws.
    factor: int = UNSTATED_LEVELS.factor
    #: The sums of all streams of each look, of a sample that is not kept whole.
    totals: dict[int, StreamTotals] = field(default_factory=dict)
    #: The number of further streams of each look.
    streams: dict[int, int] = field(default_factory=dict)

    @property
    def is_streamed(self) -> bool:
        """Whether more is drawn than is kept as it was drawn."""
        return self.sample.kept_batches < self.sample.batches

    @property
    def is_kept(self) -> bool:
        """Whether all outcomes that are kept were drawn, or none can be drawn any more."""
        return self.fault is not None or len(self.batches) >= self.sample.kept_batches

    @property
    def is_complete(self) -> bool:
        """Whether all outcomes of the first look were drawn."""
        return self.fault is None and self.is_kept and not self.streams_left(1)

    def streams_left(self, look: int) -> list[tuple[int, int]]:
        """Return the number of each stream of a look that is left, and of its requests."""
        sizes = self.sample.streams(look, self.factor)
        return list(enumerate(sizes, 1))[self.streams.get(look, 0) :]

    @property
    def is_repeated(self) -> bool:
        """Whether a second look was taken."""
        return len(self.batches) > self.sample.kept_batches or self.streams.get(2, 0) > 0

    def rows(self, look: int) -> NDArray[np.int16]:
        """Return the outcomes of one look that are kept; the second does not reuse the first."""
        first = self.sample.kept_batches
        return np.concatenate(self.batches[:first] if look == 1 else self.batches[first:])

    def size(self, look: int) -> int:
        """Return how many outcomes one look drew."""
        return self.totals[look].outcomes if self.is_streamed else len(self.rows(look))

    def measured(self, look: int, *, extended: bool) -> tuple[DrawSource, int, list[Measure]]:
        """Return the source, the size of the sample, and every test of one look.

        Earlier outcomes are compared with later ones, too, among those that are kept.
        """
        tests = (
            self.totals[look].measures()
            if self.is_streamed
            else list(self.equipment.measures(self.rows(look)))
        )
        if extended and (look == 1 or not self.is_streamed):
            tests += measure_halves("halves", self.equipment, self.rows(look))
        return self.source(), self.size(look), tests

    def count_tests(self) -> int:
        """Return the number of tests of one look."""
        return self.equipment.tests() + (STREAM_TESTS if self.is_streamed else 0)

    def histograms(self) -> list[Histogram]:
        """Return the counts of all looks, by which they are compared with what tables drew."""
        if not self.is_streamed:
            return list(self.equipment.histograms(np.concatenate(self.batches)))
        looks = [totals.histograms() for totals in self.totals.values()]
        return [
            same[0]._replace(
                counts=[sum(counts) for counts in zip(*(one.counts for one in same), strict=True)]
            )
            for same in zip(*looks, strict=True)
        ]

    def source(self) -> DrawSource:
        """Return the source that the outcomes were drawn from."""
        sample = self.sample
        return DrawSource(
            game=sample.game,
            options=sample.options,
            provisions=sample.provisions,
            origin=_origin_of(sample),
        )

    def head(self) -> NDArray[np.int64]:
        """Return the first outcomes of its process, one number for each."""
        count = -(-STREAM_HEAD // self.sample.per_request)
        return self.equipment.codes(np.concatenate(self.batches[:count])[:STREAM_HEAD])

    def add_line(self, line: dict[str, Any]) -> None:
        """Add the outcomes, or the fault, of a recorded line."""
        if not self.batches:
            self.first = line["n"]
        if "fault" in line:
            self.fault = line["fault"]
        elif "stream" in line:
            counts = msgspec.convert(line["answer"]["counts"], StreamCounts)
            self.add_stream(line["look"], counts)
        else:
            self.add_outcomes(line["answer"]["outcomes"])

    def add_outcomes(self, outcomes: list[Outcome]) -> None:
        """Add a batch of outcomes; raise if one is not an outcome of the game."""
        self.batches.append(self.equipment.rows(outcomes))

    def add_stream(self, look: int, counts: StreamCounts) -> None:
        """Add the counts of the next stream of a look; raise if they are not of the game."""
        if look not in self.totals:
            self.totals[look] = StreamTotals(self.equipment)
            if look == 1:
                self.totals[look].add(count_stream(self.equipment, self.rows(look)))
        self.totals[look].add(counts)
        self.streams[look] = 1 + self.streams.get(look, 0)


@dataclass(kw_only=True)
class DrawResults:
    """All draws of a run, with the tests made of them."""

    root: str | None = None
    samples: list[SampleDraws] = field(default_factory=list)
    statistics: list[DrawStatistic] = field(default_factory=list)
    #: Rounds at tables that drew their own outcomes; none if no table is offered.
    free: FreeRounds | None = None
    #: Whether outcomes could be asked for; not of a vendor that answered in a file.
    is_drawn: bool = True
    #: The errors allowed over all tests, and the looks.
    levels: FamilyLevels = UNSTATED_LEVELS

    def deciding_tests(self, draws: SampleDraws) -> list[DrawStatistic]:
        """Return the tests that decide on a sample: of the second look, if there was one."""
        key = (draws.sample.game, draws.sample.options)
        return _last_look(
            test
            for test in self.statistics
            if (test.game, test.options) == key and test.source is _origin_of(draws.sample)
        )

    def table_tests(self, sample: TableSample) -> list[DrawStatistic]:
        """Return the tests that decide on what tables drew, by itself and beside `draw`."""
        key = (sample.game, sample.options)
        return _last_look(
            test
            for test in self.statistics
            if (test.game, test.options) == key
            and test.source in _TABLE_SOURCES
            and test.test != PROCESSES
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
            if verdict is DrawResult.FAIR
            and draws.sample.method == DRAW
            and not is_sample_sufficient(tests, self.levels.enough_bias)
            else verdict
        )


def _origin_of(sample: Sample) -> OutcomeSource:
    return OutcomeSource.DRAW if sample.method == DRAW else OutcomeSource.PACK


def _last_look(tests: Iterable[DrawStatistic]) -> list[DrawStatistic]:
    known = list(tests)
    return [test for test in known if test.look > 1] or known


def planned_samples(law: Law, terms: Terms) -> list[SampleDraws]:
    """Return every sample of a plan, still without outcomes."""
    readings = Readings(law, terms.rulings)
    factor = read_levels(law, terms.game_names).factor
    return [
        SampleDraws(sample=sample, equipment=equipment, factor=factor)
        for sample in plan_samples(law, terms)
        if (equipment := equipment_of_sample(law, sample, readings)) is not None
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
            counts[provision] = counts.get(provision, 0) + draws.count_tests()
    return counts


def sample_key(game: str, options: Mapping[str, Any], method: str = DRAW) -> tuple[Any, ...]:
    """Return what tells one sample from another."""
    return game, method, tuple(sorted(options.items()))


def tests_of_look(
    results: DrawResults,
    samples: Iterable[SampleDraws],
    number: int,
    tables: Iterable[TableSample],
) -> list[DrawStatistic]:
    """Return the tests of one look, which form one family.

    What tables drew is tested by itself, and beside what `draw` drew with the same options.
    """
    measured: list[tuple[DrawSource, int, list[Measure]]] = []
    drawn: dict[tuple[Any, ...], Sequence[Histogram]] = {}
    extended = results.levels.tests_dependence
    beside = [draws for draws in results.samples if draws.is_complete]
    measured += [draws.measured(number, extended=extended) for draws in samples]
    known = list(tables)
    for table in known:
        if not table.size:
            continue
        tests = table.measures()
        if extended and table.drawn and results.free is not None:
            tests += results.free.dependence_measures(table)
        measured.append((table.source(), table.size, tests))
        key = sample_key(table.game, table.options)
        for draws in beside:
            if sample_key(draws.sample.game, draws.sample.options, draws.sample.method) != key:
                continue
            if key not in drawn:
                drawn[key] = draws.histograms()
            both = [
                measure_two_samples(own, other)
                for own, other in zip(table.histograms(), drawn[key], strict=True)
            ]
            measured.append((table.source(OutcomeSource.BOTH), table.size, both))
    if extended and number == 1:
        measured += _measure_processes(beside, known)
    return judge_draws(measured, number, results.levels)


def _measure_processes(
    samples: Sequence[SampleDraws], tables: Sequence[TableSample]
) -> Iterator[tuple[DrawSource, int, list[Measure]]]:
    """Yield for each game the test that no two processes of the vendor have a common stream."""
    by_game: dict[str, list[SampleDraws | TableSample]] = {}
    for draws in samples:
        by_game.setdefault(draws.sample.game, []).append(draws)
    for table in tables:
        by_game.setdefault(table.game, []).append(table)
    for group in by_game.values():
        # Whole packs have codes of their own kind.
        drawn = [
            one for one in group if not (isinstance(one, SampleDraws) and one.sample.method != DRAW)
        ]
        streams: list[Any] = []
        for one in drawn:
            streams += [one.head()] if isinstance(one, SampleDraws) else one.streams()
        if len(streams) > 1:
            likeliest = max(one.equipment.likeliest for one in drawn)
            test = measure_streams(PROCESSES, streams, likeliest)
            source = drawn[0].source()
            own = msgspec.structs.replace(source, origin=OutcomeSource.BOTH)
            yield own, test.trials, [test]


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
        tests_of_look(results, complete, 1, results.table_samples())
        if first is None
        else list(first)
    )
    repeated = [
        draws for draws in doubtful_samples(complete, results.statistics) if draws.is_repeated
    ]
    free, games = results.free, doubtful_games(results)
    tables = [] if free is None else free.samples(2, games)
    if repeated or tables:
        results.statistics += tests_of_look(results, repeated, 2, tables)
