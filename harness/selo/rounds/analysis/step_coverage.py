"""Which steps of the law the rounds decide: whose absence would change a judgement.

A permission or a refusal is decided by an act that was asked for when it alone, or it among others,
said what the answer must be. Any other step is decided by a round if something a table could have
done instead, with one event left out, repeated, exchanged, altered or put in, would break it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from selo.law.files.events_file import EventOrigin, ValueKind
from selo.rules.procedure import START, Seen, Steps, Walk
from selo.rules.procedure.step_reader import ANSWERED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from selo.law.files.events_file import Event, EventField, EventsFile
    from selo.rounds.judge import RoundJudge, TableLog
    from selo.rounds.script import Script
    from selo.rules.procedure.round_order import Procedure
    from selo.rules.procedure.step_reader import Constraint


Events = Sequence[Mapping[str, Any]]
_NAMES: Final = "names"
_PROHIBITIONS: Final = frozenset({"forbids", "at-most"})
#: So often an event of one kind is altered in a log: what comes later is alike.
_MAX_MUTATED_PER_EVENT: Final = 3
_MAX_VARIATIONS: Final = 3
_TRIED_NUMBERS: Final = (0, 1, 1_000_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class StepCoverage:
    """One step, and the scripts that decide it, by their keys."""

    constraint: str
    provision: str
    scripts: tuple[str, ...]
    #: Whether it only gives a name that no step uses under the readings followed.
    idle: bool = False


def measure_step_coverage(
    judge: RoundJudge,
    game: str,
    played: Iterable[tuple[Script, TableLog]],
    *,
    enough: int | None = None,
) -> list[StepCoverage]:
    """Return every step of `game` in the order of the law; one that nothing decides has none.

    With `enough`, a step for which so many scripts were found is looked at no longer.
    """
    found: dict[str, list[str]] = {}
    for script, log in played:
        procedure = judge.procedures(game).of(script.options)
        full = {key for key, scripts in found.items() if enough and len(scripts) >= enough}
        for key in decisive_steps(procedure, log.events, full):
            found.setdefault(key, []).append(script.key)
    steps = judge.procedures(game).followed_steps()
    used = {name for step in steps for name in step.mentioned}
    return [
        StepCoverage(
            constraint=step.key,
            provision=step.provision,
            scripts=tuple(found.get(step.key, ())),
            idle=step.kind == _NAMES and step.called not in used,
        )
        for step in steps
    ]


def decisive_steps(
    procedure: Procedure, events: Events, known: AbstractSet[str] = frozenset()
) -> set[str]:
    """Return the steps that one log decides, without looking at those that are `known`."""
    reader = _EventReader(procedure.file)
    seen = [one for one in map(reader.seen, events) if one is not None]
    rulings = _deciding_answers(procedure, seen, procedure.constraints)
    answered = {key for ruling in rulings for key in ruling}
    found: dict[str, _Violation] = {}
    for constraint in procedure.constraints:
        if constraint.kind in ANSWERED or constraint.kind == _NAMES:
            continue
        names = _names_of(procedure.constraints, constraint)
        if constraint.key in known and not any(name.key not in known for name in names):
            continue
        broken = _find_violation(procedure, names, constraint, seen, reader)
        if broken is not None:
            found[constraint.key] = broken
    decided = answered | found.keys()
    for name in procedure.constraints:
        if (
            name.kind == _NAMES
            and name.key not in known
            and (
                rulings != _deciding_answers(procedure, seen, _without(procedure, name))
                or any(broken.needs(procedure, name) for broken in found.values())
                or _becomes_unlawful(procedure, seen, name)
            )
        ):
            decided.add(name.key)
    return decided - known


def _becomes_unlawful(procedure: Procedure, steps: list[_LogEvent], name: Constraint) -> bool:
    """Return whether a lawful log would break a step if an event had not this name."""
    left = _without(procedure, name)
    for one in left:
        if one.kind not in ANSWERED and one.kind != _NAMES:
            names = _names_of(procedure.constraints, one)
            if name in names and _breaks(procedure, (*_names_of(left, one), one), one, steps):
                return True
    return False


class _EventReader:
    """Reads plain events as the walk wants them."""

    def __init__(self, file: EventsFile) -> None:
        self.file = file
        self.fields = {field.id: field for field in file.fields}
        self._events = {
            event.id: event for event in file.events if event.by is not EventOrigin.NAME
        }

    def seen(self, plain: Mapping[str, Any]) -> _LogEvent | None:
        """Return an event that the file knows."""
        event = self._events.get(plain.get("event", ""))
        if event is None:
            return None
        fields = {key: value for key, value in plain.items() if key not in {"event", "answer"}}
        return self.step(event, fields, refused=plain.get("answer") == "refused")

    def step(self, event: Event, fields: Mapping[str, Any], *, refused: bool = False) -> _LogEvent:
        """Return an event with its fields."""
        declared = frozenset([*event.fields, *event.optional])
        return _LogEvent(
            Seen(event=event.id, fields=fields, declared=declared, by=event.by), refused=refused
        )

    def alter_fields(self, step: _LogEvent) -> Iterator[_LogEvent]:
        """Yield an event with one of its fields otherwise."""
        for name, value in (step.seen.fields or {}).items():
            for other in _values_of(self.fields[name]) if name in self.fields else ():
                if other != value:
                    fields = {**(step.seen.fields or {}), name: other}
                    yield replace(step, seen=replace(step.seen, fields=fields))

    def make_events(self, names: AbstractSet[str]) -> Iterator[_LogEvent]:
        """Yield events that did not happen, with every combination of a few values."""
        for name in sorted(names & self._events.keys()):
            event = self._events[name]
            parts = [*event.fields, *event.optional]
            for values in product(
                *(_values_of(self.fields[part])[:_MAX_VARIATIONS] for part in parts)
            ):
                yield self.step(event, dict(zip(parts, values, strict=True)))


@dataclass(frozen=True, slots=True)
class _LogEvent:
    """An event of a log; what was refused did not happen."""

    seen: Seen
    refused: bool = False


@dataclass(frozen=True, slots=True)
class _Violation:
    """A log in which one step is broken, and the names it needs for that."""

    one: Constraint
    names: tuple[Constraint, ...]
    steps: list[_LogEvent]

    def needs(self, procedure: Procedure, name: Constraint) -> bool:
        """Return whether it would not be broken if an event had not this name."""
        if name not in self.names:
            return False
        left = tuple(other for other in self.names if other is not name)
        return not _breaks(procedure, (*left, self.one), self.one, self.steps)


def _without(procedure: Procedure, name: Constraint) -> tuple[Constraint, ...]:
    return tuple(constraint for constraint in procedure.constraints if constraint is not name)


def _deciding_answers(
    procedure: Procedure, steps: list[_LogEvent], constraints: Sequence[Constraint]
) -> list[frozenset[str]]:
    """Return for each act the permissions or refusals that say what its answer must be."""
    told = [
        constraint
        for constraint in constraints
        if constraint.kind in ANSWERED or constraint.kind == _NAMES
    ]
    walk = Walk(Steps(told, procedure.file), procedure.options)
    found: list[frozenset[str]] = []
    for step in steps:
        if step.seen.by is EventOrigin.ACT:
            applying = walk.applying(step.seen)
            # A refusal prevails; a permission decides where nothing is refused.
            refused = any(one.kind == "refuses" for one in applying)
            ruling = "refuses" if refused else "allows"
            found.append(frozenset(one.key for one in applying if one.kind == ruling))
        if not step.refused:
            walk.take(step.seen)
    return found


def _names_of(every: Sequence[Constraint], one: Constraint) -> tuple[Constraint, ...]:
    """Return the rules that give the names of which a step speaks, and those that these need."""
    wanted = set(one.mentioned)
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
    one: Constraint,
    steps: list[_LogEvent],
    reader: _EventReader,
) -> _Violation | None:
    """Return a log near to the one that was played, in which the step is broken."""
    spoken = {*one.mentioned, *(event for name in names for event in name.mentioned)}
    own = {*one.events, *(event for name in names for event in name.events)}
    if START not in one.after and not any(step.seen.event in spoken for step in steps):
        return None
    constraints = (*names, one)
    there = {step.seen.event for step in steps}
    # What may not happen could have happened where its time had come, or where it happens at all.
    opened = one.after - {START}
    added = (own if opened else own & there) if one.kind in _PROHIBITIONS else set()
    for mutant in _log_mutants(steps, spoken, own, reader, added):
        if _breaks(procedure, constraints, one, mutant):
            return _Violation(one, names, mutant)
    return None


def _breaks(
    procedure: Procedure,
    constraints: Sequence[Constraint],
    one: Constraint,
    steps: Sequence[_LogEvent],
) -> bool:
    walk = Walk(Steps(constraints, procedure.file), procedure.options)
    for step in steps:
        if not step.refused and one in walk.take(step.seen):
            return True
    return walk.is_owed(one)


def _log_mutants(
    steps: list[_LogEvent], spoken: set[str], own: set[str], reader: _EventReader, added: set[str]
) -> Iterator[list[_LogEvent]]:
    times: dict[str, int] = {}
    chosen = []
    for at, step in enumerate(steps):
        name = step.seen.event
        times[name] = times.get(name, 0) + 1
        if name in spoken and times[name] <= _MAX_MUTATED_PER_EVENT:
            chosen.append(at)
    # What should have come is missing altogether; then once, twice, or at another place.
    yield from ([step for step in steps if step.seen.event != name] for name in sorted(own))
    yield from (steps[:at] + steps[at + 1 :] for at in chosen)
    yield from (steps[: at + 1] + steps[at:] for at in chosen)
    # The table closes here.
    yield from (steps[: at + 1] for at in chosen)
    for at in chosen:
        if steps[at].seen.event in own:
            yield from (
                [*steps[:at], altered, *steps[at + 1 :]]
                for altered in reader.alter_fields(steps[at])
            )
    yield from _with_later_event(steps, chosen)
    for made in reader.make_events(added):
        yield from ([*steps[: at + 1], made, *steps[at + 1 :]] for at in chosen[:_MAX_VARIATIONS])


def _with_later_event(steps: list[_LogEvent], chosen: list[int]) -> Iterator[list[_LogEvent]]:
    """Yield the log with an event a little later."""
    for at in chosen:
        for end in range(at + 2, min(at + 2 + _MAX_VARIATIONS, len(steps) + 1)):
            yield [*steps[:at], *steps[at + 1 : end], steps[at], *steps[end:]]


def _values_of(field: EventField) -> list[Any]:
    if field.kind is ValueKind.NUMBER:
        return list(_TRIED_NUMBERS)
    if field.kind is ValueKind.YES_NO:
        return [False, True]
    if field.kind is ValueKind.TEXTS:
        return [[value] for value in field.values] or [["other"]]
    return list(field.values) or ["1", "2", "other"]
