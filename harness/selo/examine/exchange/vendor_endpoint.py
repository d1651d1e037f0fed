"""Where a vendor is reached: its address, limits and room, and a worker's sessions with it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import msgspec

from selo.errors import SeloError
from selo.examine.vendor_description import description_change, hash_declared_files
from selo.protocol.messages import Description
from selo.vendors.faults import AdapterFault, FaultKind, VendorBroken, vendor_broken
from selo.vendors.sandbox import Room
from selo.vendors.sandbox.plausible_world import opposite_world, world_at
from selo.vendors.vendor_address import connect, list_visible_files

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

    from selo.vendors.resource_limits import Limits
    from selo.vendors.sandbox import VisibleFiles
    from selo.vendors.sandbox.plausible_world import World
    from selo.vendors.session import Session

T = TypeVar("T")
#: Attempts at a chunk, each after the first with a new process of the vendor.
ATTEMPTS: Final = 3


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

    def __getstate__(self) -> dict[str, Any]:
        described = None if self._described is None else msgspec.json.encode(self._described)
        return {**self.__dict__, "_described": described}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A default is left out of a struct's JSON only if it is the same object, which a copy by
        # pickle is not.
        told = state["_described"]
        described = None if told is None else msgspec.json.decode(told, type=Description)
        self.__dict__.update(state, _described=described)

    @property
    def described(self) -> Description:
        """The description that it must keep."""
        if self._described is None:
            msg = f"{self.address} was not described yet"
            raise LookupError(msg)
        return self._described

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
        number = self._sessions if number is None else number
        if world is None and self.worlds is not None:
            world = world_at(self.worlds, number)
        session = connect(self.address, self.limits, self.folder, room=self.room, world=world)
        session.world = number
        if world is not None:
            time.sleep(world.idle)
        if world is None or world.described_first:
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


class WorkerSession:
    """The session of a worker, opened on first use."""

    def __init__(self, vendor: VendorEndpoint, number: int, count: int) -> None:
        self._vendor = vendor
        self._session: Session | None = None
        #: The worlds of the nth of this many workers are every so-manyth.
        self._world, self._step = number, count
        #: The number of the world it is in, and of one that is to come before the next.
        self._here, self._wanted = number, -1

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
            if self._wanted < 0:
                self._here = self._world
                self._world += self._step
            else:
                self._here, self._wanted = self._wanted, -1
            self._session = self._vendor.session(self._here)
        return self._session

    def turn_world(self) -> None:
        """Let the vendor go on in another process, in the world that lies opposite."""
        self.change_world(always=True)
        self._wanted = opposite_world(self._here)

    def change_world(self, *, always: bool = False) -> None:
        """Let the vendor go on in another process and world, where the worlds of a run vary."""
        if self._session is not None and (always or self._vendor.worlds is not None):
            ended, self._session = self._session, None
            try:
                self._vendor.leave(ended)
            finally:
                ended.kill()

    def forget(self) -> None:
        """End a session in which answers may be pending."""
        if self._session is not None:
            self._session.kill()
            self._session = None

    def drop_broken(self, error: VendorBroken, *, last: bool) -> None:
        """Forget a broken session; raise after the last attempt."""
        self._session = None
        if last:
            raise error

    def attempt(
        self, work: Callable[[Session], T], chunk: int = 0
    ) -> Generator[VendorRestart, None, T]:
        """Return what work with a session gives, after a few attempts; yield each restart."""
        number = 1
        while True:
            try:
                return work(self.session())
            except VendorBroken as error:
                self.drop_broken(error, last=number == ATTEMPTS)
                yield VendorRestart(error.fault, chunk)
            number += 1
