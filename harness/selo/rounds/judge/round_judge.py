"""Judges a round that was played: its order, the answers to its acts, and its money."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from selo.cases.oracle import Oracle
from selo.rounds.judge.knock_on import KnockOnMarker
from selo.rounds.judge.round_difference import Manner, RoundDifference
from selo.rounds.judge.settlement_check import SettlementCheck
from selo.rounds.judge.table_log import ACCEPTED, ActEvents, TableLog, build_log
from selo.rounds.script import canonical_bytes
from selo.rules.checks.game_check import executable
from selo.rules.procedure.round_order import Answer, Cause, events_file, procedure_of
from selo.rules.procedure.step_reader import ANSWERED, constraints, executable_steps, step_games
from selo.rules.readings import Readings
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.cases import Case
    from selo.law.loader import Law
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.rules.procedure.round_order import Breach, Procedure
    from selo.rules.procedure.step_reader import Constraint


#: An open point, and one of its readings.
Point = tuple[str, str]


class Procedures:
    """The steps of one game under any readings, its clauses being read once."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._law, self._game, self._readings = law, game, readings
        self._constraints = constraints(law, game)
        self._file = events_file(law, game)
        self._declarable_options = {option.id for option in self._file.options}
        self._points = executable_steps(law, game)
        self._known: dict[bytes, Procedure] = {}
        self._touched: dict[str, list[str]] = {}

    def of(self, options: Mapping[str, Any], **other: str) -> Procedure:
        """Return the steps at a table with some options, with other readings on some points.

        The same steps are the same object: what was judged by them need not be judged again.
        """
        declared = {
            name: value for name, value in options.items() if name in self._declarable_options
        }
        followed = self._readings.of
        apart = {point: one for point, one in other.items() if one != followed(point)}
        key = canonical_bytes([declared, apart])
        if key not in self._known:
            readings = Readings(self._law, {**self._readings.rulings, **apart})
            self._known[key] = procedure_of(
                self._game, self._file, self._constraints, readings, declared
            )
        return self._known[key]

    def ruled(self, divergence: str) -> bool:
        """Return whether a reading was adopted on an open point."""
        return divergence in self._readings.rulings

    def open_points(self, provisions: Iterable[str]) -> dict[str, list[str]]:
        """Return the points that nobody has ruled on and that concern any of `provisions`."""
        wanted = set(provisions)
        return {
            divergence.id: self._points[divergence.id]
            for divergence in self._law.divergences
            if divergence.id in self._points
            and not self.ruled(divergence.id)
            and wanted & {*divergence.provisions}
        }

    def points(self) -> dict[str, list[str]]:
        """Return every open point on which a step depends, with its readings."""
        return self._points

    def followed_steps(self) -> list[Constraint]:
        """Return every step under the readings followed, whatever a table declares."""
        return [one for one in self._constraints if self._readings.allow(one.under)]

    def under_other_readings(
        self, options: Mapping[str, Any], step: Constraint, besides: tuple[Point, ...] = ()
    ) -> Iterator[tuple[Point, Procedure]]:
        """Yield each other reading on which `step` may hang, and the steps of the game then.

        `besides` are other readings that hold then as well.
        """
        given = dict(besides)
        for divergence in self._points_touching(step):
            for reading in self._points[divergence] if divergence not in given else ():
                if reading != self._readings.of(divergence):
                    both = {**given, divergence: reading}
                    yield (divergence, reading), self.of(options, **both)

    def _points_touching(self, step: Constraint) -> list[str]:
        """Return the open points of a step, of the names it uses, and of what answers its acts."""
        if step.key not in self._touched:
            names = set(step.mentioned)
            grown = 0
            while grown != len(names):
                grown = len(names)
                for one in self._constraints:
                    if one.called in names:
                        names |= one.mentioned
            found = {
                divergence
                for one in self._constraints
                if one.key == step.key
                or one.called in names
                or (one.kind in ANSWERED and step.kind in ANSWERED and one.events & names)
                or (one.kind == step.kind and one.provision == step.provision)
                for divergence in one.under
            }
            self._touched[step.key] = [name for name in self._points if name in found]
        return self._touched[step.key]


