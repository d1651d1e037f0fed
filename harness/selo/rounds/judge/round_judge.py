"""Judges a played round: the order of events, the answers to acts, and the settlements."""

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
from selo.rules.checks import settlement_points
from selo.rules.procedure import ActRuling, BreachCause, select_procedure
from selo.rules.procedure.step_reader import (
    list_step_games,
    read_constraints,
    require_events_file,
    step_points,
)
from selo.rules.readings import Readings
from selo.rules.settlement import ThrowingGame
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.cases import Case
    from selo.law import Law
    from selo.rounds.script import Script
    from selo.rounds.table_player import PlayedScript
    from selo.rules.procedure import Breach, Procedure
    from selo.rules.procedure.step_reader import Constraint
    from selo.table_values import Options, Outcome


#: An open point, and one of its readings.
Point = tuple[str, str]


class Procedures:
    """The procedures of one game under any readings and options, compiled once each."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._law, self._game, self._readings = law, game, readings
        self._constraints = read_constraints(law, game)
        self._file = require_events_file(law, game)
        self._declarable_options = {option.id for option in self._file.options}
        self._points = step_points(law, game)
        self._compiled: dict[bytes, Procedure] = {}
        self._touched: dict[str, list[str]] = {}

    def of(self, options: Options, **other: str) -> Procedure:
        """Return the procedure of a table with some options, under other readings of some points.

        Equal procedures are the same object, so their judgements can be cached.
        """
        declared = {
            name: value for name, value in options.items() if name in self._declarable_options
        }
        followed = self._readings.of
        differing = {
            point: reading for point, reading in other.items() if reading != followed(point)
        }
        key = canonical_bytes([declared, differing])
        if key not in self._compiled:
            readings = Readings(self._law, {**self._readings.rulings, **differing})
            self._compiled[key] = select_procedure(
                self._game, self._file, self._constraints, readings, declared
            )
        return self._compiled[key]

    def ruled(self, divergence: str) -> bool:
        """Return whether a reading was adopted on an open point."""
        return divergence in self._readings.rulings

    def open_points(self, provisions: Iterable[str]) -> dict[str, list[str]]:
        """Return the open points without a ruling that concern any of `provisions`."""
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
        """Return every step under the readings followed, for any options."""
        return [step for step in self._constraints if self._readings.allows(step.under)]

    def under_other_readings(
        self, options: Options, step: Constraint, besides: tuple[Point, ...] = ()
    ) -> Iterator[tuple[Point, Procedure]]:
        """Yield each other reading on which `step` may depend, and the procedure under it.

        The readings in `besides` apply as well.
        """
        applied = dict(besides)
        for divergence in self._points_touching(step):
            for reading in self._points[divergence] if divergence not in applied else ():
                if reading != self._readings.of(divergence):
                    both = {**applied, divergence: reading}
                    yield (divergence, reading), self.of(options, **both)

    def _points_touching(self, step: Constraint) -> list[str]:
        """Return the open points of a step, of the names it uses and of the rules for its acts."""
        if step.key not in self._touched:
            names = set(step.mentioned)
            grown = 0
            while grown != len(names):
                grown = len(names)
                for other in self._constraints:
                    if other.called in names:
                        names |= other.mentioned
            points = {
                divergence
                for other in self._constraints
                if other.key == step.key
                or other.called in names
                or (other.concerns_act and step.concerns_act and other.events & names)
                or (other.kind == step.kind and other.provision == step.provision)
                for divergence in other.under
            }
            self._touched[step.key] = [name for name in self._points if name in points]
        return self._touched[step.key]


class RoundJudge:
    """Judges rounds of any game under some readings, caching what it compiles."""

    def __init__(self, law: Law, readings: Readings | None = None) -> None:
        self._law = law
        self._readings = readings or Readings(law)
        self._oracle = Oracle(law, self._readings.rulings)
        self._procedures: dict[str, Procedures] = {}
        self._settlement_checks: dict[str, SettlementCheck] = {}

    def procedures(self, game: str) -> Procedures:
        """Return the procedures of `game`."""
        if game not in self._procedures:
            if game not in list_step_games(self._law):
                raise user_error("steps", game=game, known=", ".join(list_step_games(self._law)))
            self._procedures[game] = Procedures(self._law, game, self._readings)
        return self._procedures[game]

    def log(self, script: Script, played: PlayedScript) -> TableLog:
        """Return the log of a played script."""
        return build_log(script, played, self.procedures(script.game).of(script.options).file)

    def judge(self, script: Script, played: PlayedScript) -> list[RoundDifference]:
        """Return the differences of a table from a lawful one, in order."""
        procedures = self.procedures(script.game)
        procedure = procedures.of(script.options)
        log = build_log(script, played, procedure.file)
        differences = [
            *_order_differences(procedures, script, procedure, log, complete=played.is_complete),
            *_unread_differences(procedure, log, script),
            *self._settlement_check_of(script.game).judge(script, played, procedures),
        ]
        differences.sort(key=lambda each: (each.act, each.event is None, each.event or 0))
        throwing = isinstance(self._oracle.game(script.game), ThrowingGame)
        marker = KnockOnMarker(procedure, script, throwing=throwing)
        return marker.mark(differences) if differences else []

    def settlement_of(
        self, script: Script, played: PlayedScript, ticket: str
    ) -> tuple[Case, Any, int] | None:
        """Return the settlement of one bet as a case, its answers, and the place of the bet."""
        settled = self._settlement_check_of(script.game).settled_bets(script, played)
        return next((tuple(rest) for name, *rest in settled if name == ticket), None)  # type: ignore[return-value]

    def vendor_draws(
        self, script: Script, played: PlayedScript
    ) -> list[tuple[int, Outcome | None]]:
        """Return the acts at which the vendor drew an outcome itself, and that outcome if known."""
        return self._settlement_check_of(script.game).vendor_draws(script, played)

    def _settlement_check_of(self, game: str) -> SettlementCheck:
        if game not in self._settlement_checks:
            file = self.procedures(game).of({}).file
            self._settlement_checks[game] = SettlementCheck(self._law, game, self._oracle, file)
        return self._settlement_checks[game]

    def points(self, game: str) -> dict[str, list[str]]:
        """Return the readings of every open point of a game's steps and settlements."""
        return {**settlement_points(self._law, game), **self.procedures(game).points()}

    def fitting_readings(
        self, script: Script, played: PlayedScript
    ) -> Iterator[tuple[str, dict[str, bool]]]:
        """Yield each open point whose readings a round distinguishes, and the readings it fits.

        Breaches under every reading distinguish none.
        """
        if not played.is_complete:
            return
        procedures = self.procedures(script.game)
        points = procedures.open_points(script.provisions)
        log = self.log(script, played) if points else None
        judged: dict[int, set[tuple[BreachCause, int]]] = {}
        for point, readings in points.items():
            broken = {}
            for reading in readings:
                procedure = procedures.of(script.options, **{point: reading})
                if id(procedure) not in judged and log is not None:
                    breaches = chain.from_iterable(procedure.judge_round(log.events))
                    judged[id(procedure)] = {(breach.cause, breach.index) for breach in breaches}
                broken[reading] = judged[id(procedure)]
            always = set.intersection(*broken.values())
            fits = {reading: breaches == always for reading, breaches in broken.items()}
            if any(fits.values()) and not all(fits.values()):
                yield point, fits


