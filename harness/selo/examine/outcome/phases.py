"""An examination from where it stands to its result, phase by phase."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from selo.examine.coverage import covering
from selo.examine.exchange.workers import VendorRestart
from selo.examine.outcome.result import ExaminationResult, build_result, write_result
from selo.examine.replay.draw_results import read_draws
from selo.examine.run.witness_attachment import attach_forms, read_kept_forms
from selo.law import today

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.run import Examination
    from selo.law.loader import Law

#: The phases of an examination, in their order.
CASES: Final = "cases"
ROUNDS: Final = "rounds"
DRAWS: Final = "draws"
REDUCTION: Final = "reduction"
CONCLUSION: Final = "conclusion"
PHASES: Final = (CASES, ROUNDS, DRAWS, REDUCTION, CONCLUSION)


class PhaseObserver(Protocol):
    """Whoever looks on."""

    def phase_begins(self, phase: str) -> None:
        """Learn that a phase begins."""

    def progressed(self, many: int) -> None:
        """Learn that so many cases, rounds or outcomes more are done."""

    def vendor_restarted(self, got: VendorRestart) -> None:
        """Learn that the vendor broke and was started again."""


class SilentObserver:
    """Looks on and says nothing."""

    def phase_begins(self, phase: str) -> None:
        """Learn that a phase begins."""

    def progressed(self, many: int) -> None:
        """Learn that so many more are done."""

    def vendor_restarted(self, got: VendorRestart) -> None:
        """Learn that the vendor broke."""


def run_phases(examination: Examination, law: Law, watch: PhaseObserver) -> ExaminationResult:
    """Bring an examination to its end, and write its result beside the evidence."""
    folder, header = examination.folder, examination.header
    with ExitStack() as meanwhile:
        try:
            _put_cases_and_rounds(examination, watch)
            # A vendor that draws leaves a core half idle: what the plan decides is counted there.
            meanwhile.enter_context(covering(law, header.terms))
            with _timed_phase(examination, watch, DRAWS):
                for outcomes in examination.draw_outcomes():
                    watch.progressed(outcomes)
            with _timed_phase(examination, watch, REDUCTION):
                findings = examination.collect_findings()
            session = examination.vendor().session()
            try:
                ended = examination.finish(session, examination.log.sealed)
                session.end()
            finally:
                session.kill()
        except BaseException:
            examination.release()
            raise
        with _timed_phase(examination, watch, CONCLUSION):
            said = attach_forms(
                read_kept_forms(folder), law, header.description, header.games, today()
            )
            draws = examination.draw_results or read_draws(folder, law, header.terms)
            meanwhile.close()
            result = build_result(ended, examination.analysis, findings, said, draws)
            write_result(folder, result)
    examination.write_log()
    return result


def _put_cases_and_rounds(examination: Examination, watch: PhaseObserver) -> None:
    """Put every case and play every round that is left."""
    with _timed_phase(examination, watch, CASES):
        for got in examination.put_cases():
            if isinstance(got, VendorRestart):
                watch.vendor_restarted(got)
            else:
                watch.progressed(got.cases)
    with _timed_phase(examination, watch, ROUNDS):
        for played in examination.play_rounds():
            if isinstance(played, VendorRestart):
                watch.vendor_restarted(played)
            else:
                watch.progressed(1)


@contextmanager
def _timed_phase(examination: Examination, watch: PhaseObserver, name: str) -> Iterator[None]:
    """Note how long a phase takes, also if it is interrupted."""
    watch.phase_begins(name)
    started = time.monotonic()
    try:
        yield
    finally:
        phases = examination.log.phases
        phases[name] = round(phases.get(name, 0) + time.monotonic() - started, 3)
