"""Lint: every character of every source line belongs to exactly one owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.errors import Problem
from selo.gazette import page_rules, written_places
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.gazette.sources import Source, Span
    from selo.law.files.provision_file import Origin
    from selo.law.loader import Law
    from selo.yaml_file import YamlDocument, YamlStep


@dataclass(frozen=True, kw_only=True, slots=True)
class TextOwner:
    """The owner of some characters of a source, and where its claim is written."""

    name: str
    document: YamlDocument
    steps: tuple[YamlStep, ...]
    places: tuple[str, ...]


def text_owners(law: Law) -> Iterator[TextOwner]:
    """Yield every owner of a piece of a source."""
    for folder in law.folders:
        instrument = folder.instrument.id
        for file in folder.articles:
            article, document = file.article, file.document
            title = f"{instrument}/{article.article} title"
            yield from _owners_of(title, document, (), article.source, article.witness)
            for index, provision in enumerate(article.provisions):
                yield from _owners_of(
                    f"{instrument}/{provision.id}",
                    document,
                    ("provisions", index),
                    provision.source,
                    provision.witness,
                )
        for index, matter in enumerate(folder.matter.matter):
            yield from _owners_of(
                f"{instrument} {matter.kind}" if matter.id is None else f"{instrument}/{matter.id}",
                folder.matter_document,
                ("matter", index),
                matter.source,
                matter.witness,
            )
    for index, record in enumerate(law.out_of_scope.out_of_scope):
        yield TextOwner(
            name=f"out of scope: {record.what.en}",
            document=law.out_of_scope_document,
            steps=("out_of_scope", index, "lines"),
            places=tuple(written_places(record.lines)),
        )


def _owners_of(
    name: str,
    document: YamlDocument,
    steps: tuple[YamlStep, ...],
    source: Origin | None,
    witness: Origin | None,
) -> Iterator[TextOwner]:
    for field, origin in (("source", source), ("witness", witness)):
        if origin:
            for language in LAW_LANGUAGES:
                places = tuple(written_places(origin.get(language)))
                if places:
                    yield TextOwner(
                        name=name,
                        document=document,
                        steps=(*steps, field, language),
                        places=places,
                    )


def check_partition(law: Law) -> Iterator[Problem]:
    """Yield every overlap and every gap."""
    claims: dict[tuple[str, int], list[tuple[Span, TextOwner]]] = {}
    for owner in text_owners(law):
        try:
            spans = law.sources.spans(owner.places)
        except ValueError:
            continue  # the quotation check names a place that cannot be read
        for span in spans:
            claims.setdefault((span.file, span.line), []).append((span, owner))
    for source in law.sources.by_id.values():
        for number, line in enumerate(source.working, start=1):
            line_claims = claims.get((source.entry.id, number), [])
            yield from _check_line(law, source, number, line, line_claims)


def _check_line(
    law: Law, source: Source, number: int, line: str, claims: list[tuple[Span, TextOwner]]
) -> Iterator[Problem]:
    owner_of: list[TextOwner | None] = [None] * len(line)
    for start, stop in page_rules.extraction_marks(line):
        line = line[:start] + " " * (stop - start) + line[stop:]
    for span, owner in claims:
        for index in range(span.start, span.stop):
            first_owner = owner_of[index]
            if first_owner is not None and not line[index].isspace():
                yield owner.document.problem(
                    *owner.steps,
                    problem=f"{source.entry.id}:{number} belongs to {owner.name} "
                    f"and to {first_owner.name}",
                    hint="Narrow one of them with 'from' or 'until'.",
                    code="partition",
                )
                break
            owner_of[index] = owner
    unowned = "".join(
        sign for sign, owner in zip(line, owner_of, strict=True) if owner is None
    ).strip()
    if unowned:
        yield Problem(
            path=law.sources.list_document.path.parent / "sources" / source.entry.file,
            line=number,
            problem=f"line {source.entry.id}:{number} is not assigned: «{unowned[:60]}»",
            hint="Assign it to a provision, a title, the matter, or an out-of-scope record.",
            code="partition",
        )
