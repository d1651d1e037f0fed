"""Lint: divergences, glossary and repairs refer to existing provisions and quote verbatim."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selo.gazette import number_words, page_rules
from selo.law.files.divergence_register import Severity
from selo.text import LAW_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.errors import Problem
    from selo.law.files.divergence_register import Divergence
    from selo.law.loader import Law

_POINT_ID = re.compile(r"[a-z0-9-]+--[a-z0-9-]+")
#: What a scanner makes of the sign of an ordinal, as in «2.0», «15.¢» and «6.9».
_ORDINAL_SIGN = re.compile(r"\.[0-9°¢©º%](?!\d)")
_READING_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def check_register(law: Law) -> Iterator[Problem]:
    """Yield every dangling reference, wrong quotation and unused term."""
    yield from _divergences(law)
    yield from _register_files(law)
    yield from _check_glossary(law)
    yield from _check_repairs(law)
    yield from _check_sources(law)
    yield from _check_reconstructions(law)


def _divergences(law: Law) -> Iterator[Problem]:
    seen: set[str] = set()
    games = {folder.instrument.game for folder in law.folders}
    for (document, index), divergence in zip(law.register_places, law.divergences, strict=True):
        steps = ("divergences", index)
        for problem, field in _divergence_flaws(law, divergence, games):
            yield document.problem(
                *steps,
                *field,
                problem=f"{divergence.id}: {problem}",
                hint="See the section on divergences in docs/law-format.md.",
            )
        if divergence.id in seen:
            yield document.problem(
                *steps,
                "id",
                problem=f"{divergence.id}: this id is used twice",
                hint="Ids are unique and never change.",
            )
        seen.add(divergence.id)


def _register_files(law: Law) -> Iterator[Problem]:
    """Yield open points in the wrong folder, and display orders with unknown points."""
    for folder in law.folders:
        own = f"{folder.instrument.id}/"
        points = set()
        for document, register in folder.register:
            for index, divergence in enumerate(register.divergences):
                points.add(divergence.id)
                if divergence.provisions and not divergence.provisions[0].startswith(own):
                    yield document.problem(
                        "divergences",
                        index,
                        "provisions",
                        problem=f"{divergence.id}: its first provision is not of {own[:-1]}",
                        hint="A point stands in the register of its first provision's instrument.",
                    )
        if folder.order is None or folder.order_document is None:
            continue
        for index, point in enumerate(folder.order.points):
            if point not in points or point in folder.order.points[:index]:
                yield folder.order_document.problem(
                    "points",
                    index,
                    problem=f"{point}: not a point of this register, or listed twice",
                    hint="Name each point once, as it is called in its article's file.",
                )


def _divergence_flaws(
    law: Law, divergence: Divergence, games: set[str]
) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    if not _POINT_ID.fullmatch(divergence.id):
        yield "the id is not <number>-<path>--<words>", ("id",)
    if not divergence.provisions:
        yield "no provision is named", ("provisions",)
    for number, provision in enumerate(divergence.provisions):
        if provision not in law.provisions:
            yield f"there is no provision '{provision}'", ("provisions", number)
    yield from _quote_flaws(law, divergence)
    yield from _reading_flaws(divergence)
    yield from _effect_flaws(law, divergence)
    if divergence.situation.game not in games:
        yield f"there is no game '{divergence.situation.game}'", ("situation", "game")
    for number, explained in enumerate(divergence.explains):
        if explained.provision not in divergence.provisions:
            yield f"explains '{explained.provision}', which is not listed", ("explains", number)


def _quote_flaws(law: Law, divergence: Divergence) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    if not divergence.quotes:
        yield "nothing is quoted", ("quotes",)
    for number, quote in enumerate(divergence.quotes):
        if quote.provision not in law.provisions:
            yield f"there is no provision '{quote.provision}'", ("quotes", number, "provision")
            continue
        if quote.provision not in divergence.provisions:
            yield f"'{quote.provision}' is quoted but not listed", ("quotes", number, "provision")
        text = law.provisions[quote.provision].provision.text
        if quote.pt is None and quote.zh is None:
            yield "an empty quotation", ("quotes", number)
        for language in LAW_LANGUAGES:
            words = quote.get(language)
            if words is not None and words not in (text.get(language) or ""):
                yield (
                    f"«{words}» does not stand in the {language} text of {quote.provision}",
                    ("quotes", number, language),
                )


def _effect_flaws(law: Law, divergence: Divergence) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    for number, reading in enumerate(divergence.readings):
        where = ("readings", number, "without_effect")
        for name in reading.without_effect:
            if name not in law.provisions:
                yield f"there is no provision '{name}'", where
        if reading.without_effect and reading.id == divergence.default:
            yield "under the default every provision has an effect", where


def _reading_flaws(divergence: Divergence) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    readings = [reading.id for reading in divergence.readings]
    for number, reading in enumerate(readings):
        if not _READING_ID.fullmatch(reading):
            yield f"'{reading}' is not an id of a reading", ("readings", number, "id")
    if len(set(readings)) != len(readings):
        yield "two readings have the same id", ("readings",)
    minimum = 1 if divergence.severity is Severity.WORDING else 2
    if len(readings) < minimum:
        yield f"needs at least {minimum} readings", ("readings",)
    if divergence.default not in readings:
        yield f"unknown reading '{divergence.default}' as the default", ("default",)
    results = divergence.situation.results
    if set(results) != set(readings):
        yield "the situation needs one result for each reading", ("situation", "results")
    outcomes = {(result.result, result.pays, result.text.en) for result in results.values()}
    if len(outcomes) < len(results):
        yield "two readings give the same result", ("situation", "results")


def _check_glossary(law: Law) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, term in enumerate(law.glossary.terms):
        document, steps = law.glossary_document, ("terms", index)
        if term.id in seen:
            yield document.problem(
                *steps, "id", problem=f"term '{term.id}' appears twice", hint="Join the two."
            )
        seen.add(term.id)
        unknown = [provision for provision in term.where if provision not in law.provisions]
        if unknown or not term.where:
            yield document.problem(
                *steps,
                "where",
                problem=f"term '{term.id}': no provision '{', '.join(unknown)}'",
                hint="List provisions that use the term.",
            )
            continue
        for language, variants in (("pt", term.pt), ("zh", term.zh)):
            texts = [_text_with_heading(law, provision, language) for provision in term.where]
            for number, variant in enumerate(variants):
                if not any(variant.casefold() in text.casefold() for text in texts):
                    yield document.problem(
                        *steps,
                        language,
                        number,
                        problem=f"term '{term.id}': «{variant}» stands in none of its provisions",
                        hint="Variants are printed as the law prints them.",
                    )
        if not term.pt and not term.zh:
            yield document.problem(
                *steps, problem=f"term '{term.id}' has no word of the law", hint="Give pt or zh."
            )


def _text_with_heading(law: Law, provision: str, language: str) -> str:
    located = law.provisions[provision]
    heading = located.article.article.heading
    return "\n".join(
        text
        for text in (
            located.provision.text.get(language),
            heading.get(language) if heading else None,
        )
        if text
    )


def _check_repairs(law: Law) -> Iterator[Problem]:
    log, document = law.sources.log, law.sources.log_document
    divergence_ids = {divergence.id for divergence in law.divergences}
    for index, repair in enumerate(log.repairs):
        if repair.why not in log.reasons:
            yield document.problem(
                "repairs",
                index,
                "why",
                problem=f"unknown reason for a repair: '{repair.why}'",
                hint=f"Use one of: {', '.join(log.reasons)}.",
            )
        if repair.judgement is not None and repair.judgement not in divergence_ids:
            yield document.problem(
                "repairs",
                index,
                "judgement",
                problem=f"there is no divergence '{repair.judgement}'",
                hint="A repair that is a judgement is recorded in the register.",
            )
        if repair.judgement is None and _numbers_of(law, repair.scanned) != _numbers_of(
            law, repair.read
        ):
            yield document.problem(
                "repairs",
                index,
                problem=f"'{repair.scanned}' is read as '{repair.read}': another number",
                hint="A repair that decides a number is a judgement: record it in the register.",
            )
        if repair.scanned == repair.read:
            yield document.problem(
                "repairs", index, problem="this repair changes nothing", hint="Remove it."
            )


def _numbers_of(law: Law, text: str) -> list[str]:
    """Return the digits and number words of a repaired piece, without signs of ordinals."""
    text = _ORDINAL_SIGN.sub(" ", text)
    words = [
        phrase.says
        for phrase in law.vocabulary.phrases
        if phrase.language == "pt"
        and any(mean.isdigit() for mean in phrase.means)
        and re.search(rf"(?<!\w){re.escape(phrase.says)}(?!\w)", text)
    ]
    return [*re.findall(r"\d+", text), *number_words.PT_WORDS.findall(text), *words]


def _check_sources(law: Law) -> Iterator[Problem]:
    for index, source in enumerate(law.sources.by_id.values()):
        for rule in source.entry.page_rules:
            if rule not in page_rules.LINE_RULES:
                yield law.sources.list_document.problem(
                    "sources",
                    index,
                    "page_rules",
                    problem=f"there is no page rule '{rule}'",
                    hint=f"Use some of: {', '.join(page_rules.LINE_RULES)}.",
                )


def _check_reconstructions(law: Law) -> Iterator[Problem]:
    instruments = {folder.instrument.id for folder in law.folders}
    for document, reconstruction in law.reconstructions:
        if reconstruction.instrument not in instruments:
            yield document.problem(
                "instrument",
                problem=f"there is no instrument '{reconstruction.instrument}'",
                hint="Name the instrument it stands in for.",
            )
        elif reconstruction.instrument != document.path.parent.parent.name:
            yield document.problem(
                "instrument",
                problem=f"this stands in for provisions of {reconstruction.instrument}",
                hint="Move the file to the folder of the instrument that it serves.",
            )
        for provision in reconstruction.stands_for:
            if f"{reconstruction.instrument}/{provision}" in law.provisions:
                yield document.problem(
                    "stands_for",
                    problem=f"{provision} is held: nothing may stand in for it",
                    hint="Remove what the law itself says.",
                )
