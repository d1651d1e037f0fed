"""Tallies free rounds from their lines: breaches, differences from the same rounds, outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from selo.examine.free_rounds.free_round_lines import forced_version
from selo.examine.live_rounds import RoundTally, round_line
from selo.rounds.analysis.tape_comparison import (
    TapeDifference,
    VaryingEvents,
    compare_with_cases,
    compare_with_forced,
)
from selo.rounds.script import THROWS, Script
from selo.vendors.faults import FaultKind, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.examine.free_rounds.free_round_lines import FreeRound
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import PlayedScript
    from selo.rounds.judge import RoundJudge
    from selo.table_values import Options, Outcome
    from selo.vendors.faults import AdapterFault

#: Faults that are reported.
_MAX_FAULTS: Final = 20


class AdoptedReadings(Protocol):
    """Whatever says which readings of the law are adopted."""

    @property
    def rulings(self) -> dict[str, str]:
        """The reading adopted on each open point with a ruling."""


class DrawnTable(NamedTuple):
    """What a free table drew: its line, its options, its outcomes and the acts they came in."""

    n: int
    game: str
    options: Options
    outcomes: list[tuple[int, Outcome]]


@dataclass(kw_only=True)
class UnlikeTape:
    """A way in which a game differs when nobody forces its outcome, by the shortest script."""

    script: Script
    n: int
    difference: TapeDifference
    times: int = 1


@dataclass
class FreeRoundTally:
    """What free rounds show."""

    law: Law
    terms: AdoptedReadings
    offers: Sequence[Offer]
    unlike: dict[tuple[str, str], UnlikeTape] = field(default_factory=dict)
    #: Faults of adapters in rounds that were forced again, and in cases.
    faults: list[AdapterFault] = field(default_factory=list)
    #: A judge to reuse, if there is one.
    prepared_judge: RoundJudge | None = None

    @cached_property
    def rounds(self) -> RoundTally:
        """Breaches of the law at free tables, and at the same tables forced."""
        return RoundTally(
            self.law, self.terms, infers_readings=False, prepared_judge=self.prepared_judge
        )

    @property
    def has_faults(self) -> bool:
        """Whether something was declined or not answered."""
        return bool(self.faults or self.rounds.broken or self.rounds.declined)

    @property
    def all_faults(self) -> list[AdapterFault]:
        """The first reasons why something was declined or not answered."""
        return [*self.rounds.faults, *self.faults][:_MAX_FAULTS]

    def count_breaches(self) -> int:
        """Return how often a table broke the law, or did otherwise than with outcomes forced."""
        return sum(breach.times for breach in self.rounds.breaches()) + sum(
            unlike.times for unlike in self.unlike.values()
        )

    def _varying(self, game: str) -> VaryingEvents:
        """Return what varies by the law file, and what people and equipment do at this vendor."""
        file = self.rounds.judge.procedures(game).of({}).file
        staged = {event for offer in self.offers if offer.game == game for event in offer.happens}
        return VaryingEvents(
            fields=frozenset(field.id for field in file.fields if field.varies),
            events=frozenset(staged | {event.id for event in file.events if event.varies}),
        )

    def add(self, free_round: FreeRound) -> DrawnTable | None:
        """Add a free round, and return what the table drew if it was played to its end."""
        script, answer = free_round.params, free_round.answer
        self._judge(script, answer.free, free_round.n)
        judge = self.rounds.judge
        draws = judge.vendor_draws(script, answer.free)
        for difference in () if answer.free.declined else self._compare(free_round, draws):
            self._note_unlike(free_round, difference)
        if not answer.free.is_complete:
            return None
        outcomes = list(_single_outcomes(draws))
        return DrawnTable(free_round.n, script.game, script.options, outcomes)

    def _note_unlike(self, free_round: FreeRound, difference: TapeDifference) -> None:
        script = free_round.params
        known = self.unlike.get((script.game, difference.part))
        if known is None:
            self.unlike[script.game, difference.part] = UnlikeTape(
                script=script, n=free_round.n, difference=difference
            )
            return
        known.times += 1
        if difference.act < known.difference.act:
            known.script, known.n, known.difference = script, free_round.n, difference

    def _judge(self, script: Script, played: PlayedScript, n: int) -> None:
        line = round_line(n, script, played, good=True)
        self.rounds.take(line, right=True, doubting=True)

    def _compare(
        self, free_round: FreeRound, draws: Sequence[tuple[int, Outcome | None]]
    ) -> Iterator[TapeDifference]:
        """Yield how a free round differs from the same one forced, and from its cases."""
        script, answer = free_round.params, free_round.answer
        judge = self.rounds.judge
        if answer.forced is not None:
            forced = forced_version(script, answer.free, judge)
            self._note_failures(script, answer.forced)
            known = {act for act, outcome in draws if outcome is not None}
            unknown = [act for act, _ in draws if act not in known]
            difference = compare_with_forced(
                answer.free,
                forced,
                answer.forced,
                unforced=min(unknown, default=None),
                varying=self._varying(script.game),
            )
            if difference is not None:
                yield difference
                # Where they differ the forced one is judged, too.
                self._judge(forced, answer.forced, free_round.n)
        if answer.cases:
            settled = judge.settled_cases(script, answer.free)
            self._note_case_faults(answer.cases)
            difference = compare_with_cases([(act, bets) for act, _, bets in settled], answer.cases)
            if difference is not None:
                yield difference

    def _note_failures(self, script: Script, forced: PlayedScript) -> None:
        if forced.declined:
            self.faults.append(
                make_fault(
                    FaultKind.DECLINED, game=script.game, round=script.name, problem=forced.declined
                )
            )
        self.faults += [fault for _, fault in forced.faults]

    def _note_case_faults(self, cases: Sequence[Mapping[str, Any]]) -> None:
        for answer in cases:
            if "fault" in answer:
                recorded = answer["fault"]
                self.faults.append(
                    make_fault(
                        FaultKind(recorded["kind"]), path=recorded["path"], problem=recorded["told"]
                    )
                )
            elif "error" in answer:
                self.faults.append(
                    make_fault(
                        FaultKind.ERROR_ANSWER,
                        method="settle",
                        code=answer["error"]["code"],
                        problem=answer["error"]["message"],
                    )
                )


def _single_outcomes(
    draws: Sequence[tuple[int, Outcome | None]],
) -> Iterator[tuple[int, Outcome]]:
    """Yield the outcomes that a table drew, each throw by itself."""
    for act, outcome in draws:
        if outcome is None:
            continue
        throws = outcome.get(THROWS)
        each: list[Any] = [outcome] if throws is None else [{THROWS: [throw]} for throw in throws]
        yield from ((act, single) for single in each)
