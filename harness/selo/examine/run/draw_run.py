"""Takes outcomes from a vendor's own chance and records them in a file of their own.

1. No two runs draw the same, so free rounds and draws have a file and a root of their own beside
   the evidence. Free rounds of all games come first.
2. What is kept of a sample comes from one process of the vendor; with a sealed seed its second
   half comes from another, in the opposite world. After an interruption a new process is asked for
   the sample from its beginning, and the outcomes that are recorded already are discarded: this
   brings a seeded source to the same place, and makes no difference to others.
3. Of a larger sample, and of more free rounds, further streams come from several processes, and
   each is one line of counts with a root. A stream that was interrupted is drawn again whole.
4. When all is drawn it is tested; doubtful samples are drawn a second time, and of doubtful games
   more free rounds are played.
"""

from __future__ import annotations

import gc
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from selo.draws.draw_verdict import read_levels
from selo.evidence import EvidenceReader, EvidenceWriter
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_errors import EvidenceUnfinished, RunFinished
from selo.evidence.run_files import DRAWS_FILE
from selo.examine.analysis.draw_record import (
    SampleIndex,
    draw_question,
    draws_footer,
    draws_header,
)
from selo.examine.analysis.draw_results import (
    DrawResults,
    doubtful_games,
    doubtful_samples,
    planned_samples,
    run_tests,
    tests_of_look,
)
from selo.examine.exchange import VendorRestart
from selo.examine.exchange.outcome_streams import (
    DrawnStream,
    DrawSessions,
    DrawStream,
    KeptDraw,
)
from selo.examine.free_rounds import FreeRounds
from selo.examine.run.finding_redraw import take_reply
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.analysis.draw_results import SampleDraws
    from selo.examine.exchange import VendorEndpoint
    from selo.examine.exchange.outcome_streams import KeptOutcomes
    from selo.examine.free_rounds import FreeRound
    from selo.examine.plan import Sample, Terms
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.rounds import Script
    from selo.vendors.reply_reader import Reply


class Workforce(Protocol):
    """Whoever plays rounds and draws outcomes: processes of this machine, or workers elsewhere."""

    @property
    def is_local(self) -> bool:
        """Whether its workers are processes of this machine."""

    def count_workers(self) -> int:
        """Return how many workers there are."""

    def play_free_rounds(
        self, scripts_by_game: Mapping[str, list[Script]]
    ) -> Iterator[FreeRound | VendorRestart]:
        """Yield every free round in the order of the games, and every restart of a vendor."""

    def run_streams(self, streams: Sequence[Any]) -> Iterator[Any]:
        """Yield what is kept of every stream, in order, and every restart of a vendor."""


#: How often a vendor is started that breaks while it draws.
_MAX_ATTEMPTS: Final = 3


