"""Every character of every source line belongs to exactly one owner, and nothing is left over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from selo.errors import Problem
from selo.gazette import page_rules, written_places
from selo.text.multilingual import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.gazette.sources import Source, Span
    from selo.law.files.provision_file import Origin
    from selo.law.loader import Law
    from selo.yaml_file import Document, Step


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """Who claims some characters of a source, and where that claim is written."""

    name: str
    document: Document
    steps: tuple[Step, ...]
    places: tuple[str, ...]


def owners(law: Law) -> Iterator[Owner]:
    """Yield everyone who claims a piece of a source."""
    for folder in law.folders:
        instrument = folder.instrument.id
        for file in folder.articles:
            article, document = file.article, file.document
            title = f"{instrument}/{article.article} title"
            yield from _claims(title, document, (), article.source, article.witness)
            for index, provision in enumerate(article.provisions):
                yield from _claims(
                    f"{instrument}/{provision.id}",
                    document,
                    ("provisions", index),
                    provision.source,
                    provision.witness,
                )
        for index, matter in enumerate(folder.matter.matter):
            yield from _claims(
                f"{instrument} {matter.kind}",
                folder.matter_document,
                ("matter", index),
                matter.source,
                matter.witness,
            )
    for index, record in enumerate(law.out_of_scope.out_of_scope):
        yield Owner(
            name=f"out of scope: {record.what.en}",
            document=law.out_of_scope_document,
            steps=("out_of_scope", index, "lines"),
            places=tuple(written_places(record.lines)),
        )


def _claims(
    name: str,
    document: Document,
    steps: tuple[Step, ...],
    source: Origin | None,
    witness: Origin | None,
) -> Iterator[Owner]:
    for field, origin in (("source", source), ("witness", witness)):
        if origin:
            for language in LAW_LANGUAGES:
                places = tuple(written_places(origin.get(language)))
                if places:
                    yield Owner(
                        name=name,
                        document=document,
                        steps=(*steps, field, language),
                        places=places,
                    )


def check(law: Law) -> Iterator[Problem]:
    """Yield every overlap and every gap."""
    claimed: dict[tuple[str, int], list[tuple[Span, Owner]]] = {}
    for owner in owners(law):
        try:
            spans = law.sources.spans(owner.places)
        except ValueError:
            continue  # the quotation check names a place that cannot be read
        for span in spans:
            claimed.setdefault((span.file, span.line), []).append((span, owner))
    for source in law.sources.by_id.values():
        for number, line in enumerate(source.working, start=1):
            here = claimed.get((source.entry.id, number), [])
            yield from _line(law, source, number, line, here)


def _line(
    law: Law, source: Source, number: int, line: str, here: list[tuple[Span, Owner]]
) -> Iterator[Problem]:
    taken: list[Owner | None] = [None] * len(line)
    for start, stop in page_rules.marks(line):
        line = line[:start] + " " * (stop - start) + line[stop:]
    for span, owner in here:
        for index in range(span.start, span.stop):
            other = taken[index]
            if other is not None and not line[index].isspace():
                yield owner.document.problem(
                    *owner.steps,
                    problem=f"{source.entry.id}:{number} belongs to {owner.name} "
                    f"and to {other.name}",
                    hint="Narrow one of them with 'from' or 'until'.",
                    code="partition",
                )
                break
            taken[index] = owner
    left = "".join(sign for sign, owner in zip(line, taken, strict=True) if owner is None).strip()
    if left:
        yield Problem(
            path=law.sources.list_document.path.parent / "sources" / source.entry.file,
            line=number,
            problem=f"nobody owns «{left[:60]}» in {source.entry.id}:{number}",
            hint="Give it to a provision, a title, the matter, or an out-of-scope record.",
            code="partition",
        )
