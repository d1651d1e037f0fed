"""Runs an examination to its end, phase by phase."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from selo.examine.analysis.draw_record import read_draws
from selo.examine.conclusion.result import ExaminationResult, build_result, write_result
from selo.examine.coverage import coverage_of
from selo.examine.exchange import VendorRestart
from selo.examine.run.witness_attachment import attach_forms, read_kept_forms
from selo.law.status import macau_today

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.examine.run import Examination
    from selo.law import Law


#: The phases of an examination, in their order.
CASES: Final = "cases"
ROUNDS: Final = "rounds"
FREE_ROUNDS: Final = "free-rounds"
DRAWS: Final = "draws"
REDUCTION: Final = "reduction"
CONCLUSION: Final = "conclusion"


class PhaseObserver(Protocol):
    """Is notified of the progress of an examination."""

    def phase_begins(self, phase: str) -> None:
        """Handle the beginning of a phase."""

    def progressed(self, count: int) -> None:
        """Handle that `count` more cases, rounds or outcomes are done."""

    def vendor_restarted(self, restart: VendorRestart) -> None:
        """Handle that the vendor broke and was started again."""


class SilentObserver:
    """Ignores all notifications."""

    def phase_begins(self, phase: str) -> None:
        """Handle the beginning of a phase."""

    def progressed(self, count: int) -> None:
        """Handle progress within a phase."""

    def vendor_restarted(self, restart: VendorRestart) -> None:
        """Handle a restart of the vendor."""


def run_phases(examination: Examination, law: Law, observer: PhaseObserver) -> ExaminationResult:
    """Run an examination to its end, and write its result beside the evidence."""
    folder, header = examination.folder, examination.header
    with ExitStack() as meanwhile:
        try:
            _put_cases_and_rounds(examination, observer)
            with _timed_phase(examination, observer, FREE_ROUNDS):
                for tables in examination.play_free_rounds():
                    observer.progressed(tables)
            # Drawing leaves a core half idle, which counts the coverage of the plan meanwhile.
            meanwhile.enter_context(coverage_of(law, header.terms).count_meanwhile())
            with _timed_phase(examination, observer, DRAWS):
                for outcomes in examination.draw_outcomes():
                    observer.progressed(outcomes)
            with _timed_phase(examination, observer, REDUCTION):
                findings = examination.collect_findings()
            session = examination.vendor().session()
            try:
                finished = examination.finish(session, examination.log.sealed)
                session.end()
            finally:
                session.kill()
        except BaseException:
            examination.release()
            raise
        with _timed_phase(examination, observer, CONCLUSION):
            attached = attach_forms(
                read_kept_forms(folder), law, header.description, header.games, macau_today()
            )
            draws = examination.draw_results or read_draws(
                folder, law, header.terms, header.description.games
            )
            meanwhile.close()
            result = build_result(finished, examination.analysis, findings, attached, draws)
            write_result(folder, result)
    examination.write_log()
    return result


def _put_cases_and_rounds(examination: Examination, observer: PhaseObserver) -> None:
    """Put the remaining cases to the vendor, and play the remaining rounds."""
    with _timed_phase(examination, observer, CASES):
        for chunk in examination.put_cases():
            if isinstance(chunk, VendorRestart):
                observer.vendor_restarted(chunk)
            else:
                observer.progressed(chunk.cases)
    with _timed_phase(examination, observer, ROUNDS):
        for played in examination.play_rounds():
            if isinstance(played, VendorRestart):
                observer.vendor_restarted(played)
            else:
                observer.progressed(1)


@contextmanager
def _timed_phase(examination: Examination, observer: PhaseObserver, name: str) -> Iterator[None]:
    """Log the duration of a phase, also if it is interrupted."""
    observer.phase_begins(name)
    started = time.monotonic()
    try:
        yield
    finally:
        phases = examination.log.phases
        phases[name] = round(phases.get(name, 0) + time.monotonic() - started, 3)
