"""Worker processes of this machine: put a plan to the vendor, in the order of the plan.

Each worker has a process of the vendor and takes every nth chunk of cases, then every nth game
whose rounds are played, then every nth stream. A vendor that breaks is restarted.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from selo.examine.exchange.work_site import WorkSite
from selo.examine.plan import Plan
from selo.parallel import END_OF_CHUNK, run_workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.exchange.outcome_streams import DrawnStream, DrawStream
    from selo.examine.exchange.vendor_endpoint import VendorEndpoint, VendorRestart
    from selo.examine.free_rounds import FreeRound
    from selo.examine.free_rounds.free_round_streams import FreeStream, PlayedStream
    from selo.examine.live_rounds import PlayedRound, RoundsLeftOut
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rounds import Script


class LocalWorkforce:
    """Workers in processes of this machine."""

    is_local = True

    def __init__(self, law: Law, terms: Terms, vendor: VendorEndpoint, *, processes: int) -> None:
        self._law, self._terms, self._vendor = law, terms, vendor
        self._processes = processes

    def count_workers(self) -> int:
        """Return how many workers there are."""
        return self._processes

    def _site(self, number: int, count: int) -> WorkSite:
        return WorkSite(self._law, self._terms, self._vendor, number=number, count=count)

    def answer_chunks(self, start: int = 0) -> Iterator[AnsweredChunk | VendorRestart]:
        """Yield every answered chunk from `start` on, in order, and every restart of a vendor."""

        def worker(number: int, count: int) -> Iterator[Any]:
            with self._site(number, count) as site:
                for chunk in Plan(self._law, self._terms).chunks(start + number, count):
                    yield from site.answer_chunk(chunk)
                    yield END_OF_CHUNK

        return run_workers(worker, self._processes)

    def play_planned_rounds(
        self, played: Mapping[str, int]
    ) -> Iterator[PlayedRound | RoundsLeftOut | VendorRestart]:
        """Yield every round in order, except the first `played` rounds of each game."""

        def worker(number: int, count: int) -> Iterator[Any]:
            with self._site(number, count) as site:
                for game in islice(self._terms.game_names, number, None, count):
                    yield from site.play_planned(game, played.get(game, 0))
                    yield END_OF_CHUNK

        return run_workers(worker, self._processes)

    def play_free_rounds(
        self, scripts_by_game: Mapping[str, list[Script]]
    ) -> Iterator[FreeRound | VendorRestart]:
        """Yield every free round in the order of the games, repeated with its outcomes forced.

        A worker plays all its free rounds before a process of the vendor is asked to force
        anything.
        """

        def worker(number: int, count: int) -> Iterator[Any]:
            own = list(islice(scripts_by_game.items(), number, None, count))
            with self._site(number, count) as site:
                played = {}
                for game, scripts in own:
                    played[game] = yield from site.play_freely(scripts)
                for game, _ in own:
                    yield from (yield from site.repeat_forced(game, played[game]))
                    yield END_OF_CHUNK

        return run_workers(worker, self._processes)

    def run_streams(
        self, streams: Sequence[DrawStream | FreeStream]
    ) -> Iterator[DrawnStream | PlayedStream | VendorRestart]:
        """Yield what is kept of every stream, in order, and every restart of a vendor."""

        def worker(number: int, count: int) -> Iterator[Any]:
            with self._site(number, count) as site:
                for stream in islice(streams, number, None, count):
                    yield from site.run_stream(stream)
                    yield END_OF_CHUNK

        return run_workers(worker, self._processes)
