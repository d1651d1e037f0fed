"""Worker processes: put the chunks and rounds of a plan to the vendor, in the order of the plan.

Each worker has a process of the vendor and takes every nth chunk of cases, then every nth game
whose rounds are played. A vendor that breaks is restarted.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.examine.exchange.chunk_exchange import AnsweredChunk, ask_chunk
from selo.examine.free_rounds import repeat_forced
from selo.examine.live_rounds import PlayedRound, RoundsLeftOut, plan_scripts, play_rounds
from selo.examine.plan import Plan
from selo.examine.vendor_description import (
    DeclaredLimits,
    description_change,
    hash_declared_files,
)
from selo.parallel import END_OF_CHUNK, run_workers
from selo.rounds import MAX_OPEN_TABLES, play_scripts
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, vendor_broken
from selo.vendors.sandbox import Room
from selo.vendors.sandbox.plausible_world import world_at
from selo.vendors.vendor_address import connect, list_visible_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.examine.free_rounds import FreeRound
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.rounds import PlayedScript, Script
    from selo.vendors.resource_limits import Limits
    from selo.vendors.sandbox import VisibleFiles
    from selo.vendors.sandbox.plausible_world import World
    from selo.vendors.session import Session


#: A worker changes the vendor's world before each of its first chunks, and then now and again.
_WORLDS_AT_FIRST: Final = 8
_CHUNKS_PER_WORLD: Final = 32
#: Attempts at a chunk, each after the first with a new process of the vendor.
_ATTEMPTS: Final = 3


class VendorRestart(SeloError):
    """A vendor broke and was restarted."""

    def __init__(self, fault: AdapterFault, chunk: int) -> None:
        super().__init__(fault.describe())
        self.fault, self.chunk = fault, chunk

    def __reduce__(self) -> tuple[type[VendorRestart], tuple[AdapterFault, int]]:
        return VendorRestart, (self.fault, self.chunk)


class VendorEndpoint:
    """Opens sessions with a vendor: its address, limits, room and the description it must keep."""

    def __init__(  # noqa: PLR0913 - all that a session needs
        self,
        address: str,
        limits: Limits,
        folder: Path,
        described: Description | None = None,
        *,
        room: Room | None = None,
        files: Mapping[str, str] | None = None,
        worlds: str | None = None,
    ) -> None:
        self.address, self.limits, self.folder = address, limits, folder
        self.room = room or Room()
        #: The SHA-256 of each declared file when the run began.
        self._files = files or {}
        #: The seed of the worlds in which its processes run; without one they are drawn anew.
        self.worlds = worlds
        self._sessions = 0
        self._described = described

    @property
    def is_local(self) -> bool:
        """Whether its files can be read here; an HTTP vendor may run on another machine."""
        return not self.address.startswith(("http://", "https://"))

    def visible_files(self) -> VisibleFiles | None:
        """Return what a process of the vendor sees of the host; none without a sandbox."""
        return list_visible_files(self.address, self.folder, self.room)

    def session(self, number: int | None = None, *, world: World | None = None) -> Session:
        """Return a new session with the vendor, whose description must not have changed.

        It runs in the given world, or in the one with this number, or in the next.
        """
        self._require_same_files()
        self._sessions += 1
        if world is None and self.worlds is not None:
            world = world_at(self.worlds, self._sessions if number is None else number)
        session = connect(self.address, self.limits, self.folder, room=self.room, world=world)
        self._require_same_description(session)
        return session

    def leave(self, session: Session) -> None:
        """End a session, if the vendor's description has not changed meanwhile."""
        self._require_same_description(session)
        session.end()

    def _require_same_files(self) -> None:
        if self._described is None or not self.is_local:
            return
        found = hash_declared_files(self._described, self.folder)
        for name, before in self._files.items():
            if found.get(name) != before:
                problem = f"it changed during the run: {before} before, {found.get(name)} now"
                raise vendor_broken(FaultKind.FILE_DIFFERS, file=name, problem=problem)

    def _require_same_description(self, session: Session) -> None:
        if self._described is None:
            return
        difference = description_change(self._described, session.ask("describe", {}))
        if difference is not None:
            session.kill()
            raise VendorBroken(difference)


def answer_chunks(
    law: Law, terms: Terms, vendor: VendorEndpoint, *, processes: int, start: int = 0
) -> Iterator[AnsweredChunk | VendorRestart]:
    """Yield every answered chunk from `start` on, in order, and every restart of a vendor."""

    def worker(number: int, count: int) -> Iterator[Any]:
        oracle, writing = Oracle(law, terms.rulings), CaseEncoder()
        limits = DeclaredLimits(law, terms.games)
        with _WorkerSession(vendor, number, count) as worker_session:
            for done_before, chunk in enumerate(Plan(law, terms).chunks(start + number, count)):
                if done_before < _WORLDS_AT_FIRST or done_before % _CHUNKS_PER_WORLD == 0:
                    worker_session.change_world()
                for attempt in range(_ATTEMPTS):
                    try:
                        done = ask_chunk(worker_session.session(), oracle, chunk, writing, limits)
                        break
                    except VendorBroken as error:
                        worker_session.drop_broken(error, last=attempt == _ATTEMPTS - 1)
                        yield VendorRestart(error.fault, chunk.index)
                yield done
                yield END_OF_CHUNK

    return run_workers(worker, processes)