class RoundJudge:
    """The law under some readings, for rounds of any game; it remembers what it compiled."""

    def __init__(self, law: Law, readings: Readings | None = None) -> None:
        self._law = law
        self._readings = readings or Readings(law)
        self._oracle = Oracle(law, self._readings.rulings)
        self._procedures: dict[str, Procedures] = {}
        self._settlement_checks: dict[str, SettlementCheck] = {}

    def procedures(self, game: str) -> Procedures:
        """Return the steps of `game`."""
        if game not in self._procedures:
            if game not in step_games(self._law):
                raise user_error("steps", game=game, known=", ".join(step_games(self._law)))
            self._procedures[game] = Procedures(self._law, game, self._readings)
        return self._procedures[game]

    def log(self, script: Script, played: PlayedScript) -> TableLog:
        """Return the log of a script that was played."""
        return build_log(script, played, self.procedures(script.game).of(script.options).file)

    def judge(self, script: Script, played: PlayedScript) -> list[RoundDifference]:
        """Return everything that was not lawful at a table, in the order in which it came."""
        procedures = self.procedures(script.game)
        procedure = procedures.of(script.options)
        log = build_log(script, played, procedure.file)
        differences = [
            *_order_differences(procedures, script, procedure, log, complete=played.is_complete),
            *_unread_differences(procedure, log, script),
            *self._settlement_check_of(script.game).judge(script, played, procedure),
        ]
        differences.sort(key=lambda found: (found.act, found.event is None, found.event or 0))
        throwing = isinstance(self._oracle.game(script.game), ThrowingGame)
        marker = KnockOnMarker(procedure, script, throwing=throwing)
        return marker.mark(differences) if differences else []

    def settlement_of(
        self, script: Script, played: PlayedScript, ticket: str
    ) -> tuple[Case, Any, int] | None:
        """Return how a table settled one bet: the same as a case, the answers, and the place."""
        settled = self._settlement_check_of(script.game).settled_bets(script, played)
        return next((tuple(rest) for name, *rest in settled if name == ticket), None)  # type: ignore[return-value]

    def vendor_draws(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, dict[str, Any] | None]]:
        """Return the acts at which a vendor showed something of its own, and what that was."""
        return self._settlement_check_of(script.game).vendor_draws(script, played)

    def _settlement_check_of(self, game: str) -> SettlementCheck:
        if game not in self._settlement_checks:
            file = self.procedures(game).of({}).file
            self._settlement_checks[game] = SettlementCheck(self._law, game, self._oracle, file)
        return self._settlement_checks[game]

    def points(self, game: str) -> dict[str, list[str]]:
        """Return the readings of every open point of a game's steps and settlements."""
        return {**executable(self._law, game), **self.procedures(game).points()}

    def fitting_readings(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[str, dict[str, bool]]]:
        """Yield each open point whose readings part in a round, and which of them it fits.

        What breaks the law under every reading says nothing of any.
        """
        if not played.is_complete:
            return
        procedures = self.procedures(script.game)
        points = procedures.open_points(script.provisions)
        log = self.log(script, played) if points else None
        known: dict[int, set[tuple[Cause, int]]] = {}
        for point, readings in points.items():
            broken = {}
            for reading in readings:
                procedure = procedures.of(script.options, **{point: reading})
                if id(procedure) not in known and log is not None:
                    breaches = chain.from_iterable(procedure.judge_whole(log.events))
                    known[id(procedure)] = {(breach.cause, breach.index) for breach in breaches}
                broken[reading] = known[id(procedure)]
            anyway = set.intersection(*broken.values())
            fits = {reading: found == anyway for reading, found in broken.items()}
            if any(fits.values()) and not all(fits.values()):
                yield point, fits


def judge(
    law: Law, readings: Readings, script: Script, played: PlayedScript
) -> list[RoundDifference]:
    """Return everything that was not lawful at one table."""
    return RoundJudge(law, readings).judge(script, played)


