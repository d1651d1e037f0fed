"""Workers of a cluster put to work for one run: the same chunks, rounds and streams, in order."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.examine.cluster.cluster_tasks import ChunkTask, FreeRoundTask, RoundTask
from selo.examine.live_rounds import RoundsLeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.cluster.cluster_tasks import WorkDone, WorkOrder
    from selo.examine.exchange import VendorRestart
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.exchange.product_watch import ProductWatch
    from selo.examine.free_rounds import FreeRound
    from selo.examine.live_rounds import PlayedRound
    from selo.rounds import Script

#: Chunks of cases of a task: about a second of work.
_CHUNKS_PER_TASK: Final = 16


class TaskRunner(Protocol):
    """Whoever hands out tasks to workers."""

    def count_workers(self) -> int:
        """Return how many workers there are now."""

    def run_in_order(self, order: WorkOrder, tasks: Iterator[Any]) -> Iterator[WorkDone]:
        """Yield what comes of each task, in their order."""


class ClusterWorkforce:
    """The workers of a cluster, for one run."""

    is_local = False

    def __init__(
        self, cluster: TaskRunner, order: WorkOrder, watch: ProductWatch | None = None
    ) -> None:
        self._cluster, self._order = cluster, order
        #: Who is told of the files that vendors open on other machines.
        self._watch = watch

    def count_workers(self) -> int:
        """Return how many workers there are now."""
        return self._cluster.count_workers()

    def _run(self, tasks: Iterator[Any]) -> Iterator[Any]:
        for done in self._cluster.run_in_order(self._order, tasks):
            if self._watch is not None:
                self._watch.opened |= set(map(Path, done.opened))
                self._watch.is_complete &= done.is_watch_complete
            yield from done.items
            if done.is_last:
                return

    def answer_chunks(self, start: int = 0) -> Iterator[AnsweredChunk | VendorRestart]:
        """Yield every answered chunk from `start` on, in order, and every restart of a vendor."""
        size = _CHUNKS_PER_TASK
        return self._run(ChunkTask(start=first, count=size) for first in count(start, size))

    def play_planned_rounds(
        self, played: Mapping[str, int]
    ) -> Iterator[PlayedRound | RoundsLeftOut | VendorRestart]:
        """Yield every round in order, except the first `played` rounds of each game."""
        rounds = self._order.rounds
        yield from (RoundsLeftOut(left_out) for _, left_out in rounds.values())
        yield from self._run(
            RoundTask(scripts=scripts, played=played.get(game, 0))
            for game, (scripts, _) in rounds.items()
        )

    def play_free_rounds(
        self, scripts_by_game: Mapping[str, list[Script]]
    ) -> Iterator[FreeRound | VendorRestart]:
        """Yield every free round in the order of the games, repeated with its outcomes forced."""
        return self._run(
            FreeRoundTask(game=game, scripts=scripts) for game, scripts in scripts_by_game.items()
        )

    def run_streams(self, streams: Sequence[Any]) -> Iterator[Any]:
        """Yield what is kept of every stream, in order, and every restart of a vendor."""
        return self._run(iter(streams))
