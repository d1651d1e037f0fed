"""Observes a running examination: progress of each phase, and failures as they appear."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cli.output.live_failures import LiveFailures
from selo.cli.output.progress import show_progress
from selo.cli.output.terminal import can_redraw
from selo.examine.conclusion.phases import CASES, DRAWS, FREE_ROUNDS, ROUNDS
from selo.examine.plan import Plan
from selo.parallel import BackgroundWork
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from selo.cli.output.progress import Total
    from selo.examine.exchange import VendorRestart
    from selo.examine.run import Examination
    from selo.law import Law

#: Bar, count and rate need the rest of the line.
_MAX_NAME_LENGTH: Final = 32
#: The phases that several workers do.
_SPREAD_PHASES: Final = frozenset({CASES, ROUNDS, FREE_ROUNDS, DRAWS})
#: Cases are counted in a second process even on a single core.
_PROCESSES: Final = 2


class ProgressWatch:
    """A bar for each phase, with rate and remaining time, and a line for each kind of failure."""

    def __init__(
        self, examination: Examination, law: Law, out: Console | None, language: str
    ) -> None:
        self._name = escape_unseen(examination.header.description.product.name, _MAX_NAME_LENGTH)
        self._examination, self._law, self._language = examination, law, language
        self._failures = LiveFailures(examination, law, out, language)
        self._phase = contextlib.ExitStack()
        self._case_count: BackgroundWork[int] | None = None
        self._advance: Callable[[int], None] = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._phase.close()
        if self._case_count is not None:
            self._case_count.end()

    def phase_begins(self, phase: str) -> None:
        """Begin the bar of a phase."""
        self._phase.close()
        title = say(f"examine.phase.{phase}", self._language)
        total: Total = None
        if phase == CASES and can_redraw(sys.stderr):
            plan = Plan(self._law, self._examination.header.terms)
            self._case_count = BackgroundWork(plan.size, cores=_PROCESSES)
            total = self._case_count.poll
        elif phase == DRAWS:
            total = self._examination.count_planned_outcomes()
        elif phase == FREE_ROUNDS:
            total = self._examination.count_planned_tables()

        def words() -> str:
            workers = self._examination.count_workers()
            shown = title
            if workers > 1 and phase in _SPREAD_PHASES:
                shown = say("cluster.workers", self._language, phase=title, count=workers)
            return f"{self._name}: {shown}"

        self._advance = self._phase.enter_context(show_progress(words, total))
        if phase == CASES:
            self._advance(self._examination.analysis.cases)

    def progressed(self, many: int) -> None:
        """Advance the bar, and print new failures."""
        self._advance(many)
        self._failures.print_new()

    def vendor_restarted(self, got: VendorRestart) -> None:
        """Print that the vendor was started again."""
        self._failures.print_restart(got)


def print_phases(out: Console, phases: Mapping[str, Any], language: str) -> None:
    """Print the duration of each phase."""
    durations = [
        f"{say(f'examine.phase.{name}', language)} {seconds:.1f} s"
        for name, seconds in phases.items()
    ]
    out.print(" · ".join(durations), style="dim", soft_wrap=True)
