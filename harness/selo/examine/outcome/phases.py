"""An examination from where it stands to its result, phase by phase."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from selo.examine.coverage import covering
from selo.examine.exchange.workers import Restarted
from selo.examine.outcome.result import Outcome, outcome_from, write
from selo.examine.replay.draw_results import drawn
from selo.examine.run.witness_attachment import join, kept
from selo.law import today

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.run.examination import Examination
    from selo.law.loader import Law

#: The phases of an examination, in their order.
CASES: Final = "cases"
ROUNDS: Final = "rounds"
DRAWS: Final = "draws"
REDUCTION: Final = "reduction"
CONCLUSION: Final = "conclusion"
PHASES: Final = (CASES, ROUNDS, DRAWS, REDUCTION, CONCLUSION)


class Watch(Protocol):
    """Whoever looks on."""

    def begins(self, phase: str) -> None:
        """Learn that a phase begins."""

    def told(self, many: int) -> None:
        """Learn that so many cases, rounds or outcomes more are done."""

    def restarted(self, got: Restarted) -> None:
        """Learn that the vendor broke and was started again."""


class Nobody:
    """Looks on and says nothing."""

    def begins(self, phase: str) -> None:
        """Learn that a phase begins."""

    def told(self, many: int) -> None:
        """Learn that so many more are done."""

    def restarted(self, got: Restarted) -> None:
        """Learn that the vendor broke."""


def run(examination: Examination, law: Law, watch: Watch) -> Outcome:
    """Bring an examination to its end, and write its result beside the evidence."""
    folder, header = examination.folder, examination.header
    with ExitStack() as meanwhile:
        try:
            _put(examination, watch)
            # A vendor that draws leaves a core half idle: what the plan decides is counted there.
            meanwhile.enter_context(covering(law, header.terms))
            with _phase(examination, watch, DRAWS):
                for outcomes in examination.draws():
                    watch.told(outcomes)
            with _phase(examination, watch, REDUCTION):
                findings = examination.reduce()
            session = examination.vendor().session()
            try:
                ended = examination.finish(session, examination.run.sealed)
                session.end()
            finally:
                session.kill()
        except BaseException:
            examination.leave()
            raise
        with _phase(examination, watch, CONCLUSION):
            said = join(kept(folder), law, header.description, header.games, today())
            draws = examination.drawn or drawn(folder, law, header.terms)
            meanwhile.close()
            result = outcome_from(ended, examination.seen, findings, said, draws)
            write(folder, result)
    examination.note()
    return result


def _put(examination: Examination, watch: Watch) -> None:
    """Put every case and play every round that is left."""
    with _phase(examination, watch, CASES):
        for got in examination.work():
            if isinstance(got, Restarted):
                watch.restarted(got)
            else:
                watch.told(got.cases)
    with _phase(examination, watch, ROUNDS):
        for played in examination.rounds():
            if isinstance(played, Restarted):
                watch.restarted(played)
            else:
                watch.told(1)


@contextmanager
def _phase(examination: Examination, watch: Watch, name: str) -> Iterator[None]:
    """Note how long a phase takes, also if it is interrupted."""
    watch.begins(name)
    started = time.monotonic()
    try:
        yield
    finally:
        phases = examination.run.phases
        phases[name] = round(phases.get(name, 0) + time.monotonic() - started, 3)
