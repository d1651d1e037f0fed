"""Worker processes: one piece of work in the background, or many chunks side by side in order.

A background result comes back as it is. Whatever hinders it (no second core, a result that cannot
be pickled, an error, the death of the process) only costs time: the work is then done here.
Of chunks, worker k of n does every nth, so nobody hands out work; what a worker has finished waits
in its pipe, and memory does not grow with the amount of work.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import signal
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    #: Does every nth piece from the kth on; a piece ends with TURN.
    Worker = Callable[[int, int], Iterator[Any]]

_SET_PARENT_DEATH_SIGNAL: Final = 1
_ORPHANED: Final = 1
T = TypeVar("T")
_DONE: Final = "done"
#: The core on which we are.
_HERE: Final = 1
#: So many objects more than were let go again make it worth looking for garbage.
_SELDOM: Final = 200_000


#: What a worker yields after each piece: the next piece is another's.
TURN: Final = None


def die_with(parent: int) -> None:
    """Let the system kill this process when its parent dies; end at once if it has died already.

    Its vendor ends with it: the keeper sees that nobody is left.
    """
    with contextlib.suppress(AttributeError, OSError):  # a system that has no such call
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(_ORPHANED)


class Meanwhile(Generic[T]):
    """A piece of work that was begun; ask for its result when there is nothing else to do."""

    def __init__(self, work: Callable[[], T], *, cores: int | None = None) -> None:
        self._work = work
        self._pipe: Connection | None = None
        self._process: Any = None
        self._received: tuple[str, T] | None = None
        if (cores or os.cpu_count() or 1) <= _HERE:
            return
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        self._pipe = ours
        self._process = context.Process(target=_run_background, args=(os.getpid(), theirs, work))
        self._process.start()
        theirs.close()

    def result(self) -> T:
        """Return what the work came to, or raise what it raises."""
        if self._received is None and self._pipe is not None:
            self._receive()
        self.end()
        return self._work() if self._received is None else self._received[1]

    def poll(self) -> T | None:
        """Return the result if it has arrived; never wait for it, and never do the work here."""
        if self._pipe is not None and self._pipe.poll():
            self._receive()
            self.end()
        return None if self._received is None else self._received[1]

    def _receive(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            self._received = self._pipe.recv() if self._pipe else None

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


def _run_background(parent: int, pipe: Connection, work: Callable[[], Any]) -> None:
    die_with(parent)
    # Only the parent answers to a person at the terminal, and says what went wrong.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    with contextlib.suppress(Exception):
        pipe.send((_DONE, work()))
    pipe.close()


def in_turn(worker: Worker, processes: int) -> Iterator[Any]:
    """Yield what the workers make, piece by piece in order."""
    if processes == 1:
        with seldom_collected():
            yield from (got for got in worker(0, 1) if got is not TURN)
        return
    context = multiprocessing.get_context("fork")
    pipes: list[Connection] = []
    workers = []
    try:
        for number in range(processes):
            ours, theirs = context.Pipe(duplex=False)
            worker_process = context.Process(
                target=_run_worker,
                args=(os.getpid(), theirs, worker, number, processes),
                daemon=True,
            )
            worker_process.start()
            theirs.close()
            pipes.append(ours)
            workers.append(worker_process)
        yield from _merged(pipes)
    finally:
        for one in workers:
            # Its vendor ends with it: the keeper sees that nobody is left.
            one.kill()
            one.join()
        for pipe in pipes:
            pipe.close()


def _merged(pipes: list[Connection]) -> Iterator[Any]:
    """Take one piece from each pipe in turn, which is their order."""
    turn = 0
    while True:
        try:
            got = pipes[turn].recv()
        except EOFError:
            # Whoever has no piece for its turn has come to the end, and so have all; how the
            # others left their vendors is still to be heard.
            for pipe in pipes:
                with contextlib.suppress(EOFError):
                    _raise(pipe.recv())
            return
        _raise(got)
        if got is TURN:
            turn = (turn + 1) % len(pipes)
        else:
            yield got


class _Raised:
    """An error of a worker, to be raised where its work is awaited."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _raise(got: object) -> None:
    """Raise what a worker could not get over."""
    if isinstance(got, _Raised):
        raise got.error


def _run_worker(parent: int, pipe: Connection, worker: Worker, number: int, processes: int) -> None:
    die_with(parent)
    # Only the parent answers to a person at the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with seldom_collected():
            for got in worker(number, processes):
                pipe.send(got)
    except Exception as error:  # noqa: BLE001 - the parent must learn of whatever it is
        pipe.send(_Raised(error))
    pipe.close()
