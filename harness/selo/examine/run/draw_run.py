"""Takes outcomes from a vendor's own chance and records them in a file of their own.

1. No two runs draw the same, so free rounds and draws have a file and a root of their own beside
   the evidence. Free rounds of all games come first.
2. A sample of draws comes from one process of the vendor. After an interruption a new process is
   asked for the sample from its beginning, and the outcomes that are recorded already are
   discarded: this brings a seeded source to the same place, and makes no difference to any other.
3. When all is drawn it is tested; doubtful samples are drawn a second time, and of doubtful games
   more free rounds are played.
"""

from __future__ import annotations

import gc
import secrets
from dataclasses import dataclass
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import Scope
from selo.draws import equipment_of_game
from selo.draws.draw_verdict import DrawResult, OutcomeSource, worst_result
from selo.evidence import EvidenceReader, EvidenceWriter
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_errors import EvidenceUnfinished, RunFinished
from selo.evidence.run_files import DRAWS_FILE
from selo.examine.analysis.draw_record import SampleIndex, draw_question, draws_header
from selo.examine.analysis.draw_results import (
    SECOND_LOOK_FACTOR,
    DrawResults,
    SampleDraws,
    doubtful_games,
    doubtful_samples,
    planned_samples,
    run_tests,
    tests_of_look,
)
from selo.examine.exchange import VendorRestart, play_free_rounds
from selo.examine.free_rounds import FREE_ROUNDS, FreeAnswers, FreeRound, FreeRounds
from selo.examine.plan import Sample, draw_plan, terms_of
from selo.examine.plan.draw_plan import OUTCOMES_PER_REQUEST
from selo.examine.vendor_description import offered_of
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.rounds import play_scripts
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, make_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from selo.cases.group import Budget
    from selo.draws.draw_verdict import DrawStatistic
    from selo.examine.exchange import VendorEndpoint
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.table_values import Outcome
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


#: How often a vendor is started that breaks while it draws.
_MAX_ATTEMPTS: Final = 3
_SEED_BITS: Final = 64
#: What reading a malformed outcome may raise.
_OUTCOME_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError)


