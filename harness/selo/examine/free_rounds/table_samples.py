"""Samples of what live tables drew themselves, to be tested as those of `draw` are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.draws import equipment_of_game
from selo.draws.dependence import measure_parts, measure_wins
from selo.draws.draw_verdict import DrawSource, OutcomeSource
from selo.draws.stream_counts import StreamTotals, count_stream
from selo.examine.free_rounds.laid_bets import LaidBetCounter
from selo.examine.plan.draw_plan import ChanceOptions
from selo.rounds.table_player import find_free_group
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.draws.chi_square import Histogram, Measure
    from selo.draws.stream_counts import StreamCounts
    from selo.examine.free_rounds.free_round_tally import DrawnTable, LaidBets
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.table_values import Options

#: What reading an outcome may raise that is not of the equipment: a die that left the table.
_OUTCOME_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError)


@dataclass(kw_only=True)
class TableSample:
    """What the tables of a game drew, at tables on whose options chance depends alike."""

    game: str
    #: The options on which chance depends.
    options: dict[str, str | int]
    provisions: list[str]
    equipment: Equipment
    #: Each outcome with its place in time: the batch of tables, the act, the table.
    drawn: list[tuple[tuple[tuple[int, int], int, int], list[int]]] = field(default_factory=list)
    #: What was staked before each outcome, and whether players had won by the one before.
    staked: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    laid: list[LaidBets] = field(default_factory=list)
    #: Which process of the vendor drew each outcome.
    processes: list[int] = field(default_factory=list)
    #: The number of the first line of the sample.
    first: int = 0
    #: The sums of all streams; none if everything was kept as it was played.
    totals: StreamTotals | None = None

    @property
    def size(self) -> int:
        """The number of outcomes."""
        return len(self.drawn) if self.totals is None else self.totals.outcomes

    def measures(self) -> list[Measure]:
        """Return every test of what the tables drew."""
        if self.totals is not None:
            return self.totals.measures()
        neighbours = self.equipment.neighbour_measures(self.neighbours())
        return [*self.equipment.measures(self.rows()), *neighbours]

    def histograms(self) -> list[Histogram]:
        """Return the counts by which samples are compared."""
        if self.totals is not None:
            return self.totals.histograms()
        return list(self.equipment.histograms(self.rows()))

    def add_counts(self, counts: StreamCounts) -> None:
        """Add a stream to those that are kept as counts."""
        if self.totals is None:
            self.totals = StreamTotals(self.equipment, neighbours=True)
            if self.drawn:
                rows = self.rows()
                kept = count_stream(self.equipment, rows, neighbours=self.neighbours())
                self.totals.add(kept)
        self.totals.add(counts)

    def source(self, origin: OutcomeSource = OutcomeSource.TABLE) -> DrawSource:
        """Return the source that the outcomes were drawn from."""
        return DrawSource(
            game=self.game, options=self.options, provisions=self.provisions, origin=origin
        )

    def rows(self) -> NDArray[np.int16]:
        """Return the outcomes in the order in which the tables drew them.

        Tables play side by side, one act of each at a time.
        """
        ordered = [self.drawn[at][1] for at in self._order]
        return np.array(ordered, dtype=np.int16).reshape(len(ordered), -1)

    @property
    def _order(self) -> list[int]:
        return sorted(range(len(self.drawn)), key=lambda at: self.drawn[at])

    def streams(self) -> list[NDArray[np.int64]]:
        """Return the outcomes of each process of the vendor, one number for each."""
        # What tables draw for their first rounds is drawn in the order of the tables, whenever it
        # is shown: dice may lie under a cover while bets are placed.
        rounds: dict[int, int] = {}
        places = []
        for (batch, _, table), _ in self.drawn:
            rounds[table] = rounds.get(table, -1) + 1
            places.append((batch, rounds[table], table))
        order = sorted(range(len(places)), key=places.__getitem__)
        rows = np.array([self.drawn[at][1] for at in order], dtype=np.int16)
        if not len(rows):
            return []
        codes, processes = self.equipment.codes(rows), np.array(self.processes)[order]
        return [codes[processes == process] for process in sorted({*self.processes})]

    def dependence_measures(self, law: Law, readings: Readings) -> Iterator[Measure]:
        """Yield the tests that outcomes depend on nothing that was known before."""
        rows, order = self.rows(), self._order
        staked, before = (np.array(values)[order] for values in (self.staked, self.before))
        yield from measure_parts("staked", self.equipment, rows, staked > np.median(staked))
        later = before != 0
        yield from measure_parts("before", self.equipment, rows[later], before[later] > 0)
        first = np.arange(len(rows)) < len(rows) // 2
        yield from measure_parts("halves", self.equipment, rows, first)
        counter = LaidBetCounter(law, self.game, readings, self.equipment)
        for test, excess in counter.excesses(self.laid).items():
            yield measure_wins(test, excess)

    def neighbours(self) -> list[tuple[list[int], list[int]]]:
        """Return outcomes that followed one another at the same table, none of them twice."""
        by_table: dict[int, list[list[int]]] = {}
        for (_, _, table), row in sorted(self.drawn):
            by_table.setdefault(table, []).append(row)
        return [
            (rows[at], rows[at + 1])
            for rows in by_table.values()
            for at in range(0, len(rows) - 1, 2)
        ]


class TableSamples:
    """The samples of what the tables of one look drew, by the options on which chance depends."""

    def __init__(self, law: Law, terms: Terms) -> None:
        self._law, self._readings = law, Readings(law, terms.rulings)
        self._chances = {
            game.game: ChanceOptions.of(law, game, self._readings) for game in terms.games
        }
        self._samples: dict[tuple[Any, ...], TableSample] = {}
        self._tables = 0
        #: How many tables each process has played, by game.
        self._played: dict[tuple[str, int], int] = {}

    def __iter__(self) -> Iterator[TableSample]:
        return iter(self._samples.values())

    def at_table(self, game: str, table_options: Options, n: int) -> TableSample:
        """Return the sample of tables with some options; line `n` is its first if it is new."""
        options, provisions = self._chances[game].of_table(table_options)
        key = (game, *sorted(options.items()))
        if key not in self._samples:
            self._samples[key] = TableSample(
                game=game,
                options=options,
                provisions=provisions,
                equipment=equipment_of_game(self._law, game, self._readings, options),
                first=n,
            )
        return self._samples[key]

    def add(self, table: DrawnTable) -> None:
        """Add what a table drew."""
        sample = self.at_table(table.game, table.options, table.n)
        if sample.totals is not None:
            msg = f"line {table.n + 1}: a table after the streams of its game"
            raise ValueError(msg)
        played = self._played.get((table.game, table.process), 0)
        self._played[table.game, table.process] = played + 1
        for outcome in table.outcomes:
            try:
                row = sample.equipment.row(outcome.outcome)
            except _OUTCOME_ERRORS:
                continue
            place = ((table.process, find_free_group(played)), outcome.act, self._tables)
            sample.drawn.append((place, row))
            sample.staked.append(outcome.staked)
            sample.before.append(outcome.before)
            sample.processes.append(table.process)
        sample.laid += table.laid
        self._tables += 1


def gather_table_samples(law: Law, terms: Terms, tables: Iterable[DrawnTable]) -> TableSamples:
    """Return the samples of what some tables drew, in the order of the games."""
    samples = TableSamples(law, terms)
    for table in tables:
        samples.add(table)
    return samples