def _order_differences(
    procedures: Procedures, script: Script, procedure: Procedure, log: TableLog, *, complete: bool
) -> Iterator[RoundDifference]:
    judged = _LogUnderReadings(log)
    breaches, missing = procedure.judge_round(log.events)
    ruled = procedures.ruled
    #: Readings that earlier breaches suggest the table follows.
    suggested: dict[Point, None] = {}
    for breach in [*breaches, *(missing if complete else [])]:
        points: list[Point] = []
        for besides in [(), *((point,) for point in suggested)] if breach.constraint else []:
            others = procedures.under_other_readings(script.options, breach.constraint, besides)  # type: ignore[arg-type]
            points = points or [
                point for point, other in others if judged.cures((*besides, point), other, breach)
            ]
        suggested.update(dict.fromkeys(point for point in points if not ruled(point[0])))
        difference = msgspec.structs.replace(
            _difference_of(log, breach),
            reasons=tuple(_reasons(procedure, log, breach)),
            readings=tuple(point for point in points if not ruled(point[0])),
            against=tuple(point for point in points if ruled(point[0])),
        )
        if breach.cause is BreachCause.MISSING:
            difference = msgspec.structs.replace(difference, act=len(script.acts), event=None)
        yield difference


class _LogUnderReadings:
    """Judges one log under other readings, once for each."""

    def __init__(self, log: TableLog) -> None:
        self._log = log
        self._judged: dict[tuple[tuple[Point, ...], bool], list[Breach]] = {}

    def cures(self, points: tuple[Point, ...], other: Procedure, breach: Breach) -> bool:
        """Return whether other readings make a breach lawful."""
        ended = breach.cause is BreachCause.MISSING
        if (points, ended) not in self._judged:
            judge = other.find_missing if ended else other.judge
            self._judged[points, ended] = judge(self._log.events)
        left = self._judged[points, ended]
        if ended:
            return all(other_breach.provision != breach.provision for other_breach in left)
        return all(other_breach.index != breach.index for other_breach in left)


