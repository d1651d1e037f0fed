"""Works a plan off, with as many processes of the vendor as it allows, in the order of the plan.

Each worker is a process of ours with a vendor's process of its own, and takes every nth chunk of
cases, then every nth game whose rounds are played. A vendor that breaks is started again.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cases import Writing
from selo.cases.oracle import Oracle
from selo.errors import SeloError
from selo.examine.description.describe_check import description_change
from selo.examine.exchange.chunk_questions import AnsweredChunk, ask_chunk
from selo.examine.live_rounds.round_lines import PlayedRound, RoundsLeftOut, play_rounds
from selo.examine.live_rounds.round_plan import scripts
from selo.examine.plan import Plan
from selo.parallel import TURN, in_turn
from selo.rounds.judge import RoundJudge
from selo.rules.readings import Readings
from selo.vendors.faults import AdapterFault, VendorBroken
from selo.vendors.vendor_address import connect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.protocol.messages import Description
    from selo.vendors.resource_limits import Limits
    from selo.vendors.session import Session

#: A chunk whose vendor broke is put to a new process of it so often.
_ATTEMPTS: Final = 3


class VendorRestart(SeloError):
    """A vendor broke, and a new process of it went on."""

    def __init__(self, fault: AdapterFault, chunk: int) -> None:
        super().__init__(fault.told())
        self.fault, self.chunk = fault, chunk

    def __reduce__(self) -> tuple[type[VendorRestart], tuple[AdapterFault, int]]:
        return VendorRestart, (self.fault, self.chunk)


class VendorEndpoint:
    """A vendor that can be reached again: where it is, within which limits, and who it was."""

    def __init__(
        self, address: str, limits: Limits, folder: Path, described: Description | None = None
    ) -> None:
        self.address, self.limits, self.folder = address, limits, folder
        self._described = described

    @property
    def here(self) -> bool:
        """Whether its files can be read: another machine may serve what is reached over HTTP."""
        return not self.address.startswith(("http://", "https://"))

    def session(self) -> Session:
        """Return a new session with the vendor, which must still be what it said it was."""
        session = connect(self.address, self.limits, self.folder)
        self._is_the_same(session)
        return session

    def leave(self, session: Session) -> None:
        """End a session in order with a vendor that has not become another on the way."""
        self._is_the_same(session)
        session.end()

    def _is_the_same(self, session: Session) -> None:
        if self._described is None:
            return
        difference = description_change(self._described, session.ask("describe", {}))
        if difference is not None:
            session.kill()
            raise VendorBroken(difference)


def answer_chunks(
    law: Law, terms: Terms, vendor: VendorEndpoint, *, processes: int, start: int = 0
) -> Iterator[AnsweredChunk | VendorRestart]:
    """Yield every chunk from `start` on, in order, and each time a vendor had to be restarted."""

    def worker(number: int, count: int) -> Iterator[Any]:
        oracle, writing = Oracle(law, terms.rulings), Writing()
        with _VendorSession(vendor) as held:
            for chunk in Plan(law, terms).chunks(start + number, count):
                for attempt in range(_ATTEMPTS):
                    try:
                        done = ask_chunk(held.session(), oracle, chunk, writing)
                        break
                    except VendorBroken as error:
                        held.lose(error, last=attempt == _ATTEMPTS - 1)
                        yield VendorRestart(error.fault, chunk.index)
                yield done
                yield TURN

    return in_turn(worker, processes)


def play_planned_rounds(  # noqa: PLR0913 - the same, and what was played already
    law: Law,
    terms: Terms,
    description: Description,
    vendor: VendorEndpoint,
    *,
    processes: int,
    played: Mapping[str, int],
) -> Iterator[PlayedRound | RoundsLeftOut | VendorRestart]:
    """Yield every round in order, without those that were played of each game."""

    def worker(number: int, count: int) -> Iterator[Any]:
        judge = RoundJudge(law, Readings(law, terms.rulings))
        with _VendorSession(vendor) as held:
            for game in islice(terms.named, number, None, count):
                planned, left_out = scripts(law, terms, description, game)
                yield RoundsLeftOut(left_out)
                at = played.get(game, 0)
                for attempt in range(_ATTEMPTS):
                    try:
                        if planned[at:]:
                            for played_round in play_rounds(held.session(), judge, planned[at:]):
                                yield played_round
                                at += 1
                        break
                    except VendorBroken as error:
                        held.lose(error, last=attempt == _ATTEMPTS - 1)
                        yield VendorRestart(error.fault, at)
                yield TURN

    return in_turn(worker, processes)


class _VendorSession:
    """A vendor that a worker keeps, started when it is first needed."""

    def __init__(self, vendor: VendorEndpoint) -> None:
        self._vendor = vendor
        self._session: Session | None = None

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
        self._session = self._session or self._vendor.session()
        return self._session

    def lose(self, error: VendorBroken, *, last: bool) -> None:
        """Let a broken vendor go; raise if it broke for the last time."""
        self._session = None
        if last:
            raise error
