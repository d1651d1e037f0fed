"""Work that another process does meanwhile, on a machine with more than one core.

What the other process finds comes back as it is. Whatever hinders it (no second core, a result that
cannot travel, an error, its end) only costs time: the work is then done here, and fails here.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from selo.vendors.parent_death import die_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

T = TypeVar("T")
_DONE: Final = "done"
#: The core on which we are.
_HERE: Final = 1
#: So many objects more than were let go again make it worth looking for garbage.
_SELDOM: Final = 200_000


class Meanwhile(Generic[T]):
    """A piece of work that was begun; ask for its result when there is nothing else to do."""

    def __init__(self, work: Callable[[], T], *, cores: int | None = None) -> None:
        self._work = work
        self._pipe: Connection | None = None
        self._process: Any = None
        if (cores or os.cpu_count() or 1) <= _HERE:
            return
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        self._pipe = ours
        self._process = context.Process(target=_run, args=(os.getpid(), theirs, work))
        self._process.start()
        theirs.close()

    def result(self) -> T:
        """Return what the work came to, or raise what it raises."""
        found: Any = None
        if self._pipe is not None:
            with contextlib.suppress(EOFError, OSError):
                found = self._pipe.recv()
        self.end()
        if isinstance(found, tuple) and found and found[0] == _DONE:
            done: T = found[1]
            return done
        return self._work()

    def end(self) -> None:
        """Let go of the other process, whether or not it is done."""
        if self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe = None


@contextlib.contextmanager
def meanwhile(work: Callable[[], T], *, cores: int | None = None) -> Iterator[Meanwhile[T]]:
    """Begin some work elsewhere; what is left of it ends with the block."""
    begun = Meanwhile(work, cores=cores)
    try:
        yield begun
    finally:
        begun.end()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage: what is made here lives until it is all thrown away together."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom, and never in what was there before.

    Cases come and go by the thousand, and hardly anything of them goes in circles: to look for
    that all the time takes longer than to make them.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _run(parent: int, pipe: Connection, work: Callable[[], Any]) -> None:
    die_with(parent)
    # Only the parent answers to a person at the terminal, and says what went wrong.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    with contextlib.suppress(Exception):
        pipe.send((_DONE, work()))
    pipe.close()