def _order_differences(
    procedures: Procedures, script: Script, procedure: Procedure, log: TableLog, *, complete: bool
) -> Iterator[RoundDifference]:
    judged = _LogUnderReadings(log)
    breaches, missing = procedure.judge_whole(log.events)
    ruled = procedures.ruled
    #: Readings that the table seems to follow, by what came before.
    apart: dict[Point, None] = {}
    for breach in [*breaches, *(missing if complete else [])]:
        points: list[Point] = []
        for besides in [(), *((point,) for point in apart)] if breach.constraint else []:
            others = procedures.under_other_readings(script.options, breach.constraint, besides)  # type: ignore[arg-type]
            points = points or [
                point for point, other in others if judged.cures((*besides, point), other, breach)
            ]
        apart.update(dict.fromkeys(point for point in points if not ruled(point[0])))
        found = msgspec.structs.replace(
            _difference_of(log, breach),
            reasons=tuple(_reasons(procedure, log, breach)),
            readings=tuple(point for point in points if not ruled(point[0])),
            against=tuple(point for point in points if ruled(point[0])),
        )
        if breach.cause is Cause.MISSING:
            found = msgspec.structs.replace(found, act=len(script.acts), event=None)
        yield found


class _LogUnderReadings:
    """One log under other readings, each judged once."""

    def __init__(self, log: TableLog) -> None:
        self._log = log
        self._known: dict[tuple[tuple[Point, ...], bool], list[Breach]] = {}

    def cures(self, points: tuple[Point, ...], other: Procedure, one: Breach) -> bool:
        """Return whether other readings make lawful what is a breach."""
        ended = one.cause is Cause.MISSING
        if (points, ended) not in self._known:
            look = other.complete if ended else other.judge
            self._known[points, ended] = look(self._log.events)
        if ended:
            return all(found.provision != one.provision for found in self._known[points, ended])
        return all(found.index != one.index for found in self._known[points, ended])


def _difference_of(log: TableLog, one: Breach) -> RoundDifference:
    at = one.index if one.index < len(log.events) else None
    event = {} if at is None else log.events[at]
    if one.constraint is None:
        return RoundDifference(
            manner=Manner.EVENT,
            act=-1 if at is None else log.acts[at],
            event=at,
            expected={"problem": one.required},
            observed=event,
        )
    return RoundDifference(
        manner=_manner_of(one, one.constraint, event),
        act=log.acts[at] if at is not None else -1,
        event=at,
        provisions=(one.constraint.provision,),
        constraint=one.constraint.key,
        required=one.constraint.required,
        observed=event,
        shown=log.last_dice(one.index),
    )


def _reasons(procedure: Procedure, log: TableLog, one: Breach) -> Iterator[tuple[str, str]]:
    """Yield the step that was broken by its kind and its key, and what it leans on.

    That are other steps that say the same of an act, and those that give names to its events.
    """
    step = one.constraint
    if step is None:
        return
    yield step.provision, step.kind
    yield step.provision, step.key
    if step.kind in ANSWERED:
        event = {name: value for name, value in log.events[one.index].items() if name != "answer"}
        for other in procedure.reasons_for(log.events[: one.index], event):
            yield other.provision, other.kind
    for name in procedure.constraints:
        if name.called in step.mentioned:
            yield name.provision, name.kind


def _manner_of(one: Breach, step: Constraint, event: Mapping[str, Any]) -> Manner:
    if one.cause is Cause.MISSING:
        return Manner.MISSING
    if step.kind == "refuses" and event.get("answer") == ACCEPTED:
        return Manner.ACCEPTED
    return Manner.REFUSED if step.kind == "allows" else Manner.ORDER


def _unread_differences(
    procedure: Procedure, log: TableLog, script: Script
) -> Iterator[RoundDifference]:
    """Yield acts that had to be accepted, and were answered with an error."""
    acts = ActEvents(procedure.file)
    for at in log.unread:
        before = [event for event, cause in zip(log.events, log.acts, strict=True) if cause < at]
        event = acts.event(script.acts[at])
        if procedure.verdict_on(before, event) is not Answer.ACCEPT:
            continue
        # An error is no refusal: the adapter is at fault, and nobody knows what the game does.
        yield RoundDifference(manner=Manner.UNREAD, act=at, observed=event)
