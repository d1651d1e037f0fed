"""Ids, parents, labels and languages: the same items in the same order in both texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selo.gazette import number_words
from selo.law.files.provision_file import Unit, Way
from selo.text.multilingual import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import InstrumentFolder, Law, LocatedProvision

_ID = re.compile(r"[a-z0-9-]+(?:/[a-z0-9-]+)*")
_MARKS = re.compile(r"[\s.)(（）、—]|項|Modalidade|Artigo|Art|º")
#: Units whose last step of id is the mark printed before them.
_NUMBERED = frozenset(
    {Unit.NUMBER, Unit.ALINEA, Unit.SUBALINEA, Unit.MODALITY, Unit.ITEM, Unit.RANK, Unit.POINT}
)


def check(law: Law) -> Iterator[Problem]:
    """Yield everything out of shape."""
    for duplicate in law.duplicates:
        first = law.provisions[duplicate.id]
        yield duplicate.problem(
            "id",
            problem=f"this id is used twice, first in {first.article.document.path.name} "
            f"line {first.article.document.line('provisions', first.index)}",
            hint="Ids are unique and never change; number the new one.",
        )
    for folder in law.folders:
        yield from _folder(folder)
    for held in law.provisions.values():
        yield from _id(law, held)
        yield from _languages(law, held)
        yield from _label(held)
        yield from _way(held)


def _folder(folder: InstrumentFolder) -> Iterator[Problem]:
    if folder.instrument.id != folder.document.path.parent.name:
        yield folder.document.problem(
            "id",
            problem=f"the id '{folder.instrument.id}' is not the name of its folder",
            hint="Name the folder after the instrument.",
        )
    if not folder.articles:
        yield folder.document.problem(
            problem=f"{folder.instrument.id} has no article",
            hint="An instrument without articles cannot be examined.",
        )
    for file in folder.articles:
        stem = file.document.path.stem
        number = stem.removeprefix("art-").lstrip("0")
        if number != file.article.article:
            yield file.document.problem(
                "article",
                problem=f"article {file.article.article} stands in {file.document.path.name}",
                hint="Name the file after the article: art-05.yaml.",
            )
        if not file.article.provisions:
            yield file.document.problem(
                "provisions",
                problem=f"article {file.article.article} has no provision",
                hint="Write the article down to its smallest unit.",
            )
        for language in folder.instrument.languages.published:
            heading = file.article.heading
            if heading is not None and heading.get(language) is None:
                yield file.document.problem(
                    "heading",
                    problem=f"the heading has no {language}",
                    hint="Both languages or neither.",
                )


def _id(law: Law, held: LocatedProvision) -> Iterator[Problem]:
    own = held.provision.id
    if not _ID.fullmatch(own):
        yield held.problem(
            "id", problem="the id is not a path of a-z, 0-9 and -", hint="Write 5/d, 13/1/4."
        )
    if own.split("/")[0] != held.article.article.article:
        yield held.problem(
            "id",
            problem=f"the id does not begin with article {held.article.article.article}",
            hint="Ids begin with the number of their article.",
        )
    parent = own.rsplit("/", 1)[0]
    top = "/" not in parent
    if "/" in own and not top and f"{held.instrument.id}/{parent}" not in law.provisions:
        yield held.problem(
            "id",
            problem=f"its parent {parent} is not a provision",
            hint="Restore the parent; a sub-unit cannot stand alone.",
        )


def _languages(law: Law, held: LocatedProvision) -> Iterator[Problem]:
    published = held.instrument.languages.published
    known = {divergence.id for divergence in law.divergences}
    for language in LAW_LANGUAGES:
        words = held.provision.text.get(language)
        excused = held.provision.missing.get(language)
        if words is not None and language not in published:
            yield held.problem(
                "text",
                language,
                problem=f"the instrument was not published in {language}",
                hint="Only published words are law.",
            )
        if words is not None and not words.strip():
            yield held.problem(
                "text", language, problem=f"the {language} text is empty", hint="Quote the law."
            )
        if words is None and language in published and excused is None:
            yield held.problem(
                "text",
                problem=f"the {language} text is missing",
                hint="Both languages, or missing: with the divergence that records why.",
            )
        if excused is not None and (words is not None or excused not in known):
            yield held.problem(
                "missing",
                language,
                problem=f"'{excused}' does not explain a missing {language} text",
                hint="Name an entry of the register, for a text that is missing.",
            )


def _label(held: LocatedProvision) -> Iterator[Problem]:
    provision = held.provision
    last = provision.id.rsplit("/", 1)[-1]
    for language in provision.text.languages():
        label = provision.label.get(language) if provision.label else None
        words = provision.text.get(language) or ""
        if label is None:
            if provision.label is not None and provision.unit in _NUMBERED:
                yield held.problem(
                    "label", problem=f"the label has no {language}", hint="Both languages."
                )
            continue
        if not words.startswith(label):
            yield held.problem(
                "label",
                language,
                problem=f"the {language} text does not begin with «{label}»",
                hint="The label is the mark printed before the text.",
            )
        if provision.unit in _NUMBERED and _mark(label) != last:
            yield held.problem(
                "label",
                language,
                problem=f"«{label}» is not item {last}: the items are out of order",
                hint="The same items stand in the same order in both languages.",
                code="concordance",
            )


def _mark(label: str) -> str:
    bare = _MARKS.sub("", label).lower()
    try:
        return str(number_words.read_chinese(bare))
    except number_words.NotANumber:
        return bare


def _way(held: LocatedProvision) -> Iterator[Problem]:
    provision = held.provision
    ways = [provision.verified_by, *provision.also]
    if Way.NOT_TESTABLE in ways and provision.because is None:
        yield held.problem(
            "verified_by",
            problem="not-testable without a reason",
            hint="Say why in because: {pt, zh, en}.",
        )
    if len(set(ways)) != len(ways):
        yield held.problem(
            "also", problem="a way of verifying is named twice", hint="Keep each once."
        )
