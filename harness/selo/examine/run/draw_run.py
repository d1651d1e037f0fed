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
from selo.evidence.canonical_json import encode
from selo.evidence.evidence_errors import Unfinished
from selo.evidence.evidence_reader import Reader
from selo.evidence.evidence_writer import Finished, Writer
from selo.evidence.run_files import DRAWS
from selo.examine.plan.draw_plan import AGAIN, BATCH, DRAW, Sample
from selo.examine.replay.draw_results import Drawn, Places, Taken, blank, doubtful, look, tested
from selo.protocol.schema import game_words
from selo.rules.readings import Readings
from selo.vendors.faults import Fault, Kind, VendorBroken, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from selo.draws.draw_verdict import Statistic
    from selo.examine.exchange.workers import Reached
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.vendors.reply_reader import Reply
    from selo.vendors.session import Session

#: A vendor that breaks while it draws is started again so often.
_ATTEMPTS: Final = 3
#: What an outcome that is none may make of its reader.
_NONE: Final = (LookupError, TypeError, ValueError, AttributeError)


def unsound(law: Law, one: Taken, reply: Reply) -> Fault | None:
    """Take outcomes, or return what is wrong with them."""
    if reply.fault is not None:
        return reply.fault
    if reply.error is not None:
        error = reply.error
        return fault(Kind.ERROR_ANSWER, method=DRAW, code=error.code, problem=error.message)
    outcomes = reply.result.outcomes
    if len(outcomes) != BATCH:
        problem = f"{len(outcomes)} instead of {BATCH}"
        return fault(Kind.WRONG_WORDS, problem=problem, path="$.result.outcomes")
    try:
        one.add(outcomes)
    except _NONE as error:
        return _wrong(law, one, outcomes, error)
    return None


def _wrong(law: Law, one: Taken, outcomes: list[dict[str, Any]], error: Exception) -> Fault:
    words = game_words(law, one.sample.game)
    for at, outcome in enumerate(outcomes):
        where = f"$.result.outcomes[{at}]"
        try:
            one.equipment.row(outcome)
        except _NONE as wrong:
            problem = words.outcome_problem(outcome, where=where) or f"{where}: {wrong}"
            path, _, said = problem.partition(": ")
            return fault(Kind.WRONG_WORDS, problem=said, path=path, raw=encode(outcome))
    return fault(Kind.WRONG_WORDS, problem=str(error), path="$.result.outcomes")


def drawn_again(session: Session, law: Law, finding: Finding) -> Drawn:
    """Return as many outcomes as a finding rests on, drawn anew and tested by themselves."""
    params = finding.params
    sample = Sample(
        game=finding.game,
        options=params["options"],
        provisions=finding.provisions,
        outcomes=params["count"],
    )
    readings = Readings(law, finding.origin.rulings)
    one = Taken(sample=sample, equipment=equipment(law, sample.game, readings, sample.options))
    draw_all(session, law, one)
    drawn = Drawn(taken=[one])
    tested(drawn, None)
    return drawn


def draw_all(session: Session, law: Law, one: Taken) -> None:
    """Draw a sample, and keep it nowhere but in memory."""
    for _ in range(one.sample.batches):
        ((_, reply),) = session.ask_all(DRAW, [one.sample.params()])
        found = unsound(law, one, reply)
        if found is not None:
            one.fault = found.kept()
            return


