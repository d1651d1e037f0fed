"""Lint: every quoted text equals its repaired source, character by character."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from selo.gazette import written_places
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.gazette.sources import Sources
    from selo.law.files.provision_file import Origin
    from selo.law.loader import ArticleFile, InstrumentFolder, Law
    from selo.text import Text
    from selo.yaml_file import YamlDocument, YamlStep

#: Separators between an article's label and its heading.
_SEPARATORS = " —:：\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Quotation:
    """A quoted text and its place in the source."""

    name: str
    document: YamlDocument
    steps: tuple[YamlStep, ...]
    text: Text
    origin: Origin
    field: str = "source"


def check_quotations(law: Law) -> Iterator[Problem]:
    """Yield every text that differs from the gazette."""
    for folder in law.folders:
        for file in folder.articles:
            where = f"{folder.instrument.id}/{file.article.article}"
            for origin in (file.article.source, file.article.witness):
                if origin:
                    yield from _title(law.sources, file, where, origin)
        for quotation in _quotations(folder):
            yield from _compare(law.sources, quotation)


def _quotations(folder: InstrumentFolder) -> Iterator[_Quotation]:
    for file in folder.articles:
        for index, provision in enumerate(file.article.provisions):
            quotation = _Quotation(
                name=f"{folder.instrument.id}/{provision.id}",
                document=file.document,
                steps=("provisions", index),
                text=provision.text,
                origin=provision.source,
            )
            yield quotation
            if provision.witness:
                yield replace(quotation, origin=provision.witness, field="witness")
    for index, matter in enumerate(folder.matter.matter):
        quotation = _Quotation(
            name=f"{folder.instrument.id} matter {index + 1} ({matter.kind})"
            if matter.id is None
            else f"{folder.instrument.id}/{matter.id}",
            document=folder.matter_document,
            steps=("matter", index),
            text=matter.text,
            origin=matter.source,
        )
        yield quotation
        if matter.witness:
            yield replace(quotation, origin=matter.witness, field="witness")


def _compare(sources: Sources, quotation: _Quotation) -> Iterator[Problem]:
    document, steps, name = quotation.document, quotation.steps, quotation.name
    for language in LAW_LANGUAGES:
        words, places = quotation.text.get(language), written_places(quotation.origin.get(language))
        if words is None or not places:
            if (words is None) != (not places) and quotation.field == "source":
                lacking = "text" if words is None else "source"
                yield document.problem(
                    *steps,
                    problem=f"{name}: {language} has no {lacking}",
                    hint="Give both the words and the place where they stand.",
                )
            continue
        if words != unicodedata.normalize("NFC", words):
            yield document.problem(
                *steps,
                "text",
                language,
                problem=f"{name}: the {language} text is not in composed form (NFC)",
                hint="Save the file with composed accents.",
            )
        try:
            printed = sources.text(places, language)
        except ValueError as error:
            yield document.problem(
                *steps,
                quotation.field,
                language,
                problem=f"{name}: {error}",
                hint="Places look like 001:83 or 001:173 from (Nota:).",
            )
            continue
        if words != printed:
            line, difference = first_difference(words, printed)
            problem = document.problem(
                *steps,
                "text",
                language,
                problem=f"{name}: the {language} text is not what the source "
                f"{', '.join(places)} says: {difference}",
                hint="Restore the text, or log a scanning error in bilingual/repairs.yaml.",
                code="quotation",
            )
            yield replace(problem, line=problem.line + line)


def _title(sources: Sources, file: ArticleFile, where: str, origin: Origin) -> Iterator[Problem]:
    label, heading = file.article.label, file.article.heading
    for language in LAW_LANGUAGES:
        places = written_places(origin.get(language))
        if not places:
            continue
        first = (label.get(language) if label else None) or ""
        second = (heading.get(language) if heading else None) or ""
        try:
            printed = sources.text(places, language).strip(_SEPARATORS)
        except ValueError as error:
            yield file.document.problem(
                "source", language, problem=f"{where}: {error}", hint="Correct the place."
            )
            continue
        between = printed[len(first) : len(printed) - len(second)]
        whole = printed.startswith(first) and printed.endswith(second)
        if not whole or between.strip(_SEPARATORS):
            yield file.document.problem(
                "heading" if second else "label",
                language,
                problem=f"{where}: label and heading do not make «{printed}»",
                hint="Write the label and the heading as the title line prints them.",
                code="quotation",
            )


def first_difference(written: str, printed: str) -> tuple[int, str]:
    """Return the line of the first difference in `written`, and both texts around it."""
    index = next(
        (i for i, (a, b) in enumerate(zip(written, printed, strict=False)) if a != b),
        min(len(written), len(printed)),
    )
    context = slice(max(0, index - 8), index + 12)
    return (
        written.count("\n", 0, index),
        f"«…{written[context]}…» stands for «…{printed[context]}…»",
    )
