"""Work that several processes do side by side, and that comes back in its order.

Worker k of n does every nth piece, so that nobody has to hand out work. What a worker has finished
waits in its pipe: memory does not grow with the amount of work.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from typing import TYPE_CHECKING, Any, Final

from selo.parallel import seldom_collected
from selo.vendors.parent_death import die_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    #: Does every nth piece from the kth on; a piece ends with TURN.
    Worker = Callable[[int, int], Iterator[Any]]

#: What a worker yields after each piece: the next piece is another's.
TURN: Final = None


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
            one = context.Process(
                target=_run, args=(os.getpid(), theirs, worker, number, processes), daemon=True
            )
            one.start()
            theirs.close()
            pipes.append(ours)
            workers.append(one)
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


def _run(parent: int, pipe: Connection, worker: Worker, number: int, processes: int) -> None:
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
