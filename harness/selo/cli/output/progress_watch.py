"""Looks on while an examination runs: what is being done, how fast, and what is wrong so far."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cli.output.live_failures import LiveFailures
from selo.cli.output.progress import show_progress
from selo.cli.output.terminal import can_redraw
from selo.examine.outcome import CASES
from selo.examine.plan import Plan
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection

    from rich.console import Console

    from selo.examine.exchange import VendorRestart
    from selo.examine.run import Examination
    from selo.law.loader import Law


#: A name may be long, and bar, count and rate need the rest of the line.
_NAME: Final = 32


class ProgressWatch:
    """A bar for each phase, with rate and remaining time, and a line for each kind of failure."""

    def __init__(
        self, examination: Examination, law: Law, out: Console | None, language: str
    ) -> None:
        self._name = escape_unseen(examination.header.description.product.name, _NAME)
        self._examination, self._law, self._language = examination, law, language
        self._failures = LiveFailures(examination.analysis, out, language)
        self._phase = contextlib.ExitStack()
        self._size: _Size | None = None
        self._told: Callable[[int], None] = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._phase.close()
        if self._size is not None:
            self._size.close()

    def phase_begins(self, phase: str) -> None:
        """Begin the bar of a phase."""
        self._phase.close()
        said = say(f"examine.phase.{phase}", self._language)
        total = None
        if phase == CASES and can_redraw(sys.stderr):
            self._size = _Size(self._law, self._examination)
            total = self._size.known
        self._told = self._phase.enter_context(show_progress(f"{self._name}: {said}", total))
        if phase == CASES:
            self._told(self._examination.analysis.cases)

    def progressed(self, many: int) -> None:
        """Go on with the bar, and say what is newly wrong."""
        self._told(many)
        self._failures.show()

    def vendor_restarted(self, got: VendorRestart) -> None:
        """Say that the vendor was started again."""
        self._failures.restarted(got)


class _Size:
    """Counts the cases of a plan in a process of its own, which nobody has to wait for."""

    def __init__(self, law: Law, examination: Examination) -> None:
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe(duplex=False)
        plan = Plan(law, examination.header.terms)
        self._process = context.Process(target=_count, args=(theirs, plan), daemon=True)
        self._process.start()
        theirs.close()
        self._found: int | None = None

    def known(self) -> int | None:
        """Return how many cases there are, if that is known by now."""
        if self._found is None and not self._pipe.closed and self._pipe.poll():
            with contextlib.suppress(EOFError):
                self._found = self._pipe.recv()
            self._pipe.close()
        return self._found

    def close(self) -> None:
        """End the counting."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _count(pipe: Connection, plan: Plan) -> None:
    pipe.send(plan.size())


def print_phases(out: Console, phases: Mapping[str, Any], language: str) -> None:
    """Say how long each phase took."""
    told = [
        f"{say(f'examine.phase.{name}', language)} {seconds:.1f} s"
        for name, seconds in phases.items()
    ]
    out.print(" · ".join(told), style="dim", soft_wrap=True)
