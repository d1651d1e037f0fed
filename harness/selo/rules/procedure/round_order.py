"""The steps of a game as one judge over logs of events: what broke the law, and what may come next.

A log is a list of events, each a mapping with ``event`` and the fields of that event; an act has an
``answer`` too, ``accepted`` or ``refused``. An act that was refused did not happen: it opens and
closes nothing, and is only judged by whether it had to be accepted.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from selo.law.files.events_file import EventOrigin, ValueKind
from selo.rules.procedure.log_automaton import Seen, Steps, Walk
from selo.rules.procedure.step_reader import EMPTY, constraints, events_of, step_games
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.law.files.events_file import Event, EventField, EventsFile
    from selo.law.loader import Law
    from selo.rules.procedure.step_reader import Constraint
    from selo.rules.readings import Readings

_ANSWERS = frozenset({"accepted", "refused"})
_PLAIN = {ValueKind.TEXT: str, ValueKind.NUMBER: int, ValueKind.YES_NO: bool, ValueKind.TEXTS: list}


class Cause(enum.StrEnum):
    """Why something in a log is a breach."""

    #: A provision asks for another order.
    STEP = "step"
    #: The vocabulary of the game has no such event.
    UNKNOWN_EVENT = "unknown-event"
    #: The event lacks a field, has one too many, or has a value that cannot be.
    MALFORMED_EVENT = "malformed-event"
    #: The log ends and something required has not happened.
    MISSING = "missing"


class Answer(enum.StrEnum):
    """What the law says of an act at one point of a round."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True, slots=True)
class Breach:
    """Something in a log that may not be: which provision, at which event, what was required."""

    cause: Cause
    index: int
    required: str
    provision: str | None = None
    constraint: Constraint | None = None


class BadEvent(ValueError):
    """An event that cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Procedure:
    """The steps of one game under one set of readings, at a table with certain options."""

    game: str
    file: EventsFile
    options: Mapping[str, Any]
    constraints: tuple[Constraint, ...]

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self.constraints, self.file)

    @cached_property
    def _events(self) -> dict[str, tuple[Event, frozenset[str]]]:
        """What can stand in a log, each with the fields that it may have."""
        return {
            event.id: (event, _declared(event))
            for event in self.file.events
            if event.by is not EventOrigin.NAME
        }

    @cached_property
    def _fields(self) -> dict[str, EventField]:
        return {field.id: field for field in self.file.fields}

    def judge(self, events: Sequence[Mapping[str, Any]]) -> list[Breach]:
        """Return every breach of a log, in its order; what is still missing is none."""
        return self._walked(events)[1]

    def complete(self, events: Sequence[Mapping[str, Any]]) -> list[Breach]:
        """Return what a log that has come to its end lacks."""
        return self.judge_whole(events)[1]

    def judge_whole(self, events: Sequence[Mapping[str, Any]]) -> tuple[list[Breach], list[Breach]]:
        """Return every breach of a log that has come to its end, and what it lacks."""
        walk, breaches = self._walked(events)
        lacking = [
            _breach(Cause.MISSING, constraint, len(events))
            for constraint in self.constraints
            if walk.is_owed(constraint)
        ]
        return breaches, lacking

    def lawful_next(self, events: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Return the events that may come next, each with some fields; acts if acceptable."""
        walk, _ = self._walked(events)
        found = set()
        for event in self.file.events:
            if event.by is EventOrigin.NAME:
                continue
            bare = Seen(event=event.id, fields=None, declared=_declared(event), by=event.by)
            if event.by is EventOrigin.ACT and any(
                one.kind == "refuses" for one in walk.applying(bare)
            ):
                continue
            if not walk.copy().take(bare):
                found.add(event.id)
        return frozenset(found)

    def verdict_on(self, events: Sequence[Mapping[str, Any]], act: Mapping[str, Any]) -> Answer:
        """Return whether `act`, asked for after `events`, must be accepted or refused."""
        kinds = {one.kind for one in self.reasons_for(events, act)}
        # A permission is general and a refusal special: where both speak, the refusal prevails.
        if "refuses" in kinds:
            return Answer.REFUSE
        return Answer.ACCEPT if "allows" in kinds else Answer.OPEN

    def reasons_for(
        self, events: Sequence[Mapping[str, Any]], act: Mapping[str, Any]
    ) -> list[Constraint]:
        """Return the steps that say whether `act` must be accepted or refused after `events`."""
        walk, _ = self._walked(events)
        return walk.applying(self._read({"answer": "accepted", **act}))

    def _walked(self, events: Sequence[Mapping[str, Any]]) -> tuple[Walk, list[Breach]]:
        walk = Walk(self._steps, self.options)
        breaches: list[Breach] = []
        for index, plain in enumerate(events):
            try:
                seen = self._read(plain)
            except LookupError as error:
                breaches.append(Breach(cause=Cause.UNKNOWN_EVENT, index=index, required=str(error)))
                continue
            except BadEvent as error:
                breaches.append(
                    Breach(cause=Cause.MALFORMED_EVENT, index=index, required=str(error))
                )
                continue
            if plain.get("answer") == "refused":
                broken = _wrongly_refused(walk.applying(seen))
            else:
                broken = walk.take(seen)
            breaches += [_breach(Cause.STEP, one, index) for one in broken]
        return walk, breaches

    def _read(self, plain: Mapping[str, Any]) -> Seen:
        name = plain.get("event")
        if name not in self._events:
            msg = f"{self.game} has no event '{name}'"
            raise LookupError(msg)
        event, declared = self._events[name]
        fields = {key: value for key, value in plain.items() if key not in {"event", "answer"}}
        answer = plain.get("answer")
        if (answer in _ANSWERS) != (event.by is EventOrigin.ACT) or (
            answer is not None and answer not in _ANSWERS
        ):
            msg = f"'{name}' has the answer '{answer}'"
            raise BadEvent(msg)
        self._check(event, fields)
        return Seen(event=event.id, fields=fields, declared=declared, by=event.by)

    def _check(self, event: Event, fields: Mapping[str, Any]) -> None:
        strange = sorted(fields.keys() - self._events[event.id][1])
        lacking = sorted(set(event.fields) - fields.keys())
        if strange or lacking:
            msg = f"'{event.id}': {', '.join(strange or lacking)} is " + (
                "not one of its fields" if strange else "missing"
            )
            raise BadEvent(msg)
        for name, value in fields.items():
            if name in self._fields and not _fits(self._fields[name], value):
                msg = f"'{event.id}': {name} cannot be '{value}'"
                raise BadEvent(msg)


