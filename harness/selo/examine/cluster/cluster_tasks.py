"""What a worker of a cluster does: a chunk of the plan, the rounds of a game, or a stream.

A worker has its own installation and its own copy of the vendor. Before its first chunk it checks
that the edition of the law and the engine are those of the plan, that the declared files are the
same, and that its sandbox guarantees what the evidence says.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from selo.errors import SeloError, UsageError
from selo.examine.exchange.product_watch import ProductWatch
from selo.examine.exchange.work_site import WorkSite
from selo.examine.plan import Plan
from selo.law import load_law
from selo.parallel import rare_garbage_collection
from selo.rounds import Script
from selo.text import user_error
from selo.vendors.faults import VendorBroken
from selo.vendors.vendor_address import measure_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.examine.exchange import VendorEndpoint
    from selo.examine.plan import Chunk, Terms


@dataclass(frozen=True, kw_only=True)
class WorkOrder:
    """All that a worker has to know of a run."""

    #: What tells one run from another.
    name: str
    terms: Terms
    vendor: VendorEndpoint
    #: What the evidence says of the vendor's isolation.
    confinement: dict[str, bool]
    #: The live rounds of each game, and why some are left out. Hypothesis, which generates some of
    #: them, repeats itself only in a process in which no other thread draws random numbers.
    rounds: Mapping[str, tuple[list[Script], list[str]]]
    #: Whether the files of the product that the vendor opens are watched.
    is_watched: bool


class ChunkTask(msgspec.Struct, frozen=True, kw_only=True):
    """Some chunks of cases in a row."""

    start: int
    count: int


class RoundTask(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds of a game, except the first that were played."""

    scripts: list[Script]
    played: int


class FreeRoundTask(msgspec.Struct, frozen=True, kw_only=True):
    """Free rounds of a game that are kept as they were played."""

    game: str
    scripts: list[Script]


class WorkDone(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a task, or why the worker refused it."""

    items: list[Any] = []
    #: Whether the plan has no more chunks.
    is_last: bool = False
    #: Files of the product that the vendor opened so far, and whether all were reported.
    opened: list[str] = []
    is_watch_complete: bool = True
    #: Why a worker cannot work: problem, hint, and the same in other languages.
    refused: tuple[str, str, dict[str, str]] | None = None


class _Site:
    """A worker's place in a run: its vendor, and how far it has read the plan."""

    def __init__(self, order: WorkOrder) -> None:
        self.order = order
        law, vendor = load_law(), order.vendor
        self._plan = Plan(law, order.terms)
        _require_confinement(order)
        files = vendor.visible_files() if order.is_watched else None
        self._watch = None if files is None else ProductWatch(files, vendor.room).__enter__()
        if self._watch is not None:
            vendor.room = self._watch.room
        self.work = WorkSite(law, order.terms, vendor)
        self._chunks: Iterator[Chunk] = iter(())
        #: The first chunk that is wanted, and the next one that can be read without going back.
        self._wanted = self._next = 0

    def chunks(self, task: ChunkTask) -> Iterator[Chunk]:
        """Yield the chunks of a task; tasks mostly come in the order of the plan."""
        if task.start < self._next or not self._next:
            self._chunks = self._plan.wanted_chunks(lambda index: index >= self._wanted)
        self._wanted, self._next = task.start, task.start + task.count
        yield from islice(self._chunks, task.count)

    def perform(self, task: Any) -> WorkDone:
        """Do a task and return all that came of it."""
        is_last = False
        if isinstance(task, ChunkTask):
            chunks = 0
            items: list[Any] = []
            for chunk in self.chunks(task):
                items += self.work.answer_chunk(chunk)
                chunks += 1
            is_last = chunks < task.count
        elif isinstance(task, RoundTask):
            items = list(self.work.play_scripts(task.scripts, task.played))
        elif isinstance(task, FreeRoundTask):
            items = list(self._play_freely(task))
        else:
            items = list(self.work.run_stream(task))
        opened, is_complete = self._list_opened()
        return WorkDone(items=items, is_last=is_last, opened=opened, is_watch_complete=is_complete)

    def _list_opened(self) -> tuple[list[str], bool]:
        if self._watch is None:
            return [], not self.order.is_watched
        self._watch.collect()
        return sorted(map(str, self._watch.opened)), self._watch.is_complete

    def _play_freely(self, task: FreeRoundTask) -> Iterator[Any]:
        # A process that was asked to force outcomes is not asked for free rounds.
        self.work.session.change_world(always=True)
        played = yield from self.work.play_freely(task.scripts)
        self.work.session.change_world(always=True)
        yield from (yield from self.work.repeat_forced(task.game, played))

    def end(self) -> None:
        """End the vendor's process."""
        self.work.session.forget()
        if self._watch is not None:
            self._watch.__exit__()


def _require_confinement(order: WorkOrder) -> None:
    """Refuse a worker whose sandbox holds less than the evidence says."""
    claimed = [name for name, held in order.confinement.items() if held]
    if not claimed:
        return
    vendor = order.vendor
    measured = measure_address(vendor.address, vendor.folder, vendor.room)
    lost = [name for name in claimed if not measured.get(name, False)]
    if lost:
        raise user_error("isolation-lost", names=", ".join(lost))


class Workplace:
    """What a worker process keeps between tasks: its place in the run that it works for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._site: _Site | None = None

    def perform(self, order: WorkOrder, task: Any) -> WorkDone:
        """Do a task of a run; one at a time, whatever threads the worker has."""
        with self._lock, rare_garbage_collection():
            try:
                if self._site is None or self._site.order.name != order.name:
                    self._end()
                    self._site = _Site(order)
                return self._site.perform(task)
            except VendorBroken:
                self._end()
                raise
            except UsageError as error:
                return WorkDone(refused=(error.problem, error.hint, dict(error.others)))
            except SeloError as error:
                return WorkDone(refused=(str(error), "", {}))

    def end(self, name: str) -> None:
        """End the vendor's process of a run."""
        with self._lock:
            if self._site is not None and self._site.order.name == name:
                self._end()

    def _end(self) -> None:
        if self._site is not None:
            self._site.end()
            self._site = None


def perform_task(order: WorkOrder, task: Any) -> WorkDone:
    """Do a task on the worker that was asked."""
    from distributed import get_worker  # noqa: PLC0415 - only where there is a cluster

    return _workplace(get_worker()).perform(order, task)


def end_work(name: str, dask_worker: Any = None) -> None:
    """End the vendor of a run on a worker; Dask gives the worker."""
    if dask_worker is not None:
        _workplace(dask_worker).end(name)


def _workplace(worker: Any) -> Workplace:
    place: Workplace = worker.__dict__.setdefault("selo_workplace", Workplace())
    return place