def _difference_of(log: TableLog, breach: Breach) -> RoundDifference:
    at = breach.index if breach.index < len(log.events) else None
    event = {} if at is None else log.events[at]
    if breach.constraint is None:
        return RoundDifference(
            manner=Manner.EVENT,
            act=-1 if at is None else log.acts[at],
            event=at,
            expected={"problem": breach.required},
            observed=event,
        )
    return RoundDifference(
        manner=_manner_of(breach, breach.constraint, event),
        act=log.acts[at] if at is not None else -1,
        event=at,
        provisions=(breach.constraint.provision,),
        constraint=breach.constraint.key,
        required=breach.constraint.required,
        observed=event,
        shown=log.last_dice(breach.index),
    )


def _reasons(procedure: Procedure, log: TableLog, breach: Breach) -> Iterator[tuple[str, str]]:
    """Yield the broken step by its kind and its key, and the steps it depends on.

    These are other rules for the same act, and the steps that define names of its events.
    """
    step = breach.constraint
    if step is None:
        return
    yield step.provision, step.kind
    yield step.provision, step.key
    if step.concerns_act:
        event = {
            name: value for name, value in log.events[breach.index].items() if name != "answer"
        }
        for other in procedure.steps_on_act(log.events[: breach.index], event):
            yield other.provision, other.kind
    for name in procedure.constraints:
        if name.called in step.mentioned:
            yield name.provision, name.kind


def _manner_of(breach: Breach, step: Constraint, event: Mapping[str, Any]) -> Manner:
    if breach.cause is BreachCause.MISSING:
        return Manner.MISSING
    if step.kind == "refuses" and event.get("answer") == ACCEPTED:
        return Manner.ACCEPTED
    return Manner.REFUSED if step.kind == "allows" else Manner.ORDER


def _unread_differences(
    procedure: Procedure, log: TableLog, script: Script
) -> Iterator[RoundDifference]:
    """Yield acts that had to be accepted and were answered with an error."""
    acts = ActEvents(procedure.file)
    for at in log.unread:
        before = [event for event, cause in zip(log.events, log.acts, strict=True) if cause < at]
        event = acts.event(script.acts[at])
        if procedure.rule_on_act(before, event) is not ActRuling.ACCEPT:
            continue
        # An error is not a refusal: the fault is the adapter's, and the game is unknown.
        yield RoundDifference(manner=Manner.UNREAD, act=at, observed=event)