def _fits(field: EventField, value: Any) -> bool:
    texts: list[Any] = value if isinstance(value, list) else [value]
    if field.kind is ValueKind.TEXTS and not all(isinstance(text, str) for text in texts):
        return False
    # A bool is an int in Python, so the exact type is asked for.
    exact = type(value) is _PLAIN[field.kind]
    return exact and (not field.values or {*texts} <= {*field.values})


def compile_procedure(
    law: Law, game: str, readings: Readings, options: Mapping[str, Any] | None = None
) -> Procedure:
    """Return the steps of `game` under `readings`, at a table that declared `options`."""
    file = events_file(law, game)
    return procedure_of(game, file, constraints(law, game, readings), readings, options or {})


def events_file(law: Law, game: str) -> EventsFile:
    """Return the events file of `game`, which must have one."""
    file = events_of(law, game)
    if file is None:
        raise user_error("steps", game=game, known=", ".join(step_games(law)))
    return file


def procedure_of(
    game: str,
    file: EventsFile,
    steps: Iterable[Constraint],
    readings: Readings,
    options: Mapping[str, Any],
) -> Procedure:
    """Return those of some steps that hold under `readings`, at a table that declared `options`."""
    declared = options_of(file, options)
    return Procedure(
        game=game,
        file=file,
        options=declared,
        constraints=tuple(
            step
            for step in steps
            if readings.allow(step.under) and (step.given is None or step.given.on(declared))
        ),
    )


def options_of(file: EventsFile, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a table that declared some: the others are what holds without them."""
    known = {option.id: option for option in file.options}
    for name, value in given.items():
        option = known.get(name)
        if (
            option is None
            or type(value) is not _PLAIN[option.kind]
            or (option.values and value not in option.values)
        ):
            raise user_error(
                "table-option", name=name, value=value, known=", ".join(known) or "none"
            )
    return {name: given.get(name, _default(one.kind, one.default)) for name, one in known.items()}


def _default(kind: ValueKind, written: str) -> Any:
    if kind is ValueKind.NUMBER:
        return int(written)
    if kind is ValueKind.YES_NO:
        return written == "yes"
    return written if kind is ValueKind.TEXT else EMPTY[kind]


def _declared(event: Event) -> frozenset[str]:
    return frozenset([*event.fields, *event.optional])


def _wrongly_refused(applying: list[Constraint]) -> list[Constraint]:
    if any(one.kind == "refuses" for one in applying):
        return []
    return [one for one in applying if one.kind == "allows"]


def _breach(cause: Cause, one: Constraint, index: int) -> Breach:
    return Breach(
        cause=cause,
        index=index,
        required=one.required.en,
        provision=one.provision,
        constraint=one,
    )
