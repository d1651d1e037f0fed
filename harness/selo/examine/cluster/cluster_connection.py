"""The connection to a cluster: its tasks, in order, and what becomes of workers that are lost.

1. Tasks are handed out in the order of the plan, a few for each worker, and their results are
   taken in that order.
2. The scheduler gives the tasks of a lost worker to another one. Tasks have no effect outside of
   their worker, so doing one twice changes nothing.
3. A task that loses its worker again and again is that of a vendor that kills it: a fault of the
   vendor.
4. Without any worker for a while, the run ends and can be resumed.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

from selo.errors import UsageError
from selo.examine.cluster.cluster_keys import check_address, require_keys
from selo.examine.cluster.cluster_parts import ALLOWED_FAILURES, quiet_logs, worker_options
from selo.examine.cluster.cluster_tasks import end_work, perform_task
from selo.examine.cluster.cluster_workforce import ClusterWorkforce
from selo.text import user_error
from selo.vendors.faults import FaultKind, vendor_broken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from distributed import Client, Future

    from selo.examine.cluster.cluster_tasks import WorkDone, WorkOrder
    from selo.examine.exchange.product_watch import ProductWatch

#: How a cluster on this machine is asked for: local:N.
_LOCAL: Final = "local"
_CONNECT_SECONDS: Final = 30
#: How long a run waits for a first worker, or for another one when all are lost.
_PATIENCE_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 1.0
#: Tasks under way for each worker, and beside them.
_TASKS_PER_WORKER: Final = 2
_SPARE_TASKS: Final = 2


class Cluster:
    """Workers that a scheduler knows."""

    def __init__(self, client: Client, local: Any = None) -> None:
        self._client, self._local = client, local
        self._orders: set[str] = set()
        self._workers, self._counted_at = 0, -math.inf

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            for name in self._orders:
                self._client.run(end_work, name, on_error="ignore")
        self._client.close()
        if self._local is not None:
            self._local.close()

    def count_workers(self) -> int:
        """Return how many workers there are now, or were a moment ago."""
        if time.monotonic() - self._counted_at >= _POLL_SECONDS:
            self._workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
            self._counted_at = time.monotonic()
        return self._workers

    def workforce(self, order: WorkOrder, watch: ProductWatch | None = None) -> ClusterWorkforce:
        """Return these workers, put to work for one run; `watch` learns what vendors open."""
        self._orders.add(order.name)
        return ClusterWorkforce(self, order, watch)

    def run_in_order(self, order: WorkOrder, tasks: Iterator[Any]) -> Iterator[WorkDone]:
        """Yield what comes of each task, in their order; those left over are cancelled."""
        under_way: deque[Future[WorkDone]] = deque()
        self._await_worker()
        # Workers are sent the rounds that they play, and no others.
        sent = replace(order, rounds={})
        try:
            while True:
                most = _TASKS_PER_WORKER * self.count_workers() + _SPARE_TASKS
                for task in islice(tasks, max(0, most - len(under_way))):
                    under_way.append(self._client.submit(perform_task, sent, task, pure=False))
                if not under_way:
                    return
                yield self._result_of(under_way[0])
                under_way.popleft()
        finally:
            self._client.cancel(list(under_way))

    def _result_of(self, future: Future[WorkDone]) -> WorkDone:
        from distributed import KilledWorker  # noqa: PLC0415 - only where there is a cluster

        empty_since: float | None = None
        while True:
            try:
                done: WorkDone = future.result(timeout=_POLL_SECONDS)
            except TimeoutError:
                pass
            except KilledWorker as error:
                raise vendor_broken(FaultKind.KILLED_WORKER, times=ALLOWED_FAILURES + 1) from error
            else:
                break
            if future.cancelled() or self._client.status != "running":
                raise user_error("cluster-lost")
            if self.count_workers():
                empty_since = None
            elif empty_since is None:
                empty_since = time.monotonic()
            elif time.monotonic() - empty_since > _PATIENCE_SECONDS:
                raise user_error("cluster-empty")
        if done.refused is not None:
            problem, hint, others = done.refused
            raise UsageError(problem=problem, hint=hint, others=others)
        return done

    def _await_worker(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE_SECONDS)
        except TimeoutError as error:
            raise user_error("cluster-empty") from error


def open_cluster(address: str, keys: Path | None = None) -> Cluster:
    """Return the cluster at an address, or one of this machine; raise if there is none."""
    try:
        from distributed import Client  # noqa: PLC0415 - only where there is a cluster
    except ImportError as error:
        raise user_error("cluster-extra") from error
    quiet_logs()
    kind, _, count = address.partition(":")
    if kind == _LOCAL:
        return _open_local(address, count)
    check_address(address, has_keys=keys is not None)
    security = None if keys is None else require_keys(keys)
    try:
        client = Client(
            address, security=security, timeout=_CONNECT_SECONDS, set_as_default=False, name="selo"
        )
    except (OSError, TimeoutError, ValueError) as error:
        raise user_error("cluster-unreached", given=address, error=error) from error
    return Cluster(client)


def _open_local(address: str, count: str) -> Cluster:
    """Return a cluster of this many workers on this machine, which ends with the run."""
    from distributed import Client, LocalCluster, Security  # noqa: PLC0415 - as above

    if not count.isascii() or not count.isdigit() or not int(count):
        raise user_error("cluster-address", given=address)
    options = worker_options()
    del options["dashboard"]
    local = LocalCluster(
        n_workers=int(count), threads_per_worker=options.pop("nthreads"), processes=True,
        host="127.0.0.1", protocol="tls://", security=Security.temporary(),
        dashboard_address=options.pop("dashboard_address"), **options,
    )  # fmt: skip
    return Cluster(Client(local, security=local.security, set_as_default=False), local)
