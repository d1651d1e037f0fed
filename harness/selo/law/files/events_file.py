"""The words of a round: every event, its fields, and the options of a table, one file a game."""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING

from selo.law.files.provision_file import Closed
from selo.text.multilingual import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import InstrumentFolder, Law

_EVENT = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FIELD = re.compile(r"[a-z]+(?:_[a-z]+)*")
#: Names that conditions and steps already use for something else.
_TAKEN = frozenset({"event", "answer", "start"})
#: What a condition calls a field of the event that opened a stretch of the round.
OPENING = "opening_"


class Kind(enum.StrEnum):
    """The kinds of value that a field or an option may have."""

    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes-no"
    TEXTS = "texts"


class By(enum.StrEnum):
    """Where an event comes from."""

    #: It happens at the table.
    TABLE = "table"
    #: Somebody asks for it, and the table accepts or refuses.
    ACT = "act"
    #: No log contains it: a rule gives this name to another event.
    NAME = "name"


class EventField(Closed, frozen=True):
    """A piece of what the log says of an event."""

    id: str
    kind: Kind
    words: Words
    values: list[str] = []


class TableOption(Closed, frozen=True):
    """Something a table declares before the first round, and what holds if it does not."""

    id: str
    kind: Kind
    default: str
    words: Words
    values: list[str] = []


class Event(Closed, frozen=True):
    """Something that happens in a round, or that somebody asks for."""

    id: str
    by: By
    words: Words
    fields: list[str] = []
    #: Fields that may be left out.
    optional: list[str] = []


class Declaration(Closed, frozen=True):
    """Something that a vendor declares of all its tables, once and for all."""

    id: str
    kind: Kind
    words: Words
    values: list[str] = []


class EventsFile(Closed, frozen=True):
    """All events of one game, and what is declared of its tables."""

    fields: list[EventField]
    events: list[Event]
    options: list[TableOption] = []
    declarations: list[Declaration] = []


def check(law: Law) -> Iterator[Problem]:
    """Yield every event, field or option that is not named once, or not in the way of its kind."""
    for folder in law.folders:
        if folder.events is not None:
            yield from _file(folder, folder.events)


def _file(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    document = folder.events_document
    if document is None:
        return
    seen: set[str] = set()
    parts = [("fields", _FIELD), ("options", _FIELD), ("events", _EVENT)]
    for part, pattern in parts:
        for index, one in enumerate(getattr(file, part)):
            if not pattern.fullmatch(one.id) or one.id in _TAKEN or one.id.startswith(OPENING):
                yield document.problem(
                    part,
                    index,
                    "id",
                    problem=f"'{one.id}' cannot be a name here",
                    hint="Join the words of an event with -, those of a field or option with _.",
                )
            if one.id in seen:
                yield document.problem(
                    part, index, "id", problem=f"'{one.id}' is named twice", hint="Keep one."
                )
            seen.add(one.id)
    yield from _fields(folder, file)
    yield from _declarations(folder, file)


def _declarations(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    """Yield what is wrong with the names of declarations; they may be names of options too."""
    document = folder.events_document
    seen: set[str] = set()
    for index, one in enumerate(file.declarations):
        named = _FIELD.fullmatch(one.id) and one.id not in seen
        told = one.kind is Kind.NUMBER or (one.kind is Kind.TEXT and one.values)
        seen.add(one.id)
        if document is not None and not (named and told):
            yield document.problem(
                "declarations",
                index,
                problem=f"'{one.id}' cannot be declared so",
                hint="Once, words joined with _, a number or a text with its values.",
            )


def _fields(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    document = folder.events_document
    if document is None:
        return
    known = {one.id for one in file.fields}
    used: set[str] = set()
    for index, event in enumerate(file.events):
        used.update(event.fields, event.optional)
        for name in [*event.fields, *event.optional]:
            if name not in known:
                yield document.problem(
                    "events",
                    index,
                    problem=f"the event '{event.id}' has an unknown field '{name}'",
                    hint=f"Fields of this game: {', '.join(sorted(known))}.",
                )
    for index, field in enumerate(file.fields):
        if field.id not in used:
            yield document.problem(
                "fields",
                index,
                problem=f"no event has the field '{field.id}'",
                hint="Remove it, or give it to an event.",
            )
