"""The free rounds of one run: which are planned, which were played, and what they show."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import msgspec

from selo.evidence.canonical_json import encode_canonical
from selo.examine.free_rounds.free_round_lines import FreeRound
from selo.examine.free_rounds.free_round_plan import count_free_streams, plan_free_scripts
from selo.examine.free_rounds.free_round_streams import (
    FREE_STREAM,
    FreeStream,
    PlayedStream,
    StreamAnswer,
)
from selo.examine.free_rounds.free_round_tally import FreeRoundTally
from selo.examine.free_rounds.table_samples import TableSamples, gather_table_samples
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.draws.chi_square import Measure
    from selo.examine.free_rounds.free_round_tally import DrawnTable
    from selo.examine.free_rounds.table_samples import TableSample
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script
    from selo.table_values import Options


class FreeRounds:
    """Free rounds in two looks; the second is played only for games whose chance is in doubt."""

    def __init__(self, law: Law, terms: Terms, offers: Sequence[Offer]) -> None:
        self._law, self._terms, self._offers = law, terms, offers
        self._scripts: dict[tuple[str, int], list[Script]] = {}
        #: The number of tables that were played, by game and look.
        self._played: dict[tuple[str, int], int] = {}
        self._tables: dict[int, list[DrawnTable]] = {}
        self._samples: dict[int, TableSamples] = {}
        #: The number of streams that were played beside those tables, by game and look.
        self._streams: dict[tuple[str, int], int] = {}

    @cached_property
    def tally(self) -> FreeRoundTally:
        """What the rounds show."""
        judge = RoundJudge(self._law, Readings(self._law, self._terms.rulings))
        return FreeRoundTally(self._law, self._terms, self._offers, prepared_judge=judge)

    @cached_property
    def games(self) -> list[str]:
        """The games of which rounds are planned."""
        return [game for game in self._terms.game_names if self.scripts(game)]

    def scripts(self, game: str, look: int = 1) -> list[Script]:
        """Return the scripts of a game."""
        if (game, look) not in self._scripts:
            self._scripts[game, look] = plan_free_scripts(
                self._law, self._terms, self._offers, game, look=look
            )
        return self._scripts[game, look]

    def is_table_of_plan(self, at: int, line: dict[str, Any]) -> bool:
        """Return whether a line holds the script of table `at` of the first look of all games."""
        scripts = [script for game in self.games for script in self.scripts(game)]
        free_round = msgspec.convert(line, FreeRound)
        recorded = {name: line[name] for name in line.keys() - {"n", "answer"}}
        expected = FreeRound(params=scripts[at], answer=free_round.answer).question()
        return recorded == expected and free_round.line(free_round.n) == encode_canonical(line)

    def planned(self) -> dict[str, int]:
        """Return how many tables of each game the first look has."""
        return {game: len(self.scripts(game)) for game in self.games}

    def played(self, game: str, look: int = 1) -> int:
        """Return how many tables of a game were played."""
        return self._played.get((game, look), 0)

    @property
    def lines(self) -> int:
        """The number of tables that have a line of their own."""
        return sum(self._played.values())

    @property
    def stream_lines(self) -> int:
        """The number of streams that have a line."""
        return sum(self._streams.values())

    def streams_left(self, games: Iterable[str], look: int) -> list[FreeStream]:
        """Return the streams of some games that were not played yet."""
        return [
            FreeStream.of(self._law, self._terms, game, look, number)
            for game in games
            for number in range(
                1 + self._streams.get((game, look), 0),
                count_free_streams(self._law, self._terms, look),
            )
        ]

    def is_finished(self, game: str, look: int = 1) -> bool:
        """Return whether all tables of a game were played."""
        return self.played(game, look) >= len(self.scripts(game, look))

    def add_line(self, line: dict[str, Any]) -> None:
        """Add a recorded line; raise if it is not the next one of the plan."""
        if line["method"] == FREE_STREAM:
            self._add_stream_line(line)
            return
        free_round = msgspec.convert(line, FreeRound)
        recorded = {name: line[name] for name in line.keys() - {"n", "answer"}}
        game = free_round.params.game
        look = 2 if self.is_finished(game) else 1
        scripts, at = self.scripts(game, look), self.played(game, look)
        expected = FreeRound(params=scripts[at], answer=free_round.answer).question()
        if recorded != expected or free_round.line(free_round.n) != encode_canonical(line):
            msg = f"line {line['n'] + 1} is not the next free round of the plan"
            raise ValueError(msg)
        self.add(free_round)

    def read_stream_line(self, line: dict[str, Any]) -> PlayedStream:
        """Return the stream of a line; raise if the plan has none such."""
        played = PlayedStream(
            params=msgspec.convert(line["params"], FreeStream),
            answer=msgspec.convert(line["answer"], StreamAnswer),
        )
        stream, answer = played.params, played.answer
        at = stream.stream
        is_planned = (
            stream.game in self.games
            and stream.look in {1, 2}
            and 0 < at < count_free_streams(self._law, self._terms, stream.look)
            and stream == FreeStream.of(self._law, self._terms, stream.game, stream.look, at)
        )
        if (
            not is_planned
            or not answer.is_whole
            or played.line(line["n"]) != encode_canonical(line)
        ):
            msg = f"line {line['n'] + 1} is no stream of free rounds of the plan"
            raise ValueError(msg)
        if answer.wrong:
            scripts = plan_free_scripts(
                self._law, self._terms, self._offers, stream.game, look=stream.look, stream=at
            )
            planned = iter(scripts)
            # Each must be found behind the one before it.
            if answer.tables != len(scripts) or not all(
                table.params in planned for table in answer.kept
            ):
                msg = f"line {line['n'] + 1} has other tables than the plan"
                raise ValueError(msg)
        return played

    def _add_stream_line(self, line: dict[str, Any]) -> None:
        played = self.read_stream_line(line)
        stream = played.params
        if stream.stream != 1 + self._streams.get((stream.game, stream.look), 0):
            msg = f"line {line['n'] + 1} is not the next stream of free rounds of the plan"
            raise ValueError(msg)
        self.add_stream(played, line["n"])

    def add(self, free_round: FreeRound) -> None:
        """Add a round that was played."""
        game = free_round.params.game
        look = 2 if self.is_finished(game) else 1
        self._played[game, look] = self.played(game, look) + 1
        table = self.tally.add(free_round)
        if table is not None and look in self._samples:
            self._samples[look].add(table)
        elif table is not None:
            self._tables.setdefault(look, []).append(table)

    def add_stream(self, played: PlayedStream, n: int) -> None:
        """Add a stream of rounds that was played; its line is `n`."""
        stream = played.params
        if not self.is_finished(stream.game, stream.look):
            msg = f"line {n + 1}: a stream before the tables that are kept"
            raise ValueError(msg)
        key = stream.game, stream.look
        self._streams[key] = 1 + self._streams.get(key, 0)
        samples = self._gather(stream.look)
        for kind in played.answer.kinds:
            sample = samples.at_table(stream.game, cast("Options", kind.options), n)
            if sample.options != kind.options:
                msg = f"line {n + 1}: counts of tables with other options"
                raise ValueError(msg)
            sample.add_counts(kind.counts)
        # Outcomes of kept tables are counted already.
        self.tally_kept(played, n)

    def tally_kept(self, played: PlayedStream, n: int) -> None:
        """Tally the tables of a stream that are kept because something is wrong at them."""
        for table in played.answer.kept:
            self.tally.add(FreeRound(params=table.params, answer=table.answer, n=n))

    def _gather(self, look: int) -> TableSamples:
        if look not in self._samples:
            tables = self._tables.pop(look, [])
            self._samples[look] = gather_table_samples(self._law, self._terms, tables)
        return self._samples[look]

    def samples(self, look: int, games: Iterable[str] | None = None) -> list[TableSample]:
        """Return what the tables of one look drew."""
        wanted = None if games is None else set(games)
        return [sample for sample in self._gather(look) if wanted is None or sample.game in wanted]

    def dependence_measures(self, sample: TableSample) -> Iterator[Measure]:
        """Yield the tests that the outcomes of a sample depend on nothing known before."""
        yield from sample.dependence_measures(self._law, Readings(self._law, self._terms.rulings))

    def find_departure(self, doubtful: Iterable[str]) -> str | None:
        """Return which game has more or fewer tables than the plan, if one has."""
        again = set(doubtful)
        for game in self.games:
            for look in (1, 2):
                planned = len(self.scripts(game, look)) if look == 1 or game in again else 0
                if self.played(game, look) != planned:
                    return f"{self.played(game, look)} free tables of {game}, {planned} in the plan"
                streams = count_free_streams(self._law, self._terms, look) - 1 if planned else 0
                if self._streams.get((game, look), 0) != streams:
                    return f"other streams of free rounds of {game} than in the plan"
        return None
