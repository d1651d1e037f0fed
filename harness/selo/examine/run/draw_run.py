"""Outcomes asked of a vendor's random source and written into a book of their own.

1. No two runs draw the same, so draws have a file and a root of their own beside the evidence.
2. A sample comes from one process of the vendor. If it is interrupted, a new process is asked for
   the sample from its beginning, and what is in the book already is thrown away: a source that
   starts from a seed is then where it was, and to any other it makes no difference.
3. When all samples are drawn they are tested; those in doubt are drawn from once more.
"""

from __future__ import annotations

import gc
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Final

from selo.draws import equipment
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_errors import Unfinished
from selo.evidence.evidence_reader import EvidenceReader
from selo.evidence.evidence_writer import EvidenceWriter, RunFinished
from selo.evidence.run_files import DRAWS_FILE
from selo.examine.plan.draw_plan import OUTCOMES_PER_REQUEST, Sample
from selo.examine.replay.draw_results import (
    DrawResults,
    SampleDraws,
    SampleIndex,
    doubtful_samples,
    planned_samples,
    run_tests,
    tests_of_look,
)
from selo.protocol.messages import DRAW
from selo.protocol.schema import game_words
from selo.rules.readings import Readings
from selo.vendors.faults import Fault, Kind, VendorBroken, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from selo.draws.draw_verdict import Statistic
    from selo.examine.exchange.workers import VendorEndpoint
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session


#: If the first look leaves a doubt, so many times as much is drawn for the second.
SECOND_LOOK_FACTOR: Final = 4


#: A vendor that breaks while it draws is started again so often.
_MAX_ATTEMPTS: Final = 3
#: What an outcome that is none may make of its reader.
_OUTCOME_ERRORS: Final = (LookupError, TypeError, ValueError, AttributeError)