class DrawRun:
    """The draws of one run and their recording, begun or resumed."""

    def __init__(
        self,
        folder: Path,
        law: Law,
        terms: Terms,
        description: Description,
        *,
        secret: bytes | None = None,
    ) -> None:
        self._law, self._terms = law, terms
        #: The secret of the salts of a new recording.
        self._secret = secret
        self.samples = planned_samples(law, terms)
        self.free = FreeRounds(law, terms, description.games)
        self._results = DrawResults(
            samples=self.samples, free=self.free, levels=read_levels(law, terms.game_names)
        )
        self._lines = 0
        self._writer: EvidenceWriter | None = None
        #: The root of the finished recording; none if nothing is drawn.
        self.root: str | None = None
        #: The tests of the first look, once all of it is drawn.
        self._first: list[DrawStatistic] | None = None
        if self.samples or self.free.games:
            self._begin(folder)

    def _begin(self, folder: Path) -> None:
        if (folder / DRAWS_FILE.file).exists():
            try:
                self._writer, _, lines = EvidenceWriter.resume(folder, DRAWS_FILE)
            except RunFinished:
                self.root = str(EvidenceReader(folder, book=DRAWS_FILE).read().root)
                return
            except EvidenceUnfinished:
                # Killed before the header was written: there is nothing to resume.
                pass
            else:
                reader = EvidenceReader(folder, book=DRAWS_FILE)
                index = SampleIndex(self.samples, reader.path, self.free)
                for line in reader.unproven_values():
                    index.add_line(line)
                self._lines = lines - 1
                return
        self._writer = EvidenceWriter(folder, book=DRAWS_FILE, secret=self._secret)
        self._writer.header(draws_header(self._terms, self.samples, self.free))

    def play_remaining(
        self, workforce: Workforce, restarted: Callable[[AdapterFault], None]
    ) -> Iterator[int]:
        """Play what is left of the free rounds of the first look; yield the number of tables."""
        yield from self._play(self.free.games, 1, workforce, restarted)

    def _play(
        self,
        games: Sequence[str],
        look: int,
        workforce: Workforce,
        restarted: Callable[[AdapterFault], None],
    ) -> Iterator[int]:
        tables = {game: self.free.scripts(game, look) for game in games}
        skip = {game: self.free.played(game, look) for game in tables}
        if self._writer is None:
            return
        if any(skip[game] < len(tables[game]) for game in tables):
            # After an interruption all are played again, and those that are recorded discarded.
            for free_round in workforce.play_free_rounds(tables):
                if isinstance(free_round, VendorRestart):
                    restarted(free_round.fault)
                    continue
                game = free_round.params.game
                skip[game] -= 1
                if skip[game] >= 0:
                    continue
                numbered = msgspec.structs.replace(free_round, n=self._lines)
                self._writer.lines([numbered.line(self._lines)])
                self._lines += 1
                self.free.add(numbered)
                yield 1
        left = self.free.streams_left(games, look)
        for played in workforce.run_streams(left) if left else ():
            if isinstance(played, VendorRestart):
                restarted(played.fault)
                continue
            self._writer.lines([played.line(self._lines)])
            self.free.add_stream(played, self._lines)
            self._lines += 1
            yield played.answer.tables

    def draw_remaining(
        self,
        vendor: VendorEndpoint,
        workforce: Workforce,
        restarted: Callable[[AdapterFault], None],
    ) -> Iterator[int]:
        """Draw what is left; yield the number of outcomes after each recorded batch.

        On this machine as many samples are drawn side by side as there are workers, each from its
        own process of the vendor.
        """
        if self._writer is None:
            return
        # Each outcome is several objects: keep older objects out of the garbage collections.
        gc.freeze()
        try:
            yield from self._draw_both_looks(vendor, workforce, restarted)
        finally:
            gc.unfreeze()

    def _draw_both_looks(
        self,
        vendor: VendorEndpoint,
        workforce: Workforce,
        restarted: Callable[[AdapterFault], None],
    ) -> Iterator[int]:
        kept: list[KeptDraw] = []
        if workforce.is_local:
            yield from self._draw_side_by_side(vendor, workforce.count_workers(), restarted)
        else:
            kept = self._kept_parts((one, one.sample.kept_batches) for one in self.samples)
        # Workers elsewhere begin with streams while some of them draw what is kept.
        parts: list[KeptDraw | DrawStream] = [*kept, *self._stream_parts(self.samples, 1)]
        yield from self._draw_parts(parts, workforce, restarted)
        complete = [draws for draws in self.samples if draws.is_complete]
        self._first = tests_of_look(self._results, complete, 1, self.free.samples(1))
        doubtful = doubtful_samples(complete, self._first)
        again = [
            (draws, (1 + draws.factor) * draws.sample.kept_batches)
            for draws in doubtful
            if not draws.is_streamed
        ]
        if workforce.is_local:
            for draws, until in again:
                yield from self._draw(vendor, draws, until, restarted)
        else:
            yield from self._draw_parts(self._kept_parts(again), workforce, restarted)
        yield from self._draw_parts(self._stream_parts(doubtful, 2), workforce, restarted)
        games = doubtful_games(DrawResults(statistics=self._first, free=self.free))
        yield from self._play(games, 2, workforce, restarted)

    def _draw_side_by_side(
        self, vendor: VendorEndpoint, processes: int, restarted: Callable[[AdapterFault], None]
    ) -> Iterator[int]:
        """Draw what is kept of the first look."""
        under_way: dict[int, Generator[int, None, None]] = {}
        try:
            while left := [at for at, draws in enumerate(self.samples) if not draws.is_kept]:
                # The shortest sample comes next, so that the order survives an interruption.
                at = min(left[:processes], key=lambda at: len(self.samples[at].batches))
                draws = self.samples[at]
                if at not in under_way:
                    under_way[at] = self._draw(vendor, draws, draws.sample.kept_batches, restarted)
                yield from islice(under_way[at], 1)
                if draws.is_kept:
                    # Let the generator end its session in order.
                    yield from under_way.pop(at)
        finally:
            for drawing in under_way.values():
                drawing.close()

    def _kept_parts(self, samples: Iterable[tuple[SampleDraws, int]]) -> list[KeptDraw]:
        """Return what is left to draw of the outcomes that are kept, each of one sample."""
        return [
            KeptDraw(sample=self.samples.index(draws), until=until, recorded=len(draws.batches))
            for draws, until in samples
            if draws.fault is None and len(draws.batches) < until
        ]

    def _stream_parts(self, samples: Iterable[SampleDraws], look: int) -> list[DrawStream]:
        """Return what is left of the streams of a look, of which only counts are kept."""
        return [
            DrawStream(sample=self.samples.index(draws), look=look, stream=number, batches=batches)
            for draws in samples
            if draws.fault is None
            for number, batches in draws.streams_left(look)
        ]

    def _draw_parts(
        self,
        parts: Sequence[KeptDraw | DrawStream],
        workforce: Workforce,
        restarted: Callable[[AdapterFault], None],
    ) -> Iterator[int]:
        """Let workers draw parts of samples, and record them in their order."""
        for drawn in workforce.run_streams(parts) if parts else ():
            if isinstance(drawn, VendorRestart):
                restarted(drawn.fault)
                continue
            draws = self.samples[drawn.part.sample]
            if draws.fault is not None:
                # It was under way already when an earlier part of its sample failed.
                continue
            if isinstance(drawn, DrawnStream):
                yield from self._take_stream(draws, drawn)
            else:
                yield from self._take_kept(draws, drawn)

    def _take_kept(self, draws: SampleDraws, drawn: KeptOutcomes) -> Iterator[int]:
        for batch in drawn.batches:
            outcomes = msgspec.json.decode(batch)
            draws.add_outcomes(outcomes)
            self._write_line(draws.sample, {"answer": {"outcomes": outcomes}})
            yield draws.sample.per_request
        if drawn.fault is not None:
            draws.fault = drawn.fault.evidence_record()
            self._write_line(draws.sample, {"fault": draws.fault})

    def _take_stream(self, draws: SampleDraws, drawn: DrawnStream) -> Iterator[int]:
        content = drawn.content()
        if drawn.counts is None:
            draws.fault = content["fault"]
        else:
            draws.add_stream(drawn.part.look, drawn.counts)
        self._write_line(draws.sample, content)
        yield drawn.part.batches * draws.sample.per_request

    def _draw(
        self,
        vendor: VendorEndpoint,
        draws: SampleDraws,
        until: int,
        restarted: Callable[[AdapterFault], None],
    ) -> Generator[int, None, None]:
        for attempt in range(_MAX_ATTEMPTS):
            if draws.fault is not None or len(draws.batches) >= until:
                return
            drawing = DrawSessions(self._law, self._terms, vendor, draws.sample)
            try:
                yield from self._take_batches(draws, drawing.ask(until))
                if draws.fault is None:
                    # After a fault answers may still be pending, so the session is not reused.
                    vendor.leave(drawing.session)
            except VendorBroken as error:
                if (
                    attempt == _MAX_ATTEMPTS - 1
                    or error.fault.kind is FaultKind.DESCRIPTION_CHANGED
                ):
                    raise
                restarted(error.fault)
            finally:
                drawing.session.kill()

    def _take_batches(self, draws: SampleDraws, replies: Iterator[Reply]) -> Iterator[int]:
        """Take all batches of a sample from the first on, and record those that are missing."""
        for number, reply in enumerate(replies):
            if number < len(draws.batches):
                continue
            problem = take_reply(self._law, draws, reply)
            if problem is not None:
                draws.fault = problem.evidence_record()
                self._write_line(draws.sample, {"fault": draws.fault})
                return
            self._write_line(draws.sample, {"answer": {"outcomes": reply.result.outcomes}})
            yield draws.sample.per_request

    def _write_line(self, sample: Sample, content: dict[str, Any]) -> None:
        if self._writer is not None:
            line = {**draw_question(sample), "n": self._lines, **content}
            self._writer.lines([encode_canonical(line)])
            self._lines += 1

    def count_outcomes_left(self) -> int:
        """Return how many outcomes of the first look are left to draw."""
        left = [
            draws.sample.per_request
            * (
                max(0, draws.sample.kept_batches - len(draws.batches))
                + sum(batches for _, batches in draws.streams_left(1))
            )
            for draws in self.samples
            if draws.fault is None
        ]
        return sum(left)

    def count_tables_left(self) -> int:
        """Return about how many tables of the first look are left to play."""
        left = 0
        for game in self.free.games:
            kept = len(self.free.scripts(game))
            left += max(0, kept - self.free.played(game))
            # Every stream has about as many tables as the one that is kept.
            left += kept * len(self.free.streams_left([game], 1))
        return left

    def finish(self) -> str | None:
        """Write the last line and return the root; none if nothing was to be drawn."""
        if self._writer is not None:
            footer = draws_footer(self._lines, self.samples, self.free)
            self.root = str(self._writer.close(footer))
            self._writer = None
        return self.root

    def results(self) -> DrawResults | None:
        """Return the tested draws, unless the recording was finished before."""
        if self._first is None:
            return None
        self._results.root = self.root
        run_tests(self._results, self._first)
        return self._results

    def release(self) -> None:
        """Close the recording so that the run can be resumed."""
        if self._writer is not None:
            self._writer.leave()
