"""The procedure of a game: finds breaches in logs of events, and the lawful next events.

A log is a list of events, each a mapping with ``event`` and the fields of that event; an act has an
``answer`` too, ``accepted`` or ``refused``. A refused act did not happen: it opens and closes
nothing, and is only judged by whether it had to be accepted.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from selo.law.files.events_file import EventOrigin, ValueKind
from selo.rules.procedure.log_automaton import (
    LogAutomaton,
    LogEvent,
    StepIndex,
    make_log_event,
)
from selo.rules.procedure.step_reader import EMPTY_VALUES, read_constraints, require_events_file
from selo.rules.procedure.untold_fields import UntoldFields
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law import Law
    from selo.law.files.events_file import Event, EventField, EventsFile
    from selo.rules.procedure.step_reader import Constraint
    from selo.rules.procedure.untold_fields import UntoldField
    from selo.rules.readings import Readings
    from selo.table_values import Options

_ANSWERS = frozenset({"accepted", "refused"})
#: Kinds of steps that require an event after another.
_REQUIRING_KINDS = frozenset({"precedes", "follows", "directly", "exactly", "at-least"})
_PYTHON_TYPES = {
    ValueKind.TEXT: str,
    ValueKind.NUMBER: int,
    ValueKind.YES_NO: bool,
    ValueKind.TEXTS: list,
    ValueKind.NUMBERS: list,
}


class BreachCause(enum.StrEnum):
    """The cause of a breach."""

    #: A provision requires another order.
    STEP = "step"
    #: The vocabulary of the game has no such event.
    UNKNOWN_EVENT = "unknown-event"
    #: The event lacks a field, has an unknown one, or has an impossible value.
    MALFORMED_EVENT = "malformed-event"
    #: The log ends and something required has not happened.
    MISSING = "missing"


class ActRuling(enum.StrEnum):
    """Whether the law requires that an act is accepted or refused at one point of a round."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True, slots=True)
class Breach:
    """A breach in a log: the provision, the event, and what was required."""

    cause: BreachCause
    index: int
    required: str
    provision: str | None = None
    constraint: Constraint | None = None
    #: Of what is missing: whether it came when it was required before.
    was_fulfilled: bool = False


class BadEvent(ValueError):
    """A malformed event."""