def take_reply(law: Law, one: SampleDraws, reply: Reply) -> Fault | None:
    """Take outcomes, or return what is wrong with them."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        error = reply.error
        return fault(Kind.ERROR_ANSWER, method=DRAW, code=error.code, problem=error.message)
    outcomes = reply.result.outcomes
    if len(outcomes) != OUTCOMES_PER_REQUEST:
        problem = f"{len(outcomes)} instead of {OUTCOMES_PER_REQUEST}"
        return fault(Kind.WRONG_WORDS, problem=problem, path="$.result.outcomes")
    try:
        one.add_outcomes(outcomes)
    except _OUTCOME_ERRORS as error:
        return _find_outcome_fault(law, one, outcomes, error)
    return None


def _find_outcome_fault(
    law: Law, one: SampleDraws, outcomes: list[dict[str, Any]], error: Exception
) -> Fault:
    words = game_words(law, one.sample.game)
    for at, outcome in enumerate(outcomes):
        where = f"$.result.outcomes[{at}]"
        try:
            one.equipment.row(outcome)
        except _OUTCOME_ERRORS as wrong:
            problem = words.outcome_problem(outcome, where=where) or f"{where}: {wrong}"
            path, _, said = problem.partition(": ")
            return fault(Kind.WRONG_WORDS, problem=said, path=path, raw=encode_canonical(outcome))
    return fault(Kind.WRONG_WORDS, problem=str(error), path="$.result.outcomes")


def redraw_finding(session: Session, law: Law, finding: Finding) -> DrawResults:
    """Return as many outcomes as a finding rests on, drawn anew and tested by themselves."""
    params = finding.params
    sample = Sample(
        game=finding.game,
        options=params["options"],
        provisions=finding.provisions,
        outcomes=params["count"],
    )
    readings = Readings(law, finding.origin.rulings)
    one = SampleDraws(
        sample=sample, equipment=equipment(law, sample.game, readings, sample.options)
    )
    draw_sample(session, law, one)
    drawn = DrawResults(samples=[one])
    run_tests(drawn, None)
    return drawn


def draw_sample(session: Session, law: Law, one: SampleDraws) -> None:
    """Draw a sample, and keep it nowhere but in memory."""
    for _ in range(one.sample.batches):
        ((_, reply),) = session.ask_all(DRAW, [one.sample.params()])
        found = take_reply(law, one, reply)
        if found is not None:
            one.fault = found.kept()
            return


class DrawRun:
    """The book of draws of one run: begun, or gone on with."""

    def __init__(self, folder: Path, law: Law, terms: Terms) -> None:
        self._law = law
        self.samples = planned_samples(law, terms)
        self._lines = 0
        self._writer: EvidenceWriter | None = None
        #: The root of a book that is finished; nothing where nothing is drawn.
        self.root: str | None = None
        #: The tests of the first look, once everything of it is drawn.
        self._first: list[Statistic] | None = None
        if self.samples:
            self._begin(folder, terms)

    def _begin(self, folder: Path, terms: Terms) -> None:
        if (folder / DRAWS_FILE.file).exists():
            try:
                self._writer, _, lines = EvidenceWriter.resume(folder, DRAWS_FILE)
            except RunFinished:
                self.root = str(EvidenceReader(folder, book=DRAWS_FILE).read().root)
                return
            except Unfinished:
                # Killed before the header was written: there is nothing to go on with.
                pass
            else:
                places = SampleIndex(self.samples)
                for line in EvidenceReader(folder, book=DRAWS_FILE).so_far():
                    places.add_line(line)
                self._lines = lines - 1
                return
        self._writer = EvidenceWriter(folder, book=DRAWS_FILE)
        wanted = [
            {"game": one.sample.game, "options": one.sample.options,
             "outcomes": one.sample.outcomes, "provisions": one.sample.provisions}
            for one in self.samples
        ]  # fmt: skip
        self._writer.header({"plan": terms.digest, "samples": wanted})

    def work(
        self, vendor: VendorEndpoint, restarted: Callable[[Fault], None], processes: int = 1
    ) -> Iterator[int]:
        """Draw what is left; yield how many outcomes more are in the book.

        So many samples are drawn side by side, each from a process of the vendor of its own.
        """
        if self._writer is None:
            return
        # Each outcome is several objects: what was there before need not be looked through for
        # garbage again and again.
        gc.freeze()
        try:
            yield from self._looks(vendor, restarted, processes)
        finally:
            gc.unfreeze()

    def _looks(
        self, vendor: VendorEndpoint, restarted: Callable[[Fault], None], processes: int
    ) -> Iterator[int]:
        under_way: dict[int, Generator[int, None, None]] = {}
        try:
            while left := [at for at, one in enumerate(self.samples) if not one.is_finished]:
                # Whoever has least comes next: after an interruption that is still the same.
                at = min(left[:processes], key=lambda at: len(self.samples[at].batches))
                one = self.samples[at]
                if at not in under_way:
                    under_way[at] = self._draw(vendor, one, one.sample.batches, restarted)
                yield from islice(under_way[at], 1)
                if one.is_finished:
                    # The vendor is left in order.
                    yield from under_way.pop(at)
        finally:
            for drawing in under_way.values():
                drawing.close()
        whole = [one for one in self.samples if one.is_complete]
        self._first = tests_of_look(whole, 1) if whole else []
        for one in doubtful_samples(whole, self._first):
            yield from self._draw(
                vendor, one, (1 + SECOND_LOOK_FACTOR) * one.sample.batches, restarted
            )

    def _draw(
        self,
        vendor: VendorEndpoint,
        one: SampleDraws,
        until: int,
        restarted: Callable[[Fault], None],
    ) -> Generator[int, None, None]:
        for attempt in range(_MAX_ATTEMPTS):
            if one.fault is not None or len(one.batches) >= until:
                return
            session = vendor.session()
            try:
                yield from self._asked(session, one, until)
                if one.fault is None:
                    # After a fault, answers are still under way: nothing else can be asked.
                    vendor.leave(session)
            except VendorBroken as error:
                if attempt == _MAX_ATTEMPTS - 1 or error.fault.kind is Kind.DESCRIPTION_CHANGED:
                    raise
                restarted(error.fault)
            finally:
                session.kill()

    def _asked(self, session: Session, one: SampleDraws, until: int) -> Iterator[int]:
        """Ask for the batches of a sample, from the first on, and keep those that are missing."""
        # An answer is long, so each has a line to itself; the next are drawn meanwhile.
        asked = session.ask_all(DRAW, repeat(one.sample.params(), until), most=1)
        for number, (params, reply) in enumerate(asked):
            if number < len(one.batches):
                continue
            found = take_reply(self._law, one, reply)
            if found is not None:
                one.fault = found.kept()
                self._write(params, {"fault": one.fault})
                return
            self._write(params, {"answer": {"outcomes": reply.result.outcomes}})
            yield OUTCOMES_PER_REQUEST

    def _write(self, params: dict[str, Any], said: dict[str, Any]) -> None:
        if self._writer is not None:
            line = {"game": params["game"], "group": "draws", "method": DRAW, "n": self._lines}
            self._writer.lines([encode_canonical({**line, "params": params, **said})])
            self._lines += 1

    def finish(self) -> str | None:
        """Write the last line and return the root; nothing if nothing was to be drawn."""
        if self._writer is not None:
            self.root = str(self._writer.close({"batches": self._lines}))
        return self.root

    def results(self) -> DrawResults | None:
        """Return what the book says, if all of it was drawn or read here."""
        if self._first is None:
            return None
        found = DrawResults(root=self.root, samples=self.samples)
        run_tests(found, self._first)
        return found

    def release(self) -> None:
        """Let go of the book, so that the run can be resumed."""
        if self._writer is not None:
            self._writer.leave()
