"""Schemas of the events and acts in a game's events file, and checks of received events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.json_numbers import LARGEST_INTEGER
from selo.law.files.events_file import EventOrigin, ValueKind
from selo.protocol.schema.bet_schema import identifying_fields, is_needed
from selo.protocol.schema.json_schema import (
    STAKE,
    TEXT,
    WHOLE,
    Schema,
    closed_object,
    list_schema,
    one_of,
    ref,
    titled,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law.files.events_file import Event, EventField, EventsFile
    from selo.protocol.schema.bet_schema import BetShape

_PYTHON_TYPES: Final[Mapping[ValueKind, type]] = {
    ValueKind.TEXT: str,
    ValueKind.NUMBER: int,
    ValueKind.YES_NO: bool,
    ValueKind.TEXTS: list,
    ValueKind.NUMBERS: list,
}
_KIND_NAMES: Final[Mapping[ValueKind, str]] = {
    ValueKind.TEXT: "a text",
    ValueKind.NUMBER: "a whole number",
    ValueKind.YES_NO: "true or false",
    ValueKind.TEXTS: "a list of texts",
    ValueKind.NUMBERS: "a list of whole numbers",
}
_MAX_TEXT_LENGTH: Final = TEXT["maxLength"]
#: Acts of the protocol itself, which steer a table and do not belong to a game.
FORCE: Final = "force"
HAPPEN: Final = "happen"
GO_ON: Final = "go-on"
_TICKET: Final = "ticket"
_STAKE: Final = "stake"
_BET: Final = "bet"
_SETTLES_OUTCOME: Final = (
    "Settles what the table will show, unless an outcome is settled that does not show yet."
)
_CHOICE: Final = "choice"


def field_schema(field: EventField) -> Schema:
    """Return the schema of a field of an event."""
    item: Schema = {"enum": field.values} if field.values else TEXT
    shape: Mapping[ValueKind, Schema] = {
        ValueKind.TEXT: item,
        ValueKind.NUMBER: STAKE if field.id == _STAKE else WHOLE,
        ValueKind.YES_NO: {"type": "boolean"},
        ValueKind.TEXTS: list_schema(item),
        ValueKind.NUMBERS: list_schema(WHOLE),
    }
    meant = {"default": field.default} if field.default else {}
    return {**titled(field.words, field.id), **shape[field.kind], **meant}


def event_schema(event: Event, fields: Mapping[str, Schema], example: Mapping[str, Any]) -> Schema:
    """Return the schema of an event at the table."""
    body = {"event": {"const": event.id}} | {
        name: fields[name] for name in [*event.fields, *event.optional]
    }
    settles = {"description": _SETTLES_OUTCOME} if event.fixes_outcome else {}
    return {
        **titled(event.words, event.id),
        **settles,
        **closed_object(body, ["event", *event.fields]),
        "examples": [dict(example)],
    }


def act_schema(
    event: Event,
    fields: Mapping[str, Schema],
    bets: Sequence[BetShape],
    example: Mapping[str, Any],
) -> Schema:
    """Return the schema of an act; an act that lays bets has one form for each bet."""
    around = titled(event.words, event.id)
    if lays_bets(event):
        forms = [_laying_form(event, fields, bet) for bet in bets]
        return {**around, "oneOf": forms, "examples": [dict(example)]}
    body: dict[str, Schema] = {"act": {"const": event.id}}
    body |= {name: fields[name] for name in [*event.fields, *event.optional]}
    if _BET in body:
        body[_BET] = {**fields[_BET], "enum": [bet.name for bet in bets]}
    choices = dict.fromkeys(choice for bet in bets for choice in bet.choices)
    if _BET in event.optional and choices:
        # An act that may name another bet may also name a choice of that bet.
        body.setdefault(_CHOICE, {"enum": list(choices), "description": "What is chosen."})
    if _STAKE in body and _TICKET not in body:
        body[_TICKET] = {
            **fields[_TICKET],
            "description": "The mark under which the stake is settled.",
        }
    return {
        **around,
        **closed_object(body, ["act", *event.fields]),
        "examples": [dict(example)],
    }


def lays_bets(event: Event) -> bool:
    """Return whether an act lays a bet with a stake."""
    return {_BET, _STAKE} <= {*event.fields}


def bets_laid_by(event: Event, bets: Sequence[BetShape], acts: Sequence[str]) -> list[BetShape]:
    """Return the bets that an act may name; a bet with an act of its own is laid only by it."""
    if not lays_bets(event):
        return list(bets)
    return [bet for bet in bets if bet.name not in acts]


def _laying_form(event: Event, fields: Mapping[str, Schema], bet: BetShape) -> Schema:
    own = identifying_fields(bet)
    # The player is the bettor, and the moment of the act is the moment of the bet.
    names = dict.fromkeys([*event.fields, *event.optional, *own])
    if not bet.choices:
        names.pop(_CHOICE, None)
    body = {"act": {"const": event.id}} | {
        name: {**fields.get(name, {}), **own.get(name, {})} for name in names
    }
    body[_BET] = {"const": bet.name}
    required = [*event.fields, *(name for name in own if is_needed(bet, name))]
    if bet.added_to is not None:
        required.append("to")
    elif bet.over_throws:
        body.pop("to", None)
    return {"title": bet.name, **closed_object(body, ["act", *dict.fromkeys(required)])}


def steering_schemas(game: str, happenings: Sequence[str], example: Mapping[str, Any]) -> Schema:
    """Return the schemas of the three acts that steer a table."""
    return {
        FORCE: {
            "title": "this outcome comes after those that were forced before",
            **closed_object(
                {"act": {"const": FORCE}, "outcome": ref(f"{game}.outcome")}, ["act", "outcome"]
            ),
            "examples": [{"act": FORCE, "outcome": example["outcome"]}],
        },
        HAPPEN: {
            "title": "people or equipment do this now, or when it next can happen",
            **closed_object(
                {"act": {"const": HAPPEN}, "event": ref(f"{game}.event")}, ["act", "event"]
            ),
            "examples": [{"act": HAPPEN, "event": example["event"]}],
        },
        GO_ON: {
            "title": "the table takes its next steps",
            **closed_object(
                {
                    "act": {"const": GO_ON},
                    "until": {
                        "enum": list(happenings),
                        "description": "Stop right after the first such event.",
                    },
                },
                ["act"],
            ),
            "examples": [{"act": GO_ON}, {"act": GO_ON, "until": example["event"]["event"]}],
        },
    }  # fmt: skip


class EventReader:
    """Checks the events that a vendor sends."""

    def __init__(self, game: str, file: EventsFile | None) -> None:
        self._game = game
        self._events: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._fields: dict[str, EventField] = {}
        self._values: dict[str, frozenset[str]] = {}
        if file is not None:
            self._fields = {field.id: field for field in file.fields}
            self._values = {field.id: frozenset(field.values) for field in file.fields}
            self._events = {
                event.id: (
                    frozenset({"event", *event.fields}),
                    frozenset({"event", *event.fields, *event.optional}),
                )
                for event in file.events
                if event.by is EventOrigin.TABLE
            }

    def problem(self, event: Any, where: str) -> str | None:
        """Return the problem of `event` with its path below `where`, or None."""
        if not isinstance(event, dict):
            return f"{where}: an event is an object"
        name = event.get("event")
        known = self._events.get(name) if isinstance(name, str) else None
        if known is None:
            return f"{where}.event: {self._game} has no event {name!r} that a table reports"
        required, allowed = known
        given = event.keys()
        if not given <= allowed:
            return f"{where}.{min(map(str, given - allowed))}: {name!r} has no such field"
        if not required <= given:
            return f"{where}.{min(required - given)}: {name!r} needs this field"
        for field, value in event.items():
            if field != "event":
                wrong = self._wrong(field, value)
                if wrong is not None:
                    return f"{where}.{field}: {wrong}"
        return None

    def _wrong(self, name: str, value: Any) -> str | None:
        kind = self._fields[name].kind
        # A bool is an int in Python, so the exact type is compared.
        fits = type(value) is _PYTHON_TYPES[kind]
        if not fits:
            return f"{_KIND_NAMES[kind]} is needed, not {value!r}"
        if kind is ValueKind.NUMBER:
            least = STAKE["minimum"] if name == _STAKE else 0
            return None if least <= int(value) <= LARGEST_INTEGER else f"{value} is out of range"
        if kind is ValueKind.YES_NO:
            return None
        if kind is ValueKind.NUMBERS:
            wrong = [
                one for one in value if type(one) is not int or not 0 <= one <= LARGEST_INTEGER
            ]
            return f"{wrong[0]!r} is no whole number" if wrong else None
        return self._wrong_text(name, [value] if kind is ValueKind.TEXT else list(value))

    def _wrong_text(self, name: str, texts: list[Any]) -> str | None:
        known = self._values[name]
        for text in texts:
            if not isinstance(text, str) or not 1 <= len(text) <= _MAX_TEXT_LENGTH:
                return f"{text!r} is no text of 1 to {_MAX_TEXT_LENGTH} characters"
            if known and text not in known:
                return f"{text!r} is not one of {', '.join(self._fields[name].values)}"
        return None


def part_union(game: str, part: str, names: Sequence[str]) -> Schema:
    """Return the union of the schemas of a part of a game."""
    return one_of([f"{game}.{part}.{name}" for name in names])
