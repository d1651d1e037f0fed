"""Lint of events files: every event, field, option and declaration is unique and used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selo.law.files.events_file import (
    ASKED_ROLES,
    OPENING,
    EventOrigin,
    EventRole,
    EventsFile,
    ValueKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import InstrumentFolder, Law


_EVENT_NAME = re.compile(r"[a-z]+(?:-[a-z]+)*")


_FIELD_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")


_YES_NO = frozenset({"yes", "no"})


#: Names with another meaning in conditions and steps.
_RESERVED_NAMES = frozenset({"event", "answer", "start"})


def check_events(law: Law) -> Iterator[Problem]:
    """Yield every event, field or option with a duplicate or malformed name."""
    for folder in law.folders:
        if folder.events is not None:
            yield from _check_file(folder, folder.events)


def _check_file(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    document = folder.events_document
    if document is None:
        return
    seen: set[str] = set()
    parts = [("fields", _FIELD_NAME), ("options", _FIELD_NAME), ("events", _EVENT_NAME)]
    for part, pattern in parts:
        for index, entry in enumerate(getattr(file, part)):
            if (
                not pattern.fullmatch(entry.id)
                or entry.id in _RESERVED_NAMES
                or entry.id.startswith(OPENING)
            ):
                yield document.problem(
                    part,
                    index,
                    "id",
                    problem=f"'{entry.id}' is not a valid name here",
                    hint="Join the words of an event with -, those of a field or option with _.",
                )
            if entry.id in seen:
                yield document.problem(
                    part, index, "id", problem=f"'{entry.id}' is named twice", hint="Keep one."
                )
            seen.add(entry.id)
    yield from _check_roles(folder, file)
    yield from _check_fields(folder, file)
    yield from _check_options(folder, file)
    yield from _check_declarations(folder, file)


def _check_options(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    """Yield every option whose default is not one of its values."""
    for index, option in enumerate(file.options):
        allowed = {
            ValueKind.NUMBER: option.default.isdecimal(),
            ValueKind.YES_NO: option.default in _YES_NO,
            ValueKind.TEXT: not option.values or option.default in option.values,
        }.get(option.kind, not option.default)
        if folder.events_document is not None and not allowed:
            yield folder.events_document.problem(
                "options",
                index,
                "default",
                problem=f"'{option.default}' is not a value of '{option.id}'",
                hint="The default is one of the values of the option.",
            )


def _check_declarations(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    """Yield the problems of declarations; they may share names with options."""
    document = folder.events_document
    seen: set[str] = set()
    for index, declaration in enumerate(file.declarations):
        well_named = _FIELD_NAME.fullmatch(declaration.id) and declaration.id not in seen
        well_typed = declaration.kind is ValueKind.NUMBER or (
            declaration.kind is ValueKind.TEXT and declaration.values
        )
        seen.add(declaration.id)
        if document is not None and not (well_named and well_typed):
            yield document.problem(
                "declarations",
                index,
                problem=f"'{declaration.id}' cannot be declared like this",
                hint="Once, words joined with _, a number or a text with its values.",
            )


def _check_roles(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    """Yield roles that two events have or that an event cannot have, and roles that are missing."""
    document = folder.events_document
    if document is None:
        return
    for index, event in enumerate(file.events):
        if event.role is not None and file.name_of(event.role) != event.id:
            yield document.problem(
                "events", index, "role", problem=f"another event has the role '{event.role}'",
                hint="Give each role to one event.",
            )  # fmt: skip
        asked, happens = event.by is EventOrigin.ACT, event.by is EventOrigin.TABLE
        if event.role is not None and not (asked if event.role in ASKED_ROLES else happens):
            yield document.problem(
                "events", index, "by",
                problem=f"'{event.id}' has the role '{event.role}' and is by '{event.by}'",
                hint="People ask what becomes of bets (act); a table deals, pays, ends (table).",
            )  # fmt: skip
        if event.fixes_outcome and not happens:
            yield document.problem(
                "events", index, "fixes_outcome",
                problem=f"'{event.id}' does not happen at the table, so it fixes no outcome",
                hint="Say it of what shows the cards or the dice.",
            )  # fmt: skip
    acts = any(event.by is EventOrigin.ACT for event in file.events)
    if acts and not any(event.fixes_outcome for event in file.events):
        yield document.problem(
            "events",
            problem="no event fixes the outcome",
            hint="Write fixes_outcome: true where the first card falls or the dice are cast.",
        )
    if acts and file.name_of(EventRole.LAYS) is None:
        yield document.problem(
            "events", problem="no act lays a bet", hint=f"Give one the role '{EventRole.LAYS}'."
        )


def _check_fields(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    document = folder.events_document
    if document is None:
        return
    field_ids = {field.id for field in file.fields}
    used: set[str] = set()
    for index, event in enumerate(file.events):
        used.update(event.fields, event.optional, event.computed)
        for name in [*event.fields, *event.optional, *event.computed]:
            if name not in field_ids:
                yield document.problem(
                    "events",
                    index,
                    problem=f"the event '{event.id}' has an unknown field '{name}'",
                    hint=f"Fields of this game: {', '.join(sorted(field_ids))}.",
                )
    for index, field in enumerate(file.fields):
        if field.default and field.default not in field.values:
            yield document.problem(
                "fields",
                index,
                "default",
                problem=f"'{field.default}' is not a value of '{field.id}'",
                hint="The default is one of the values of the field.",
            )
        if field.id not in used:
            yield document.problem(
                "fields",
                index,
                problem=f"no event has the field '{field.id}'",
                hint="Remove it, or give it to an event.",
            )