def take_reply(law: Law, draws: SampleDraws, reply: Reply) -> AdapterFault | None:
    """Add the outcomes of a reply to the sample, or return what is wrong with them."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        error = reply.error
        return make_fault(
            FaultKind.ERROR_ANSWER, method=DRAW, code=error.code, problem=error.message
        )
    outcomes = reply.result.outcomes
    if len(outcomes) != OUTCOMES_PER_REQUEST:
        problem = f"{len(outcomes)} instead of {OUTCOMES_PER_REQUEST}"
        return make_fault(FaultKind.WRONG_WORDS, problem=problem, path="$.result.outcomes")
    try:
        draws.add_outcomes(outcomes)
    except _OUTCOME_ERRORS as error:
        return _find_outcome_fault(law, draws, outcomes, error)
    return None


def _find_outcome_fault(
    law: Law, draws: SampleDraws, outcomes: list[Outcome], error: Exception
) -> AdapterFault:
    words = game_words(law, draws.sample.game)
    for at, outcome in enumerate(outcomes):
        where = f"$.result.outcomes[{at}]"
        try:
            draws.equipment.row(outcome)
        except _OUTCOME_ERRORS as wrong:
            problem = words.outcome_problem(outcome, where=where) or f"{where}: {wrong}"
            path, _, text = problem.partition(": ")
            return make_fault(
                FaultKind.WRONG_WORDS, problem=text, path=path, raw=encode_canonical(outcome)
            )
    return make_fault(FaultKind.WRONG_WORDS, problem=str(error), path="$.result.outcomes")


@dataclass(frozen=True, kw_only=True)
class RedrawnSample:
    """What came of drawing again what a finding rests on."""

    result: DrawResult
    statistics: list[DrawStatistic]
    fault: dict[str, str] | None = None


def redraw_finding(session: Session, law: Law, finding: Finding) -> RedrawnSample:
    """Draw and test as many outcomes again as a finding rests on."""
    params = finding.params
    source = OutcomeSource(params.get("source", OutcomeSource.DRAW))
    sample = Sample(
        game=finding.game,
        options=params["options"],
        provisions=finding.provisions,
        outcomes=params["count"]
        if source is OutcomeSource.DRAW
        else draw_plan.OUTCOMES_PER_TABLE["quick"],
    )
    readings = Readings(law, finding.origin.rulings)
    draws = SampleDraws(
        sample=sample, equipment=equipment_of_game(law, sample.game, readings, sample.options)
    )
    results = DrawResults()
    if source is not OutcomeSource.TABLE:
        draw_sample(session, law, draws)
        results.samples.append(draws)
    if source is not OutcomeSource.DRAW:
        results.free = _play_again(session, law, finding)
    run_tests(results, None)
    if source is OutcomeSource.DRAW:
        verdict = results.verdict_of(draws)
    else:
        tables = [one for one in results.table_samples() if one.options == sample.options]
        verdict = worst_result([test for one in tables for test in results.table_tests(one)])
    return RedrawnSample(result=verdict, statistics=results.statistics, fault=draws.fault)


def _play_again(session: Session, law: Law, finding: Finding) -> FreeRounds:
    """Play free rounds until tables drew at least as many outcomes as a finding rests on."""
    description: Description = session.ask("describe", {})
    offers = [offer for offer in description.games if offer.game == finding.game]
    budget: Budget = next(
        (name for name, rounds in FREE_ROUNDS.items() if rounds >= finding.params["count"]), "full"
    )
    terms = terms_of(
        law, Scope(games=tuple(map(offered_of, offers))), as_of="", rulings=finding.origin.rulings,
        budget=budget, seed=secrets.randbits(_SEED_BITS), provisions=[],
    )  # fmt: skip
    free = FreeRounds(law, terms, offers)
    for script, played in play_scripts(session, free.scripts(finding.game)):
        free.add(FreeRound(params=script, answer=FreeAnswers(free=played)))
    return free


def draw_sample(session: Session, law: Law, draws: SampleDraws) -> None:
    """Draw a sample without recording it."""
    for _ in range(draws.sample.batches):
        ((_, reply),) = session.ask_all(DRAW, [draws.sample.params()])
        problem = take_reply(law, draws, reply)
        if problem is not None:
            draws.fault = problem.evidence_record()
            return


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
        self._law, self._terms, self._description = law, terms, description
        #: The secret of the salts of a new recording.
        self._secret = secret
        self.samples = planned_samples(law, terms)
        self.free = FreeRounds(law, terms, description.games)
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
        self, vendor: VendorEndpoint, restarted: Callable[[AdapterFault], None], processes: int = 1
    ) -> Iterator[int]:
        """Play what is left of the free rounds of the first look; yield 1 after each table."""
        yield from self._play(self.free.games, 1, vendor, restarted, processes)

    def _play(
        self,
        games: Iterable[str],
        look: int,
        vendor: VendorEndpoint,
        restarted: Callable[[AdapterFault], None],
        processes: int,
    ) -> Iterator[int]:
        tables = {game: self.free.scripts(game, look) for game in games}
        skip = {game: self.free.played(game, look) for game in tables}
        if self._writer is None or all(skip[game] >= len(tables[game]) for game in tables):
            return
        # After an interruption all are played again, and those that are recorded are discarded.
        for free_round in play_free_rounds(
            self._law, self._terms, self._description, vendor, tables, processes=processes
        ):
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

    def draw_remaining(
        self, vendor: VendorEndpoint, restarted: Callable[[AdapterFault], None], processes: int = 1
    ) -> Iterator[int]:
        """Draw what is left; yield the number of outcomes after each recorded batch.

        `processes` samples are drawn side by side, each from its own process of the vendor.
        """
        if self._writer is None:
            return
        # Each outcome is several objects: keep older objects out of the garbage collections.
        gc.freeze()
        try:
            yield from self._draw_both_looks(vendor, restarted, processes)
        finally:
            gc.unfreeze()

    def _draw_both_looks(
        self, vendor: VendorEndpoint, restarted: Callable[[AdapterFault], None], processes: int
    ) -> Iterator[int]:
        under_way: dict[int, Generator[int, None, None]] = {}
        try:
            while left := [at for at, draws in enumerate(self.samples) if not draws.is_finished]:
                # The shortest sample comes next, so that the order survives an interruption.
                at = min(left[:processes], key=lambda at: len(self.samples[at].batches))
                draws = self.samples[at]
                if at not in under_way:
                    under_way[at] = self._draw(vendor, draws, draws.sample.batches, restarted)
                yield from islice(under_way[at], 1)
                if draws.is_finished:
                    # Let the generator end its session in order.
                    yield from under_way.pop(at)
        finally:
            for drawing in under_way.values():
                drawing.close()
        complete = [draws for draws in self.samples if draws.is_complete]
        self._first = tests_of_look(complete, 1, self.free.samples(1), complete)
        for draws in doubtful_samples(complete, self._first):
            yield from self._draw(
                vendor, draws, (1 + SECOND_LOOK_FACTOR) * draws.sample.batches, restarted
            )
        games = doubtful_games(DrawResults(statistics=self._first, free=self.free))
        yield from self._play(games, 2, vendor, restarted, processes)

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
            session = vendor.session()
            try:
                yield from self._ask_batches(session, draws, until)
                if draws.fault is None:
                    # After a fault answers may still be pending, so the session is not reused.
                    vendor.leave(session)
            except VendorBroken as error:
                if (
                    attempt == _MAX_ATTEMPTS - 1
                    or error.fault.kind is FaultKind.DESCRIPTION_CHANGED
                ):
                    raise
                restarted(error.fault)
            finally:
                session.kill()

    def _ask_batches(self, session: Session, draws: SampleDraws, until: int) -> Iterator[int]:
        """Ask for all batches of a sample from the first on, and record those that are missing."""
        # Answers are long, so each request has its own line; the next is drawn meanwhile.
        replies = session.ask_all(DRAW, repeat(draws.sample.params(), until), most=1)
        for number, (_, reply) in enumerate(replies):
            if number < len(draws.batches):
                continue
            problem = take_reply(self._law, draws, reply)
            if problem is not None:
                draws.fault = problem.evidence_record()
                self._write_line(draws.sample, {"fault": draws.fault})
                return
            self._write_line(draws.sample, {"answer": {"outcomes": reply.result.outcomes}})
            yield OUTCOMES_PER_REQUEST

    def _write_line(self, sample: Sample, content: dict[str, Any]) -> None:
        if self._writer is not None:
            line = {**draw_question(sample), "n": self._lines, **content}
            self._writer.lines([encode_canonical(line)])
            self._lines += 1

    def finish(self) -> str | None:
        """Write the last line and return the root; none if nothing was to be drawn."""
        if self._writer is not None:
            tables = self.free.lines
            footer = {"batches": self._lines - tables, "free_tables": tables}
            self.root = str(self._writer.close(footer))
            self._writer = None
        return self.root

    def results(self) -> DrawResults | None:
        """Return the tested draws, unless the recording was finished before."""
        if self._first is None:
            return None
        results = DrawResults(root=self.root, samples=self.samples, free=self.free)
        run_tests(results, self._first)
        return results

    def release(self) -> None:
        """Close the recording so that the run can be resumed."""
        if self._writer is not None:
            self._writer.leave()