def play_planned_rounds(  # noqa: PLR0913 - the same, and what was played already
    law: Law,
    terms: Terms,
    description: Description,
    vendor: VendorEndpoint,
    *,
    processes: int,
    played: Mapping[str, int],
) -> Iterator[PlayedRound | RoundsLeftOut | VendorRestart]:
    """Yield every round in order, except the first `played` rounds of each game."""

    def worker(number: int, count: int) -> Iterator[Any]:
        judge = RoundJudge(law, Readings(law, terms.rulings))
        with _WorkerSession(vendor, number, count) as worker_session:
            for game in islice(terms.game_names, number, None, count):
                worker_session.change_world()
                planned, left_out = plan_scripts(law, terms, description.games, game)
                yield RoundsLeftOut(left_out)
                at = played.get(game, 0)
                for attempt in range(_ATTEMPTS):
                    try:
                        if planned[at:]:
                            session = worker_session.session()
                            for played_round in play_rounds(session, judge, planned[at:]):
                                yield played_round
                                at += 1
                        break
                    except VendorBroken as error:
                        worker_session.drop_broken(error, last=attempt == _ATTEMPTS - 1)
                        yield VendorRestart(error.fault, at)
                yield END_OF_CHUNK

    return run_workers(worker, processes)


def play_free_rounds(  # noqa: PLR0913 - the same, and what is left to play
    law: Law,
    terms: Terms,
    description: Description,
    vendor: VendorEndpoint,
    scripts_by_game: Mapping[str, list[Script]],
    *,
    processes: int,
) -> Iterator[FreeRound | VendorRestart]:
    """Yield every free round in the order of the games, repeated with its outcomes forced.

    A worker plays all its free rounds before a process of the vendor is asked to force anything.
    """
    offers = {offer.game: offer for offer in description.games}

    def worker(number: int, count: int) -> Iterator[Any]:
        judge = RoundJudge(law, Readings(law, terms.rulings))
        limits = DeclaredLimits(law, terms.games)
        own = list(islice(scripts_by_game.items(), number, None, count))
        played: dict[str, list[tuple[Script, PlayedScript]]] = {game: [] for game, _ in own}
        process_of: dict[str, list[int]] = {game: [] for game, _ in own}
        with _WorkerSession(vendor, number, count) as worker_session:
            for game, scripts in own:
                for process, part in enumerate(_batches_in_halves(scripts)):
                    worker_session.change_world(always=len(scripts) > len(part))
                    for attempt in range(_ATTEMPTS):
                        try:
                            some = list(play_scripts(worker_session.session(), part))
                            break
                        except VendorBroken as error:
                            worker_session.drop_broken(error, last=attempt == _ATTEMPTS - 1)
                            yield VendorRestart(error.fault, 0)
                    played[game] += some
                    process_of[game] += [process] * len(some)
            for game, _ in own:
                worker_session.change_world()
                form, offer = limits.form_of(game, "settle"), offers[game]
                for attempt in range(_ATTEMPTS):
                    try:
                        rounds = list(
                            repeat_forced(
                                worker_session.session(), judge, played[game],
                                forces=offer.forces, settles="settle" in offer.methods, form=form,
                            )
                        )  # fmt: skip
                        break
                    except VendorBroken as error:
                        worker_session.drop_broken(error, last=attempt == _ATTEMPTS - 1)
                        yield VendorRestart(error.fault, 0)
                for free_round, process in zip(rounds, process_of[game], strict=True):
                    yield free_round.by_process(process)
                yield END_OF_CHUNK

    return run_workers(worker, processes)


def _batches_in_halves(scripts: list[Script]) -> list[list[Script]]:
    """Return scripts in two parts, cut between batches of tables that play side by side."""
    middle = -(-len(scripts) // (2 * MAX_OPEN_TABLES)) * MAX_OPEN_TABLES
    return [part for part in (scripts[:middle], scripts[middle:]) if part]


class _WorkerSession:
    """The session of a worker, opened on first use."""

    def __init__(self, vendor: VendorEndpoint, number: int, count: int) -> None:
        self._vendor = vendor
        self._session: Session | None = None
        #: The worlds of the nth of so many workers are every so-manyth.
        self._world, self._step = number, count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._session is not None:
            try:
                if kind is None:
                    self._vendor.leave(self._session)
            finally:
                self._session.kill()

    def session(self) -> Session:
        """Return the session with the vendor."""
        if self._session is None:
            self._session = self._vendor.session(self._world)
            self._world += self._step
        return self._session

    def change_world(self, *, always: bool = False) -> None:
        """Let the vendor go on in another process and world, where the worlds of a run vary."""
        if self._session is not None and (always or self._vendor.worlds is not None):
            ended, self._session = self._session, None
            try:
                self._vendor.leave(ended)
            finally:
                ended.kill()

    def drop_broken(self, error: VendorBroken, *, last: bool) -> None:
        """Forget a broken session; raise after the last attempt."""
        self._session = None
        if last:
            raise error
