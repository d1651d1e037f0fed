"""Worker processes: one piece of work in the background, or many chunks side by side in order.

If background work fails for any reason (no second core, a result that cannot be pickled, an error,
the death of the process), the work is done in this process instead. Of chunks, worker k of n does
every nth, so no dispatcher is needed; finished results wait in its pipe, which bounds memory.
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

    #: Does every nth chunk from the kth on; a chunk ends with END_OF_CHUNK.
    ChunkWorker = Callable[[int, int], Iterator[Any]]

_SET_PARENT_DEATH_SIGNAL: Final = 1
_ORPHANED: Final = 1
T = TypeVar("T")
_DONE: Final = "done"
#: With one core, background work gains nothing.
_SINGLE_CORE: Final = 1
#: Generation-0 threshold of garbage collection during bulk case generation.
_GC_THRESHOLD: Final = 200_000


#: What a worker yields after each chunk.
END_OF_CHUNK: Final = None


def die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; exit if it is already dead.

    Its vendor ends with it, because the supervisor notices.
    """
    with contextlib.suppress(AttributeError, OSError):  # a system without prctl
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(_ORPHANED)


class BackgroundWork(Generic[T]):
    """Work running in a background process, with a result to be collected later."""

    def __init__(self, work: Callable[[], T], *, cores: int | None = None) -> None:
        self._work = work
        self._pipe: Connection | None = None
        self._process: Any = None
        self._received: tuple[str, T] | None = None
        if (cores or os.cpu_count() or 1) <= _SINGLE_CORE:
            return
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        self._pipe = ours
        self._process = context.Process(target=_run_background, args=(os.getpid(), theirs, work))
        self._process.start()
        theirs.close()

    def result(self) -> T:
        """Return the result of the work, or raise its error."""
        if self._received is None and self._pipe is not None:
            self._receive()
        self.end()
        return self._work() if self._received is None else self._received[1]

    def poll(self) -> T | None:
        """Return the result if it has arrived, without waiting or doing the work here."""
        if self._pipe is not None and self._pipe.poll():
            self._receive()
            self.end()
        return None if self._received is None else self._received[1]

    def _receive(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            self._received = self._pipe.recv() if self._pipe else None

    def end(self) -> None:
        """End the background process, finished or not."""
        if self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe = None


@contextlib.contextmanager
def background_work(
    work: Callable[[], T], *, cores: int | None = None
) -> Iterator[BackgroundWork[T]]:
    """Start work in a background process, which ends with the block."""
    background = BackgroundWork(work, cores=cores)
    try:
        yield background
    finally:
        background.end()


@contextlib.contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Disable garbage collection: all objects of the block live until its end."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextlib.contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Collect garbage rarely, and never among existing objects.

    Cases are created by the thousand and have hardly any reference cycles; frequent collection
    takes longer than creating them.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _run_background(parent: int, pipe: Connection, work: Callable[[], Any]) -> None:
    die_with(parent)
    # Only the parent handles Ctrl-C and reports it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    with contextlib.suppress(Exception):
        pipe.send((_DONE, work()))
    pipe.close()


def run_workers(worker: ChunkWorker, processes: int) -> Iterator[Any]:
    """Yield the results of all workers, chunk by chunk in order."""
    if processes == 1:
        with rare_garbage_collection():
            yield from (item for item in worker(0, 1) if item is not END_OF_CHUNK)
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
        yield from _merge_in_order(pipes)
    finally:
        for process in workers:
            # Its vendor ends with it, because the supervisor notices.
            process.kill()
            process.join()
        for pipe in pipes:
            pipe.close()


def _merge_in_order(pipes: list[Connection]) -> Iterator[Any]:
    """Take one chunk from each pipe in turn, which is their order."""
    turn = 0
    while True:
        try:
            item = pipes[turn].recv()
        except EOFError:
            # A worker without a chunk for its turn is finished, and so are all; errors of the
            # others when closing their vendors may still follow.
            for pipe in pipes:
                with contextlib.suppress(EOFError):
                    _reraise(pipe.recv())
            return
        _reraise(item)
        if item is END_OF_CHUNK:
            turn = (turn + 1) % len(pipes)
        else:
            yield item


class _WorkerError:
    """An error of a worker, to be raised in the parent."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _reraise(message: object) -> None:
    """Raise the error of a worker, if `message` is one."""
    if isinstance(message, _WorkerError):
        raise message.error


def _run_worker(
    parent: int, pipe: Connection, worker: ChunkWorker, number: int, processes: int
) -> None:
    die_with(parent)
    # Only the parent handles Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with rare_garbage_collection():
            for item in worker(number, processes):
                pipe.send(item)
    except Exception as error:  # noqa: BLE001 - the parent must learn of whatever it is
        pipe.send(_WorkerError(error))
    pipe.close()
