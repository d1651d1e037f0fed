"""The witness form: its fields, blank forms, and its YAML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from selo.law import cite, compute_spec_digest
from selo.law.files.provision_file import ClosedRecord, Way
from selo.text import LAW_LANGUAGES, Text, say
from selo.verdict.observations import Person, Photo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.law import Law, LocatedProvision

#: The format version; a form of another version is refused.
FORM_FORMAT: Final = "selo-witness/1"


class InspectedItem(ClosedRecord, frozen=True):
    """What was inspected, as its vendor names it."""

    vendor: str = ""
    product: str = ""
    version: str = ""


class FormEntry(ClosedRecord, frozen=True):
    """One provision: the law's words, and room for what a person saw."""

    id: str
    citation: Text
    text: Text
    look_at: Text
    result: str = ""
    observation: str = ""
    date: str = ""
    place: str = ""
    valid_until: str = ""
    examiner: Person = Person()
    second: Person = Person()
    photos: list[Photo] = []


class Form(ClosedRecord, frozen=True):
    """All provisions of some games that only a person can see, for one edition of the law."""

    form: str
    spec_digest: str
    games: list[str]
    entries: list[FormEntry]
    item: InspectedItem = InspectedItem()


def provisions_to_inspect(law: Law, games: Iterable[str]) -> list[LocatedProvision]:
    """Return the provisions of `games` that a person must inspect, in the order of the law."""
    chosen = set(games)
    return [
        located
        for located in law.provisions.values()
        if located.instrument.game in chosen
        and Way.INSPECTION in {located.provision.verified_by, *located.provision.also}
    ]


def all_games(law: Law) -> list[str]:
    """Return every game, in the order of the instruments."""
    return [folder.instrument.game for folder in law.folders]


def blank_form(law: Law, games: Sequence[str]) -> Form:
    """Return an empty form for `games`."""
    return Form(
        form=FORM_FORMAT,
        spec_digest=compute_spec_digest(law),
        games=list(games),
        entries=[blank_entry(law, located) for located in provisions_to_inspect(law, games)],
    )


def blank_entry(law: Law, located: LocatedProvision) -> FormEntry:
    """Return the entry of a provision with nothing filled in."""
    look_at = located.provision.look_at
    return FormEntry(
        id=located.id,
        citation=_full_citation(law, located),
        text=located.provision.text,
        look_at=Text(pt=say("witness.look", "pt"), zh=say("witness.look", "zh"))
        if look_at is None
        else Text(pt=look_at.pt, zh=look_at.zh),
    )


def _full_citation(law: Law, located: LocatedProvision) -> Text:
    citation = cite(law, located)
    return Text(pt=citation.pt_full, zh=citation.zh_full)


def form_to_yaml(form: Form) -> str:
    """Return `form` as YAML that a person can fill in."""
    return "\n".join(_form_lines(form)) + "\n"


def _form_lines(form: Form) -> Iterator[str]:
    for language in (*LAW_LANGUAGES, "en"):
        for line in say("witness.how-to", language).splitlines():
            yield f"# {line}"
    yield f"form: {form.form}"
    yield f"spec_digest: {form.spec_digest}"
    yield f"games: [{', '.join(form.games)}]"
    yield "item:"
    for name in ("vendor", "product", "version"):
        yield f"  {name}: {_quote(getattr(form.item, name))}"
    yield "entries:" if form.entries else "entries: []"
    for entry in form.entries:
        yield ""
        yield from _entry_lines(entry)


def _entry_lines(entry: FormEntry) -> Iterator[str]:
    yield f"  - id: {entry.id}"
    for name in ("citation", "text", "look_at"):
        yield f"    {name}:"
        text: Text = getattr(entry, name)
        for language in text.languages():
            yield f"      {language}: |-"
            for line in (text.get(language) or "").split("\n"):
                yield f"        {line}".rstrip()
    yield f"    result: {_quote(entry.result)}  # met | not-met"
    yield f"    observation: {_quote(entry.observation)}"
    yield f"    date: {_quote(entry.date)}  # 2025-01-31"
    yield f"    place: {_quote(entry.place)}"
    yield f"    valid_until: {_quote(entry.valid_until)}  # 2026-01-31"
    for name in ("examiner", "second"):
        person: Person = getattr(entry, name)
        yield f"    {name}: {{name: {_quote(person.name)}, number: {_quote(person.number)}}}"
    if not entry.photos:
        yield '    photos: []  # [{file: "a.jpg", sha256: "64 hex digits"}]'
        return
    yield "    photos:"
    for photo in entry.photos:
        yield f"      - {{file: {_quote(photo.file)}, sha256: {_quote(photo.sha256)}}}"


def _quote(value: str) -> str:
    # A JSON string is also a YAML string, with every character escaped as needed.
    return json.dumps(value, ensure_ascii=False)
