"""Events files: every event, field, option and declaration is named once and used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selo.law.files.events_file import OPENING, EventsFile, ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import InstrumentFolder, Law


_EVENT = re.compile(r"[a-z]+(?:-[a-z]+)*")


_FIELD = re.compile(r"[a-z]+(?:_[a-z]+)*")


#: Names that conditions and steps already use for something else.
_TAKEN = frozenset({"event", "answer", "start"})


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
    for index, declaration in enumerate(file.declarations):
        named = _FIELD.fullmatch(declaration.id) and declaration.id not in seen
        told = declaration.kind is ValueKind.NUMBER or (
            declaration.kind is ValueKind.TEXT and declaration.values
        )
        seen.add(declaration.id)
        if document is not None and not (named and told):
            yield document.problem(
                "declarations",
                index,
                problem=f"'{declaration.id}' cannot be declared so",
                hint="Once, words joined with _, a number or a text with its values.",
            )


def _fields(folder: InstrumentFolder, file: EventsFile) -> Iterator[Problem]:
    document = folder.events_document
    if document is None:
        return
    known = {field.id for field in file.fields}
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