class Drawing:
    """The book of draws of one run: begun, or gone on with."""

    def __init__(self, folder: Path, law: Law, terms: Terms) -> None:
        self._law = law
        self.taken = blank(law, terms)
        self._lines = 0
        self._writer: Writer | None = None
        #: The root of a book that is finished; nothing where nothing is drawn.
        self.root: str | None = None
        #: The tests of the first look, once everything of it is drawn.
        self._first: list[Statistic] | None = None
        if self.taken:
            self._begin(folder, terms)

    def _begin(self, folder: Path, terms: Terms) -> None:
        if (folder / DRAWS.file).exists():
            try:
                self._writer, _, lines = Writer.resume(folder, DRAWS)
            except Finished:
                self.root = str(Reader(folder, book=DRAWS).read().root)
                return
            except Unfinished:
                # Killed before the header was written: there is nothing to go on with.
                pass
            else:
                places = Places(self.taken)
                for line in Reader(folder, book=DRAWS).so_far():
                    places.take(line)
                self._lines = lines - 1
                return
        self._writer = Writer(folder, book=DRAWS)
        wanted = [
            {"game": one.sample.game, "options": one.sample.options,
             "outcomes": one.sample.outcomes, "provisions": one.sample.provisions}
            for one in self.taken
        ]  # fmt: skip
        self._writer.header({"plan": terms.digest, "samples": wanted})

    def work(
        self, vendor: Reached, restarted: Callable[[Fault], None], processes: int = 1
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
        self, vendor: Reached, restarted: Callable[[Fault], None], processes: int
    ) -> Iterator[int]:
        under_way: dict[int, Generator[int, None, None]] = {}
        try:
            while left := [at for at, one in enumerate(self.taken) if not one.drawn]:
                # Whoever has least comes next: after an interruption that is still the same.
                at = min(left[:processes], key=lambda at: len(self.taken[at].batches))
                one = self.taken[at]
                if at not in under_way:
                    under_way[at] = self._draw(vendor, one, one.sample.batches, restarted)
                yield from islice(under_way[at], 1)
                if one.drawn:
                    # The vendor is left in order.
                    yield from under_way.pop(at)
        finally:
            for drawing in under_way.values():
                drawing.close()
        whole = [one for one in self.taken if one.whole]
        self._first = look(whole, 1) if whole else []
        for one in doubtful(whole, self._first):
            yield from self._draw(vendor, one, (1 + AGAIN) * one.sample.batches, restarted)

    def _draw(
        self, vendor: Reached, one: Taken, until: int, restarted: Callable[[Fault], None]
    ) -> Generator[int, None, None]:
        for attempt in range(_ATTEMPTS):
            if one.fault is not None or len(one.batches) >= until:
                return
            session = vendor.session()
            try:
                yield from self._asked(session, one, until)
                if one.fault is None:
                    # After a fault, answers are still under way: nothing else can be asked.
                    vendor.leave(session)
            except VendorBroken as error:
                if attempt == _ATTEMPTS - 1 or error.fault.kind is Kind.DESCRIPTION_CHANGED:
                    raise
                restarted(error.fault)
            finally:
                session.kill()

    def _asked(self, session: Session, one: Taken, until: int) -> Iterator[int]:
        """Ask for the batches of a sample, from the first on, and keep those that are missing."""
        # An answer is long, so each has a line to itself; the next are drawn meanwhile.
        asked = session.ask_all(DRAW, repeat(one.sample.params(), until), most=1)
        for number, (params, reply) in enumerate(asked):
            if number < len(one.batches):
                continue
            found = unsound(self._law, one, reply)
            if found is not None:
                one.fault = found.kept()
                self._write(params, {"fault": one.fault})
                return
            self._write(params, {"answer": {"outcomes": reply.result.outcomes}})
            yield BATCH

    def _write(self, params: dict[str, Any], said: dict[str, Any]) -> None:
        if self._writer is not None:
            line = {"game": params["game"], "group": "draws", "method": DRAW, "n": self._lines}
            self._writer.lines([encode({**line, "params": params, **said})])
            self._lines += 1

    def finish(self) -> str | None:
        """Write the last line and return the root; nothing if nothing was to be drawn."""
        if self._writer is not None:
            self.root = str(self._writer.close({"batches": self._lines}))
        return self.root

    def drawn(self) -> Drawn | None:
        """Return what the book says, if all of it was drawn or read here."""
        if self._first is None:
            return None
        found = Drawn(root=self.root, taken=self.taken)
        tested(found, self._first)
        return found

    def leave(self) -> None:
        """Let go of the book, so that the run can be resumed."""
        if self._writer is not None:
            self._writer.leave()
