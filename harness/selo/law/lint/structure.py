"""Lint of ids, parents, labels and languages: both texts have the same items in the same order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selo.gazette import number_words
from selo.law.files.provision_file import Unit, Way
from selo.law.lint.dates_lint import check_dates
from selo.law.preamble import check_preamble
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.loader import InstrumentFolder, Law, LocatedProvision

_PROVISION_ID = re.compile(r"[a-z0-9-]+(?:/[a-z0-9-]+)*")
_MARK_DECORATION = re.compile(r"[\s.)(（）、—]|項|Modalidade|Artigo|Art|º")
#: Units whose id ends in the mark printed before them.
_NUMBERED_UNITS = frozenset(
    {Unit.NUMBER, Unit.ALINEA, Unit.SUBALINEA, Unit.MODALITY, Unit.ITEM, Unit.RANK, Unit.POINT}
)


def check_structure(law: Law) -> Iterator[Problem]:
    """Yield every structural problem."""
    for duplicate in law.duplicates:
        first = law.provisions[duplicate.id]
        yield duplicate.problem(
            "id",
            problem=f"this id is used twice, first in {first.article.document.path.name} "
            f"line {first.article.document.line('provisions', first.index)}",
            hint="Ids are unique and never change; number the new one.",
        )
    for folder in law.folders:
        yield from _check_folder(folder)
        yield from _check_missing(law, folder)
        yield from check_preamble(folder)
        yield from check_dates(folder)
    for located in law.provisions.values():
        yield from _check_id(law, located)
        yield from _check_languages(law, located)
        yield from _check_label(located)
        yield from _check_ways(located)


def _check_folder(folder: InstrumentFolder) -> Iterator[Problem]:
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
                problem=f"article {file.article.article} is in {file.document.path.name}",
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


def _check_missing(law: Law, folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield what an intake left to be written: nothing of it counts as examined law."""
    if folder.missing is None or folder.missing_document is None:
        return
    for index, provision in enumerate(folder.missing.rules):
        located = law.provisions.get(provision)
        stale = located is None or located.provision.rule is not None
        yield folder.missing_document.problem(
            "rules",
            index,
            problem=f"{provision}: " + ("is not missing" if stale else "no rule is written yet"),
            hint="Take it off this list."
            if stale
            else "Write its rule, or how else it is verified, and take it off this list.",
            code="spec" if stale else "missing",
        )
    for name, entries in (
        ("register", folder.missing.register),
        ("facts", folder.missing.facts),
    ):
        for index, entry in enumerate(entries):
            yield folder.missing_document.problem(
                name,
                index,
                problem=f"{entry}: proposed by the intake and not decided",
                hint="Read it, correct it, and take it off this list.",
                code="missing",
            )


def _check_id(law: Law, located: LocatedProvision) -> Iterator[Problem]:
    provision_id = located.provision.id
    if not _PROVISION_ID.fullmatch(provision_id):
        yield located.problem(
            "id", problem="the id is not a path of a-z, 0-9 and -", hint="Write 5/d, 13/1/4."
        )
    if provision_id.split("/")[0] != located.article.article.article:
        yield located.problem(
            "id",
            problem=f"the id does not begin with article {located.article.article.article}",
            hint="Ids begin with the number of their article.",
        )
    parent = provision_id.rsplit("/", 1)[0]
    top = "/" not in parent
    if (
        "/" in provision_id
        and not top
        and f"{located.instrument.id}/{parent}" not in law.provisions
    ):
        yield located.problem(
            "id",
            problem=f"its parent {parent} is not a provision",
            hint="Restore the parent; a sub-unit cannot stand alone.",
        )


def _check_languages(law: Law, located: LocatedProvision) -> Iterator[Problem]:
    published = located.instrument.languages.published
    divergence_ids = {divergence.id for divergence in law.divergences}
    for language in LAW_LANGUAGES:
        words = located.provision.text.get(language)
        excused = located.provision.missing.get(language)
        if words is not None and language not in published:
            yield located.problem(
                "text",
                language,
                problem=f"the instrument was not published in {language}",
                hint="Only published words are law.",
            )
        if words is not None and not words.strip():
            yield located.problem(
                "text", language, problem=f"the {language} text is empty", hint="Quote the law."
            )
        if words is None and language in published and excused is None:
            yield located.problem(
                "text",
                problem=f"the {language} text is missing",
                hint="Both languages, or missing: with the divergence that records why.",
            )
        if excused is not None and (words is not None or excused not in divergence_ids):
            yield located.problem(
                "missing",
                language,
                problem=f"'{excused}' does not explain a missing {language} text",
                hint="Name an entry of the register, for a text that is missing.",
            )


def _check_label(located: LocatedProvision) -> Iterator[Problem]:
    provision = located.provision
    last = provision.id.rsplit("/", 1)[-1]
    for language in provision.text.languages():
        label = provision.label.get(language) if provision.label else None
        words = provision.text.get(language) or ""
        if label is None:
            if provision.label is not None and provision.unit in _NUMBERED_UNITS:
                yield located.problem(
                    "label", problem=f"the label has no {language}", hint="Both languages."
                )
            continue
        if not words.startswith(label):
            yield located.problem(
                "label",
                language,
                problem=f"the {language} text does not begin with «{label}»",
                hint="The label is the mark printed before the text.",
            )
        if provision.unit in _NUMBERED_UNITS and _normalise_mark(label) != last:
            yield located.problem(
                "label",
                language,
                problem=f"«{label}» is not item {last}: the items are out of order",
                hint="The same items stand in the same order in both languages.",
                code="concordance",
            )


def _normalise_mark(label: str) -> str:
    bare = _MARK_DECORATION.sub("", label).lower()
    try:
        return str(number_words.parse_chinese_number(bare))
    except number_words.NotANumber:
        return bare


def _check_ways(located: LocatedProvision) -> Iterator[Problem]:
    provision = located.provision
    ways = [provision.verified_by, *provision.also]
    if Way.NOT_TESTABLE in ways and provision.because is None:
        yield located.problem(
            "verified_by",
            problem="not-testable without a reason",
            hint="Say why in because: {pt, zh, en}.",
        )
    if (Way.INSPECTION in ways) != (provision.look_at is not None):
        yield located.problem(
            "verified_by",
            problem="inspection without look_at"
            if provision.look_at is None
            else "look_at without inspection",
            hint="Say what the inspector must look at: look_at: {pt, zh, en}.",
        )
    if len(set(ways)) != len(ways):
        yield located.problem(
            "also", problem="a way of verifying is named twice", hint="Keep each once."
        )
