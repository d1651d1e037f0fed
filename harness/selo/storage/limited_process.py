"""Runs work on untrusted input in a child process with limits on memory and time.

A library that unpacks what a file claims to hold cannot be bounded from within: the kernel ends the
child, and the parent learns that it was ended.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import resource
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from selo.errors import SeloError
from selo.parallel import die_with

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

T = TypeVar("T")

#: Memory beyond that of the parent.
MEMORY_BYTES: Final = 512 << 20
#: Time of the processor.
PROCESSOR_SECONDS: Final = 15
#: A child that waits instead of working uses no processor.
_CLOCK_SECONDS: Final = 120.0


class LimitExceeded(SeloError):
    """Untrusted input took more memory or time than it is given."""

    code = "tampered"


def run_limited(work: Callable[[], T]) -> T:
    """Return the result of `work`, done in a child process under limits; raise its error.

    `LimitExceeded` is raised if the child took too much memory or time, or died.
    """
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(os.getpid(), theirs, work), daemon=True)
    child.start()
    theirs.close()
    try:
        received: tuple[T | None, Exception | None] | None = None
        with contextlib.suppress(EOFError, OSError):
            received = ours.recv() if ours.poll(_CLOCK_SECONDS) else None
    finally:
        ours.close()
        child.kill()
        child.join()
    if received is None:
        raise LimitExceeded(
            f"takes more than {MEMORY_BYTES >> 20} MiB or {PROCESSOR_SECONDS} seconds to unpack"
        )
    result, error = received
    if error is not None:
        raise error
    return cast("T", result)


def _run(parent: int, pipe: Connection, work: Callable[[], Any]) -> None:
    die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    result, failure = None, None
    try:
        _set_limits()
        result = work()
    except MemoryError:
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - the parent must learn of whatever it is
        failure = error
    try:
        pipe.send((result, failure))
    except Exception:  # noqa: BLE001 - an error that cannot be pickled still has words
        pipe.send((None, RuntimeError(f"{type(failure).__name__}: {failure}")))
    pipe.close()
    # Without what others registered to be done at the end.
    os._exit(0)


def _set_limits() -> None:
    memory = MEMORY_BYTES
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        memory += pages * resource.getpagesize()
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (most, hard))
