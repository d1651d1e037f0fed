"""The parts of a cluster: its scheduler, and the workers of a machine.

No part has a dashboard, and what Dask serves over HTTP beside it listens on loopback alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from typing import TYPE_CHECKING, Any, Final

from selo.examine.cluster.cluster_keys import TLS, check_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Security

#: How often a chunk may lose its worker before the vendor is held to be the reason.
ALLOWED_FAILURES: Final = 3
_NO_DASHBOARD: Final = "127.0.0.1:0"
_QUIET: Final = logging.ERROR


def quiet_logs() -> None:
    """Let the parts of Dask say nothing but errors."""
    logging.getLogger("distributed").setLevel(_QUIET)


def worker_options() -> dict[str, Any]:
    """Return how every worker is started: one chunk at a time, without a limit on its memory.

    The memory of its vendor is limited by the sandbox.
    """
    return {
        "nthreads": 1,
        "memory_limit": 0,
        "dashboard": False,
        "dashboard_address": _NO_DASHBOARD,
        "silence_logs": _QUIET,
        # Kept in memory of the worker; nothing is spilled to its folder.
        "env": {"DASK_LOGGING__DISTRIBUTED": "error"},
    }


def start_scheduler(
    security: Security, *, host: str, port: int, started: Callable[[str], None]
) -> None:
    """Run a scheduler until it is interrupted; `started` learns its address."""
    from distributed import Scheduler  # noqa: PLC0415 - only where there is a cluster

    quiet_logs()

    async def run() -> None:
        ended = _end_on_signals()
        async with Scheduler(
            host=host, port=port, protocol=f"{TLS}://", security=security, dashboard=False,
            dashboard_address=_NO_DASHBOARD, allowed_failures=ALLOWED_FAILURES,
        ) as scheduler:  # fmt: skip
            started(scheduler.address)
            await ended.wait()

    try:
        asyncio.run(run())
    except RuntimeError as error:
        # The library wraps what the system said of the address.
        if isinstance(error.__cause__, OSError):
            raise error.__cause__ from error
        raise


def join_cluster(
    address: str, security: Security, *, host: str, workers: int, started: Callable[[int], None]
) -> None:
    """Run workers for a scheduler until interrupted; one that dies is started again."""
    from distributed import Nanny  # noqa: PLC0415 - only where there is a cluster

    check_address(address, has_keys=True)
    quiet_logs()

    async def run() -> None:
        ended = _end_on_signals()
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(workers):
                nanny = Nanny(address, host=host, security=security, **worker_options())
                await stack.enter_async_context(nanny)
            started(workers)
            await ended.wait()

    asyncio.run(run())


def _end_on_signals() -> asyncio.Event:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    return ended
