"""Step coverage: which steps of the law a round is decisive for.

An act is decisive for the permissions or refusals that determine its answer. A round is decisive
for any other step if a mutant of its log breaks the step: with one event dropped, repeated, moved,
altered or inserted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import EventOrigin, ValueKind
from selo.rules.clauses.clause_models import START
from selo.rules.procedure.log_automaton import LogAutomaton, LogEvent, StepIndex, make_log_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from selo.law.files.events_file import Event, EventField, EventsFile
    from selo.rounds.judge import RoundJudge, TableLog
    from selo.rounds.script import Script
    from selo.rules.procedure import Procedure
    from selo.rules.procedure.step_reader import Constraint


Events = Sequence[Mapping[str, Any]]
_NAMES: Final = "names"
_PROHIBITIONS: Final = frozenset({"forbids", "at-most"})
#: Events of one kind that are mutated in a log; later ones would show the same.
_MAX_MUTATED_PER_EVENT: Final = 3
_MAX_VARIATIONS: Final = 3
_TRIED_NUMBERS: Final = (0, 1, 1_000_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class StepCoverage:
    """One step, and the keys of the scripts that decide it."""

    constraint: str
    provision: str
    scripts: tuple[str, ...]
    #: Whether it only defines a name that no step uses under the readings followed.
    idle: bool = False


def measure_step_coverage(
    judge: RoundJudge,
    game: str,
    played: Iterable[tuple[Script, TableLog]],
    *,
    enough: int | None = None,
) -> list[StepCoverage]:
    """Return the coverage of every step of `game`, in the order of the law.

    Scripts that decide a step are collected up to `enough`.
    """
    deciding: dict[str, list[str]] = {}
    for script, log in played:
        procedure = judge.procedures(game).of(script.options)
        full = {key for key, scripts in deciding.items() if enough and len(scripts) >= enough}
        for key in decisive_steps(procedure, log.events, full):
            deciding.setdefault(key, []).append(script.key)
    steps = judge.procedures(game).followed_steps()
    used = {name for step in steps for name in step.mentioned}
    return [
        StepCoverage(
            constraint=step.key,
            provision=step.provision,
            scripts=tuple(deciding.get(step.key, ())),
            idle=step.kind == _NAMES and step.called not in used,
        )
        for step in steps
    ]


def decisive_steps(
    procedure: Procedure, events: Events, known: AbstractSet[str] = frozenset()
) -> set[str]:
    """Return the steps that one log decides, except those that are `known`."""
    reader = _EventReader(procedure.file)
    log = [event for event in map(reader.read, events) if event is not None]
    rulings = _deciding_answers(procedure, log, procedure.constraints)
    answered = {key for ruling in rulings for key in ruling}
    violations: dict[str, _Violation] = {}
    for constraint in procedure.constraints:
        if constraint.concerns_act or constraint.kind == _NAMES:
            continue
        names = _names_of(procedure.constraints, constraint)
        if constraint.key in known and not any(name.key not in known for name in names):
            continue
        violation = _find_violation(procedure, names, constraint, log, reader)
        if violation is not None:
            violations[constraint.key] = violation
    decided = answered | violations.keys()
    for name in procedure.constraints:
        if (
            name.kind == _NAMES
            and name.key not in known
            and (
                rulings != _deciding_answers(procedure, log, _without(procedure, name))
                or any(violation.needs(procedure, name) for violation in violations.values())
                or _becomes_unlawful(procedure, log, name)
            )
        ):
            decided.add(name.key)
    return decided - known


def _becomes_unlawful(procedure: Procedure, log: list[_LogEvent], name: Constraint) -> bool:
    """Return whether a lawful log would break a step if events did not have this name."""
    left = _without(procedure, name)
    for step in left:
        if not step.concerns_act and step.kind != _NAMES:
            names = _names_of(procedure.constraints, step)
            if name in names and _breaks(procedure, (*_names_of(left, step), step), step, log):
                return True
    return False


class _EventReader:
    """Reads plain events for the log automaton."""

    def __init__(self, file: EventsFile) -> None:
        self.file = file
        self.fields = {field.id: field for field in file.fields}
        self._events = {
            event.id: event for event in file.events if event.by is not EventOrigin.NAME
        }

    def read(self, plain: Mapping[str, Any]) -> _LogEvent | None:
        """Return an event that the events file defines, or nothing."""
        event = self._events.get(plain.get("event", ""))
        if event is None:
            return None
        fields = {key: value for key, value in plain.items() if key not in {"event", "answer"}}
        return self.event(event, fields, refused=plain.get("answer") == "refused")

    def event(self, event: Event, fields: Mapping[str, Any], *, refused: bool = False) -> _LogEvent:
        """Return an event with its fields."""
        return _LogEvent(make_log_event(event, fields), refused=refused)

    def alter_fields(self, step: _LogEvent) -> Iterator[_LogEvent]:
        """Yield an event with one of its fields changed."""
        for name, value in (step.seen.fields or {}).items():
            for other in _values_of(self.fields[name]) if name in self.fields else ():
                if other != value:
                    fields = {**(step.seen.fields or {}), name: other}
                    yield replace(step, seen=replace(step.seen, fields=fields))

    def make_events(self, names: AbstractSet[str]) -> Iterator[_LogEvent]:
        """Yield events that did not happen, with combinations of a few values."""
        for name in sorted(names & self._events.keys()):
            event = self._events[name]
            parts = [*event.fields, *event.optional]
            for values in product(
                *(_values_of(self.fields[part])[:_MAX_VARIATIONS] for part in parts)
            ):
                yield self.event(event, dict(zip(parts, values, strict=True)))


@dataclass(frozen=True, slots=True)
class _LogEvent:
    """An event of a log; a refused act did not happen."""

    seen: LogEvent
    refused: bool = False


@dataclass(frozen=True, slots=True)
class _Violation:
    """A mutant log that breaks a step, and the definitions of names that it depends on."""

    step: Constraint
    names: tuple[Constraint, ...]
    log: list[_LogEvent]

    def needs(self, procedure: Procedure, name: Constraint) -> bool:
        """Return whether the step would not be broken if events did not have this name."""
        if name not in self.names:
            return False
        left = tuple(other for other in self.names if other is not name)
        return not _breaks(procedure, (*left, self.step), self.step, self.log)


def _without(procedure: Procedure, name: Constraint) -> tuple[Constraint, ...]:
    return tuple(constraint for constraint in procedure.constraints if constraint is not name)


def _deciding_answers(
    procedure: Procedure, log: list[_LogEvent], constraints: Sequence[Constraint]
) -> list[frozenset[str]]:
    """Return for each act the permissions or refusals that determine its answer."""
    relevant = [
        constraint
        for constraint in constraints
        if constraint.concerns_act or constraint.kind == _NAMES
    ]
    walk = LogAutomaton(StepIndex(relevant, procedure.file), procedure.options)
    rulings: list[frozenset[str]] = []
    for event in log:
        if event.seen.by is EventOrigin.ACT:
            applying = walk.applicable_steps(event.seen)
            # A refusal prevails over permissions.
            refused = any(rule.kind == "refuses" for rule in applying)
            ruling = "refuses" if refused else "allows"
            rulings.append(frozenset(rule.key for rule in applying if rule.kind == ruling))
        if not event.refused:
            walk.advance(event.seen)
    return rulings


def _names_of(every: Sequence[Constraint], step: Constraint) -> tuple[Constraint, ...]:
    """Return the definitions of the names that a step mentions, and of those that they mention."""
    wanted = set(step.mentioned)
    names: dict[str, Constraint] = {}
    grown = -1
    while grown != len(names):
        grown = len(names)
        for name in every:
            if name.called in wanted and name.key not in names:
                names[name.key] = name
                wanted |= name.mentioned
    return tuple(name for name in every if name.key in names)


def _find_violation(
    procedure: Procedure,
    names: tuple[Constraint, ...],
    step: Constraint,
    log: list[_LogEvent],
    reader: _EventReader,
) -> _Violation | None:
    """Return a mutant of the log that breaks a step, if there is one."""
    mentioned = {*step.mentioned, *(event for name in names for event in name.mentioned)}
    own = {*step.events, *(event for name in names for event in name.events)}
    if START not in step.after and not any(event.seen.event in mentioned for event in log):
        return None
    constraints = (*names, step)
    happened = {event.seen.event for event in log}
    # A prohibited event is inserted where its prohibition begins, or if it happens at all.
    opened = step.after - {START}
    inserted = (own if opened else own & happened) if step.kind in _PROHIBITIONS else set()
    for mutant in _log_mutants(log, mentioned, own, reader, inserted):
        if _breaks(procedure, constraints, step, mutant):
            return _Violation(step, names, mutant)
    return None


def _breaks(
    procedure: Procedure,
    constraints: Sequence[Constraint],
    step: Constraint,
    log: Sequence[_LogEvent],
) -> bool:
    walk = LogAutomaton(StepIndex(constraints, procedure.file), procedure.options)
    for event in log:
        if not event.refused and step in walk.advance(event.seen):
            return True
    # Before its deadline a duty is not missed; without one it is when the table stalls.
    return not step.before and walk.is_owed(step)


def _log_mutants(
    log: list[_LogEvent],
    mentioned: set[str],
    own: set[str],
    reader: _EventReader,
    inserted: set[str],
) -> Iterator[list[_LogEvent]]:
    times: dict[str, int] = {}
    chosen = []
    for at, event in enumerate(log):
        name = event.seen.event
        times[name] = times.get(name, 0) + 1
        if name in mentioned and times[name] <= _MAX_MUTATED_PER_EVENT:
            chosen.append(at)
    # All events of a kind dropped, one dropped, one repeated.
    yield from ([event for event in log if event.seen.event != name] for name in sorted(own))
    yield from (log[:at] + log[at + 1 :] for at in chosen)
    yield from (log[: at + 1] + log[at:] for at in chosen)
    # The table closes here.
    yield from (log[: at + 1] for at in chosen)
    for at in chosen:
        if log[at].seen.event in own:
            yield from (
                [*log[:at], altered, *log[at + 1 :]] for altered in reader.alter_fields(log[at])
            )
    yield from _with_later_event(log, chosen)
    for event in reader.make_events(inserted):
        yield from ([*log[: at + 1], event, *log[at + 1 :]] for at in chosen[:_MAX_VARIATIONS])


def _with_later_event(log: list[_LogEvent], chosen: list[int]) -> Iterator[list[_LogEvent]]:
    """Yield the log with an event moved a little later."""
    for at in chosen:
        for end in range(at + 2, min(at + 2 + _MAX_VARIATIONS, len(log) + 1)):
            yield [*log[:at], *log[at + 1 : end], log[at], *log[end:]]


def _values_of(field: EventField) -> list[Any]:
    if field.kind is ValueKind.NUMBER:
        return list(_TRIED_NUMBERS)
    if field.kind is ValueKind.YES_NO:
        return [False, True]
    if field.kind is ValueKind.NUMBERS:
        return [[number] for number in _TRIED_NUMBERS]
    if field.kind is ValueKind.TEXTS:
        return [[value] for value in field.values] or [["other"]]
    return list(field.values) or ["1", "2", "other"]
