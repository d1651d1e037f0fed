"""What one worker does, on this machine or another: chunks of cases, rounds, streams.

A worker has one process of the vendor at a time. Everything else that its work needs follows from
the law and the terms of the plan, and is made once, when it is first needed.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Self

from selo.cases.case_encoding import CaseEncoder
from selo.cases.oracle import Oracle
from selo.examine.exchange.chunk_exchange import ask_chunk
from selo.examine.exchange.vendor_endpoint import ATTEMPTS, VendorRestart, WorkerSession
from selo.examine.free_rounds import repeat_forced
from selo.examine.free_rounds.free_round_plan import plan_free_scripts
from selo.examine.live_rounds import RoundsLeftOut, plan_scripts, play_rounds
from selo.examine.plan.draw_plan import plan_samples
from selo.examine.vendor_description import DeclaredLimits
from selo.rounds import play_scripts as play_tables
from selo.rounds.judge import RoundJudge
from selo.rounds.table_player import FREE_GROUPS
from selo.rules.readings import Readings
from selo.vendors.faults import VendorBroken

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from selo.draws import Equipment
    from selo.examine.exchange.chunk_exchange import AnsweredChunk
    from selo.examine.exchange.outcome_streams import (
        DrawnStream,
        DrawStream,
        KeptDraw,
        KeptOutcomes,
    )
    from selo.examine.exchange.vendor_endpoint import VendorEndpoint
    from selo.examine.free_rounds import FreeRound
    from selo.examine.free_rounds.free_round_streams import FreeStream, PlayedStream
    from selo.examine.live_rounds import PlayedRound
    from selo.examine.plan import Chunk, Sample, Terms
    from selo.law import Law
    from selo.rounds import PlayedScript, Script
    from selo.vendors.session import Session

    Played = list[tuple[Script, PlayedScript]]

#: A worker changes the vendor's world before each of its first chunks, and then now and again.
_WORLDS_AT_FIRST: Final = 8
_CHUNKS_PER_WORLD: Final = 32
#: Streams that one process of the vendor draws.
_STREAMS_PER_PROCESS: Final = 8


class WorkSite:
    """One worker with its vendor."""

    def __init__(
        self, law: Law, terms: Terms, vendor: VendorEndpoint, *, number: int = 0, count: int = 1
    ) -> None:
        self.law, self.terms, self._vendor = law, terms, vendor
        self.session = WorkerSession(vendor, number, count)
        self._chunks = self._streams = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.session.__exit__(kind, *rest)

    @cached_property
    def _oracle(self) -> Oracle:
        return Oracle(self.law, self.terms.rulings)

    @cached_property
    def _writing(self) -> CaseEncoder:
        return CaseEncoder()

    @cached_property
    def _limits(self) -> DeclaredLimits:
        return DeclaredLimits(self.law, self.terms.games)

    @cached_property
    def _judge(self) -> RoundJudge:
        return RoundJudge(self.law, Readings(self.law, self.terms.rulings))

    @cached_property
    def _samples(self) -> list[tuple[Sample, Equipment]]:
        # Imported late: numpy and scipy take a while to load.
        from selo.examine.exchange.outcome_streams import (  # noqa: PLC0415
            equipment_of_sample,
        )

        readings = Readings(self.law, self.terms.rulings)
        return [
            (sample, equipment)
            for sample in plan_samples(self.law, self.terms)
            if (equipment := equipment_of_sample(self.law, sample, readings)) is not None
        ]

    def answer_chunk(self, chunk: Chunk) -> Iterator[AnsweredChunk | VendorRestart]:
        """Put a chunk of cases to the vendor; yield restarts, then the answered chunk."""
        if self._chunks < _WORLDS_AT_FIRST or self._chunks % _CHUNKS_PER_WORLD == 0:
            self.session.change_world()
        self._chunks += 1
        yield (
            yield from self.session.attempt(
                lambda session: ask_chunk(
                    session, self._oracle, chunk, self._writing, self._limits
                ),
                chunk.index,
            )
        )

    def play_planned(
        self, game: str, played: int
    ) -> Iterator[PlayedRound | RoundsLeftOut | VendorRestart]:
        """Play the rounds of a game except the first `played`; yield each, and restarts."""
        planned, left_out = plan_scripts(self.law, self.terms, self._vendor.described.games, game)
        yield RoundsLeftOut(left_out)
        yield from self.play_scripts(planned, played)

    def play_scripts(
        self, planned: list[Script], played: int
    ) -> Iterator[PlayedRound | VendorRestart]:
        """Play planned scripts except the first `played`; yield each, and restarts."""
        self.session.change_world()
        at = played
        for attempt in range(ATTEMPTS):
            try:
                if planned[at:]:
                    session = self.session.session()
                    for played_round in play_rounds(session, self._judge, planned[at:]):
                        yield played_round
                        at += 1
                break
            except VendorBroken as error:
                self.session.drop_broken(error, last=attempt == ATTEMPTS - 1)
                yield VendorRestart(error.fault, at)

    def play_freely(self, scripts: list[Script]) -> Generator[VendorRestart, None, Played]:
        """Return the played scripts; yield restarts."""
        played: Played = []
        for part in _halve_scripts(scripts):
            # Whatever a vendor goes by in its process is otherwise in the second half.
            if played:
                self.session.turn_world()
            else:
                self.session.change_world(always=len(scripts) > len(part))
            played += yield from self.session.attempt(
                lambda session, part=part: list(play_tables(session, part, groups=FREE_GROUPS))  # type: ignore[misc]
            )
        return played

    def repeat_forced(
        self, game: str, played: Sequence[tuple[Script, PlayedScript]]
    ) -> Generator[VendorRestart, None, list[FreeRound]]:
        """Return free rounds of a game, repeated with their outcomes forced; yield restarts."""
        self.session.change_world()
        offer = next(one for one in self._vendor.described.games if one.game == game)
        form = self._limits.form_of(game, "settle")
        rounds = yield from self.session.attempt(
            lambda session: list(
                repeat_forced(
                    session, self._judge, played,
                    forces=offer.forces, settles="settle" in offer.methods, form=form,
                )
            )
        )  # fmt: skip
        first = _count_first_half(len(played))
        return [one.by_process(int(at >= first)) for at, one in enumerate(rounds)]

    def play_stream(self, stream: FreeStream) -> Iterator[PlayedStream | VendorRestart]:
        """Play a stream of free rounds; yield restarts, then what is kept of it."""
        # Imported late: numpy takes a while to load.
        from selo.examine.free_rounds.free_round_streams import count_free_stream  # noqa: PLC0415

        offers = self._vendor.described.games
        scripts = plan_free_scripts(
            self.law, self.terms, offers, stream.game, look=stream.look, stream=stream.stream
        )
        # A process that was asked to force outcomes is not asked for free rounds.
        self.session.change_world(always=True)
        played = yield from self.play_freely(scripts)
        self.session.change_world(always=True)
        rounds = yield from self.repeat_forced(stream.game, played)
        yield count_free_stream(self.law, self.terms, offers, self._judge, stream, rounds)

    def draw(
        self, part: DrawStream | KeptDraw
    ) -> Iterator[DrawnStream | KeptOutcomes | VendorRestart]:
        """Draw a stream of outcomes; yield restarts, then what is kept of it."""
        # Imported late: numpy and scipy take a while to load.
        from selo.examine.exchange import outcome_streams as streams  # noqa: PLC0415

        sample, equipment = self._samples[part.sample]
        kept = isinstance(part, streams.KeptDraw)
        self.session.change_world(always=kept or self._streams % _STREAMS_PER_PROCESS == 0)
        self._streams += 1
        draw: Any = streams.draw_stream
        if kept:

            def turn(_: Session) -> Session:
                self.session.turn_world()
                return streams.play_before_draws(
                    self.law, self.terms, self._vendor, sample, self.session.session()
                )

            draw = partial(streams.draw_kept, turn=turn if self._vendor.worlds else None)
        drawn = yield from self.session.attempt(
            lambda session: draw(session, self.law, sample, equipment, part)
        )
        if drawn.fault is not None:
            # Answers may still be pending, so the session is not used again.
            self.session.forget()
        yield drawn

    def run_stream(self, stream: Any) -> Iterator[Any]:
        """Play or draw a stream; yield restarts, then what is kept of it."""
        from selo.examine.free_rounds.free_round_streams import FreeStream  # noqa: PLC0415

        if isinstance(stream, FreeStream):
            yield from self.play_stream(stream)
        else:
            yield from self.draw(stream)


def _halve_scripts(scripts: list[Script]) -> list[list[Script]]:
    """Return scripts in two parts."""
    middle = _count_first_half(len(scripts))
    return [part for part in (scripts[:middle], scripts[middle:]) if part]


def _count_first_half(scripts: int) -> int:
    """Return how many of this many scripts the first of two processes plays."""
    return -(-scripts // 2)