@dataclass(frozen=True, kw_only=True)
class Procedure:
    """The steps of one game under one set of readings, at a table with certain options."""

    game: str
    file: EventsFile
    options: Options
    constraints: tuple[Constraint, ...]

    @cached_property
    def _steps(self) -> StepIndex:
        return StepIndex(self.constraints, self.file)

    @cached_property
    def _events(self) -> dict[str, tuple[Event, frozenset[str]]]:
        """The events of a log, each with its possible fields."""
        return {
            event.id: (event, _declared_fields(event))
            for event in self.file.events
            if event.by is not EventOrigin.NAME
        }

    @cached_property
    def _fields(self) -> dict[str, EventField]:
        return {field.id: field for field in self.file.fields}

    def judge(self, events: Sequence[Mapping[str, Any]]) -> list[Breach]:
        """Return the breaches of an unfinished log, in its order."""
        return self._run(events)[1]

    def find_missing(self, events: Sequence[Mapping[str, Any]]) -> list[Breach]:
        """Return what is still owed when a log ends."""
        return self.judge_round(events)[1]

    def judge_round(self, events: Sequence[Mapping[str, Any]]) -> tuple[list[Breach], list[Breach]]:
        """Return the breaches of a log, and what is still owed when it ends."""
        automaton, breaches = self._run(events)
        owed = [
            replace(
                _breach_of(BreachCause.MISSING, constraint, len(events)),
                was_fulfilled=automaton.was_fulfilled(constraint),
            )
            for constraint in self.constraints
            if automaton.is_owed(constraint)
        ]
        return breaches, owed

    def find_overdue(self, events: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Return the steps whose event is due at once: nobody else has to do something first.

        While people owe an act, nothing is due of the table but what must come before that act.
        """
        automaton, _ = self._run(events)
        owed = [constraint for constraint in self.constraints if automaton.is_owed(constraint)]
        awaited = [acts for step in owed if (acts := self._awaited_acts(step))]
        return frozenset(
            step.key
            for step in owed
            if not self._awaited_acts(step)
            and all(acts & self._events_after(step) for acts in awaited)
        )

    def _awaited_acts(self, constraint: Constraint) -> frozenset[str]:
        """Return the acts of people that a step requires; none if it requires another event."""
        events = self._logged_events(constraint.events)
        acts = {name for name in events if self._events[name][0].by is EventOrigin.ACT}
        return events if acts == events else frozenset()

    def _events_after(self, constraint: Constraint) -> frozenset[str]:
        """Return the events that may come only after the event of a step, directly or not."""
        after: frozenset[str] = frozenset()
        grown = self._logged_events(constraint.before)
        while grown - after:
            after |= grown
            grown = after.union(
                *(
                    self._logged_events(step.before)
                    for step in self.constraints
                    if step.kind == "follows" and self._logged_events(step.events) & after
                )
            )
        return after

    @cached_property
    def chance_events(self) -> frozenset[str]:
        """The events that come or not, or elsewhere, by chance although the outcome is the same.

        Those that vary by the events file, what the law requires after one of them, and what it
        requires before that: a white card appears, is taken out, and the cards are shuffled, cut
        and loaded. An event that fixes an outcome is none of them.
        """
        file = self.file.events
        chance: frozenset[str] = frozenset()
        grown = frozenset(event.id for event in file if event.varies)
        able = {
            event.id for event in file if event.by is EventOrigin.TABLE and not event.fixes_outcome
        }
        while grown - chance:
            chance |= grown
            caused = [
                step.events
                for step in self.constraints
                if (step.kind in _REQUIRING_KINDS and self._logged_events(step.after) & chance)
                or (step.kind == "precedes" and self._logged_events(step.before) & chance)
            ]
            grown = self._logged_events(frozenset().union(*caused)) & able
        return chance

    def _logged_events(self, names: frozenset[str]) -> frozenset[str]:
        """Return the events of a log to which the law gives some names."""
        logged: set[str] = set()
        seen: set[str] = set()
        left = set(names)
        while left:
            name = left.pop()
            seen.add(name)
            logged |= {name} & self._events.keys()
            for step in self.constraints:
                left |= step.events - seen if step.called == name else frozenset()
        return frozenset(logged)

    def find_untold(self, events: Iterable[Mapping[str, Any]]) -> frozenset[UntoldField]:
        """Return the optional fields that events leave out and on which a step depends."""
        return self._untold_fields.find(events)

    @cached_property
    def _untold_fields(self) -> UntoldFields:
        return UntoldFields(self.constraints, self.file, self.options)

    def lawful_next_events(self, events: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Return the events that may come next with some fields; acts, if they may be accepted."""
        automaton, _ = self._run(events)
        lawful = set()
        for event in self.file.events:
            if event.by is EventOrigin.NAME:
                continue
            bare = LogEvent(
                event=event.id, fields=None, declared=_declared_fields(event), by=event.by
            )
            if event.by is EventOrigin.ACT and any(
                constraint.kind == "refuses" for constraint in automaton.applicable_steps(bare)
            ):
                continue
            if not automaton.copy().advance(bare):
                lawful.add(event.id)
        return frozenset(lawful)

    def rule_on_act(self, events: Sequence[Mapping[str, Any]], act: Mapping[str, Any]) -> ActRuling:
        """Return whether `act`, requested after `events`, must be accepted or refused."""
        kinds = {constraint.kind for constraint in self.steps_on_act(events, act)}
        # A permission is general and a refusal special: the refusal prevails.
        if "refuses" in kinds:
            return ActRuling.REFUSE
        return ActRuling.ACCEPT if "allows" in kinds else ActRuling.OPEN

    def steps_on_act(
        self, events: Sequence[Mapping[str, Any]], act: Mapping[str, Any]
    ) -> list[Constraint]:
        """Return the steps that decide whether `act` is accepted or refused after `events`."""
        automaton, _ = self._run(events)
        return automaton.applicable_steps(self._read({"answer": "accepted", **act}))

    def _run(self, events: Sequence[Mapping[str, Any]]) -> tuple[LogAutomaton, list[Breach]]:
        automaton = LogAutomaton(self._steps, self.options)
        breaches: list[Breach] = []
        for index, plain in enumerate(events):
            try:
                event = self._read(plain)
            except LookupError as error:
                breaches.append(
                    Breach(cause=BreachCause.UNKNOWN_EVENT, index=index, required=str(error))
                )
                continue
            except BadEvent as error:
                breaches.append(
                    Breach(cause=BreachCause.MALFORMED_EVENT, index=index, required=str(error))
                )
                continue
            if plain.get("answer") == "refused":
                broken = _broken_permissions(automaton, event)
            else:
                broken = automaton.advance(event)
            breaches += [_breach_of(BreachCause.STEP, constraint, index) for constraint in broken]
        return automaton, breaches

    def _read(self, plain: Mapping[str, Any]) -> LogEvent:
        name = plain.get("event")
        if name not in self._events:
            msg = f"{self.game} has no event '{name}'"
            raise LookupError(msg)
        event, _ = self._events[name]
        fields = {key: value for key, value in plain.items() if key not in {"event", "answer"}}
        answer = plain.get("answer")
        if (answer in _ANSWERS) != (event.by is EventOrigin.ACT) or (
            answer is not None and answer not in _ANSWERS
        ):
            msg = f"'{name}' has the answer '{answer}'"
            raise BadEvent(msg)
        self._check(event, fields)
        return make_log_event(event, fields)

    def _check(self, event: Event, fields: Mapping[str, Any]) -> None:
        strange = sorted(fields.keys() - self._events[event.id][1])
        lacking = sorted(set(event.fields) - fields.keys())
        if strange or lacking:
            msg = f"'{event.id}': {', '.join(strange or lacking)} is " + (
                "not one of its fields" if strange else "missing"
            )
            raise BadEvent(msg)
        for name, value in fields.items():
            if name in self._fields and not _is_allowed_value(self._fields[name], value):
                msg = f"'{event.id}': {name} cannot be '{value}'"
                raise BadEvent(msg)


def _is_allowed_value(field: EventField, value: Any) -> bool:
    texts: list[Any] = value if isinstance(value, list) else [value]
    if field.kind is ValueKind.TEXTS and not all(isinstance(text, str) for text in texts):
        return False
    # A bool is an int in Python, so the exact type is compared.
    if field.kind is ValueKind.NUMBERS and any(type(number) is not int for number in texts):
        return False
    exact = type(value) is _PYTHON_TYPES[field.kind]
    return exact and (not field.values or {*texts} <= {*field.values})


def compile_procedure(
    law: Law, game: str, readings: Readings, options: Options | None = None
) -> Procedure:
    """Return the steps of `game` under `readings`, at a table that declared `options`."""
    file = require_events_file(law, game)
    return select_procedure(
        game, file, read_constraints(law, game, readings), readings, options or {}
    )


def select_procedure(
    game: str, file: EventsFile, steps: Iterable[Constraint], readings: Readings, options: Options
) -> Procedure:
    """Return the procedure of the steps in force, at a table that declared `options`."""
    declared = complete_options(file, options)
    return Procedure(
        game=game,
        file=file,
        options=declared,
        constraints=tuple(
            step
            for step in steps
            if readings.allows(step.under) and (step.given is None or step.given.on(declared))
        ),
    )


def complete_options(file: EventsFile, declared: Options) -> Options:
    """Return all options of a table that declared some, the others with their defaults."""
    options = {option.id: option for option in file.options}
    for name, value in declared.items():
        option = options.get(name)
        if (
            option is None
            or type(value) is not _PYTHON_TYPES[option.kind]
            or (option.values and value not in option.values)
        ):
            raise user_error(
                "table-option", name=name, value=value, known=", ".join(options) or "none"
            )
    return {
        name: declared.get(name, _default_option(option.kind, option.default))
        for name, option in options.items()
    }


def _default_option(kind: ValueKind, written: str) -> Any:
    if kind is ValueKind.NUMBER:
        return int(written)
    if kind is ValueKind.YES_NO:
        return written == "yes"
    return written if kind is ValueKind.TEXT else EMPTY_VALUES[kind]


def _declared_fields(event: Event) -> frozenset[str]:
    return frozenset([*event.fields, *event.optional, *event.computed])


def _broken_permissions(automaton: LogAutomaton, event: LogEvent) -> list[Constraint]:
    """Return the permissions that a refusal breaks; none if it may have been required."""
    possible = automaton.applicable_steps(event, doubt=True)
    if any(constraint.kind == "refuses" for constraint in possible):
        return []
    return [
        constraint
        for constraint in automaton.applicable_steps(event)
        if constraint.kind == "allows"
    ]


def _breach_of(cause: BreachCause, constraint: Constraint, index: int) -> Breach:
    return Breach(
        cause=cause,
        index=index,
        required=constraint.required.en,
        provision=constraint.provision,
        constraint=constraint,
    )
