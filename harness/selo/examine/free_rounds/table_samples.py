"""Samples of what live tables drew themselves, to be tested as those of `draw` are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.draws import equipment_of_game
from selo.draws.draw_verdict import DrawSource, OutcomeSource
from selo.draws.stream_counts import StreamTotals, count_stream
from selo.examine.plan.draw_plan import ChanceOptions
from selo.rounds import MAX_OPEN_TABLES
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.draws.chi_square import Histogram, Measure
    from selo.draws.stream_counts import StreamCounts
    from selo.examine.free_rounds.free_round_tally import DrawnTable
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
    drawn: list[tuple[tuple[int, int, int], list[int]]] = field(default_factory=list)
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
        ordered = [row for _, row in sorted(self.drawn)]
        return np.array(ordered, dtype=np.int16).reshape(len(ordered), -1)

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
        for act, outcome in table.outcomes:
            try:
                row = sample.equipment.row(outcome)
            except _OUTCOME_ERRORS:
                continue
            place = (self._tables // MAX_OPEN_TABLES, act, self._tables)
            sample.drawn.append((place, row))
        self._tables += 1


def gather_table_samples(law: Law, terms: Terms, tables: Iterable[DrawnTable]) -> TableSamples:
    """Return the samples of what some tables drew, in the order of the games."""
    samples = TableSamples(law, terms)
    for table in tables:
        samples.add(table)
    return samples
