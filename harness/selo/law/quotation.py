"""Every quoted text equals its repaired, unpaged source, character by character."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from selo.words.places import written_places
from selo.words.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.model import Origin
    from selo.law.reader import InstrumentFolder, Law
    from selo.words.document import Document, Step
    from selo.words.sources import Sources
    from selo.words.text import Text

#: What may stand between an article's label and its heading.
_SEPARATORS = " —:：\n"


def check(law: Law) -> Iterator[Problem]:
    """Yield every text that is not what the gazette printed."""
    for folder in law.folders:
        yield from _articles(law.sources, folder)
        for index, matter in enumerate(folder.matter.matter):
            steps = ("matter", index)
            where = f"{folder.instrument.id} matter {index + 1} ({matter.kind})"
            yield from _texts(
                law.sources, folder.matter_document, steps, where, matter.text, matter.source
            )
            if matter.witness:
                yield from _texts(
                    law.sources, folder.matter_document, steps, where, matter.text, matter.witness
                )


def _articles(sources: Sources, folder: InstrumentFolder) -> Iterator[Problem]:
    for file in folder.articles:
        article, document = file.article, file.document
        where = f"{folder.instrument.id}/{article.article}"
        for origin in (article.source, article.witness):
            if origin:
                yield from _title(sources, document, where, article.label, article.heading, origin)
        for index, provision in enumerate(article.provisions):
            steps = ("provisions", index)
            name = f"{folder.instrument.id}/{provision.id}"
            yield from _texts(sources, document, steps, name, provision.text, provision.source)
            if provision.witness:
                yield from _texts(
                    sources,
                    document,
                    steps,
                    name,
                    provision.text,
                    provision.witness,
                    witness=True,
                )


def _texts(  # noqa: PLR0913 - one call says all there is to compare
    sources: Sources,
    document: Document,
    steps: tuple[Step, ...],
    name: str,
    text: Text,
    origin: Origin,
    *,
    witness: bool = False,
) -> Iterator[Problem]:
    for language in LAW_LANGUAGES:
        words, places = text.get(language), written_places(origin.get(language))
        if words is None and not places:
            continue
        if words is None or not places:
            if witness:
                continue
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
                "witness" if witness else "source",
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
            yield _moved(problem, line)


def _title(  # noqa: PLR0913 - one call says all there is to compare
    sources: Sources,
    document: Document,
    where: str,
    label: Text | None,
    heading: Text | None,
    origin: Origin,
) -> Iterator[Problem]:
    for language in LAW_LANGUAGES:
        places = written_places(origin.get(language))
        if not places:
            continue
        first = (label.get(language) if label else None) or ""
        second = (heading.get(language) if heading else None) or ""
        try:
            printed = sources.text(places, language)
        except ValueError as error:
            yield document.problem(
                "source", language, problem=f"{where}: {error}", hint="Correct the place."
            )
            continue
        printed = printed.strip(_SEPARATORS)
        between = printed[len(first) : len(printed) - len(second)]
        whole = printed.startswith(first) and printed.endswith(second)
        if not whole or between.strip(_SEPARATORS):
            yield document.problem(
                "heading" if second else "label",
                language,
                problem=f"{where}: label and heading do not make «{printed}»",
                hint="Write the label and the heading as the title line prints them.",
                code="quotation",
            )


def first_difference(written: str, printed: str) -> tuple[int, str]:
    """Return the line within `written`, and what is there against what was printed."""
    index = next(
        (i for i, (a, b) in enumerate(zip(written, printed, strict=False)) if a != b),
        min(len(written), len(printed)),
    )
    around = slice(max(0, index - 8), index + 12)
    return (
        written.count("\n", 0, index),
        f"«…{written[around]}…» stands for «…{printed[around]}…»",
    )


def _moved(problem: Problem, lines: int) -> Problem:
    return type(problem)(
        path=problem.path,
        line=problem.line + lines,
        problem=problem.problem,
        hint=problem.hint,
        code=problem.code,
    )
