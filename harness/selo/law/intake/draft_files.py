"""The files of an instrument that was read from pages: every line owned, every rule missing."""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.gazette.quantities import QuantityReader, comparable_quantities
from selo.law.files.provision_file import MatterKind, Unit, Way
from selo.law.intake.draft_instrument import write_instrument
from selo.law.intake.draft_text import flow, in_order, quote, unit_text, words_block
from selo.law.intake.page_intake import slug
from selo.law.intake.paragraphs import Paragraph, written_places
from selo.law.preamble import PREAMBLE, PREAMBLE_KINDS

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from selo.gazette import Glossary
    from selo.gazette.quantities import ConcordanceVocabulary
    from selo.law.intake.alignment import AlignedArticle, AlignedUnit
    from selo.law.intake.draft_instrument import DraftNames
    from selo.law.intake.page_intake import Intake, Page

#: Units that say nothing to be examined.
_DEFINITIONS: Final = frozenset({Unit.TABLE_HEAD, Unit.POINT, Unit.SOLE_ARTICLE, Unit.MODALITY})
_MOST_TERMS: Final = 8
_LONGEST_QUOTE: Final = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftFolder:
    """The files by path, and what is still to be written."""

    files: dict[str, str]
    sources: str
    out_of_scope: str
    units: int
    missing_rules: list[str]
    #: Units that only one language prints.
    one_language: list[str]
    #: Units whose numbers differ between the languages.
    differing_numbers: list[str]


class DraftWriter:
    """Writes the files of one intake."""

    def __init__(
        self,
        intake: Intake,
        names: DraftNames,
        *,
        glossary: Glossary,
        vocabulary: ConcordanceVocabulary,
    ) -> None:
        self._intake = intake
        self._names = names
        self._glossary = glossary
        self._quantities = QuantityReader(vocabulary)
        self._missing: list[str] = []
        self._one_language: list[tuple[AlignedArticle, AlignedUnit]] = []
        self._differing: list[str] = []

    def write(self) -> DraftFolder:
        """Return all files; paths are relative to the law folder."""
        base = f"specs/{self._names.instrument}"
        files = {}
        for article in self._intake.articles:
            files[f"{base}/articles/{_stem(article)}.yaml"] = self._article(article)
        files[f"{base}/matter.yaml"] = self._matter()
        files[f"{base}/instrument.yaml"] = write_instrument(self._intake, self._names)
        for article in self._intake.articles:
            units = [unit for held, unit in self._one_language if held is article]
            if units:
                files[f"{base}/register/{_stem(article)}.yaml"] = self._register(article, units)
        files[f"{base}/missing.yaml"] = self._missing_file()
        return DraftFolder(
            files=files,
            sources="".join(map(self._source, self._intake.pages)),
            out_of_scope="".join(self._others()),
            units=sum(len(article.units) for article in self._intake.articles),
            missing_rules=self._missing,
            one_language=["/".join(unit.path) for _, unit in self._one_language],
            differing_numbers=self._differing,
        )

    def _places(self, paragraphs: Sequence[Paragraph]) -> str:
        places = written_places(paragraphs, self._intake.blank)
        return quote(places[0]) if len(places) == 1 else f"[{', '.join(map(quote, places))}]"

    def _origin(self, by_language: dict[str, list[Paragraph]]) -> str:
        pairs = (f"{name}: {self._places(held)}" for name, held in by_language.items())
        return f"{{{', '.join(pairs)}}}"

    # Articles

    def _article(self, article: AlignedArticle) -> str:
        lines = [
            "# yaml-language-server: $schema=../../schema/article.schema.json",
            f"article: {quote(article.number)}",
        ]
        held = in_order(article.by_language)
        for name in ("label", "heading"):
            words = {
                language: getattr(draft, name)
                for language, draft in held.items()
                if getattr(draft, name) and draft.title
            }
            if words and (name == "label" or len(words) == len(held)):
                lines.append(f"{name}: {flow(words)}")
        titles = {language: draft.title for language, draft in held.items() if draft.title}
        if titles:
            lines.append(f"source: {self._origin(titles)}")
        lines.append("provisions:")
        for unit in article.units:
            lines += self._provision(article, unit)
        return "\n".join(lines) + "\n"

    def _provision(self, article: AlignedArticle, unit: AlignedUnit) -> Iterator[str]:
        identifier = "/".join(unit.path)
        held = in_order(unit.by_language)
        texts = {
            language: unit_text(draft.paragraphs, language) for language, draft in held.items()
        }
        yield from self._proposals(identifier, texts, unit)
        yield f"  - id: {quote(identifier)}"
        yield f"    unit: {unit.unit.value}"
        labels = {
            language: label
            for language, draft in held.items()
            if (label := draft.mark.label if draft.mark else draft.label)
        }
        if labels:
            yield f"    label: {flow(labels)}"
        yield "    text:"
        for language, text in texts.items():
            yield f"      {language}: |-"
            yield from (f"        {line}" for line in text.split("\n"))
        places = {language: draft.paragraphs for language, draft in held.items()}
        yield f"    source: {self._origin(places)}"
        for language in self._intake.languages:
            if language not in held:
                self._one_language.append((article, unit))
                yield f"    missing: {{{language}: {self._point_id(unit)}}}"
        defines = unit.unit in _DEFINITIONS or article.number == "approval"
        if not defines:
            self._missing.append(f"{self._names.instrument}/{identifier}")
        yield f"    verified_by: {Way.DEFINITION if defines else Way.EXAMINATION}"
        yield ""

    def _proposals(
        self, identifier: str, texts: dict[str, str], unit: AlignedUnit
    ) -> Iterator[str]:
        """Yield comments that propose the numbers and the terms of a unit."""
        numbers = {}
        for language, text in texts.items():
            draft = unit.by_language[language]
            label = draft.mark.label if draft.mark and unit.unit is not Unit.RANK else ""
            numbers[language] = comparable_quantities(
                self._quantities.count(text.removeprefix(label), language)
            )
        if any(numbers.values()):
            differs = len(set(map(_listed, numbers.values()))) > 1
            if differs and len(numbers) > 1:
                self._differing.append(f"{self._names.instrument}/{identifier}")
            word = "numbers that differ" if differs and len(numbers) > 1 else "numbers"
            said = " · ".join(f"{name} {_listed(held) or '–'}" for name, held in numbers.items())
            yield f"  # {word}: {said}"
        terms = self._terms(texts)
        if terms:
            yield f"  # terms: {', '.join(terms)}"

    def _terms(self, texts: dict[str, str]) -> list[str]:
        found = []
        for term in self._glossary.terms:
            words = {"pt": term.pt, "zh": term.zh}
            if all(_uses(text, words[language], language) for language, text in texts.items()):
                found.append(term.id)
        return found[:_MOST_TERMS]

    # Around the articles

    def _matter(self) -> str:
        lines = ["# yaml-language-server: $schema=../schema/matter.schema.json", "matter:"]
        numbers = itertools.count(1)
        for kind in MatterKind:
            held = {
                language: [paragraphs for found, paragraphs in text.matter if found is kind]
                for language, text in in_order(self._intake.texts).items()
            }
            paired = len({len(entries) for entries in held.values()}) == 1
            if paired:
                for entry in zip(*held.values(), strict=True):
                    by_language = dict(zip(held, entry, strict=True))
                    lines += self._matter_entry(kind, by_language, numbers)
            else:
                for language, entries in held.items():
                    for paragraphs in entries:
                        lines += self._matter_entry(kind, {language: paragraphs}, numbers)
        if len(lines) == 2:  # noqa: PLR2004 - the two lines of the head
            lines[-1] = "matter: []"
        return "\n".join(lines) + "\n"

    def _matter_entry(
        self,
        kind: MatterKind,
        by_language: dict[str, list[Paragraph]],
        numbers: Iterator[int],
    ) -> Iterator[str]:
        yield f"  - kind: {kind.value}"
        if kind in PREAMBLE_KINDS:
            yield f"    id: {PREAMBLE}/{next(numbers)}"
        yield "    text:"
        for language, paragraphs in by_language.items():
            yield f"      {language}: |-"
            yield from (f"        {line}" for line in unit_text(paragraphs, language).split("\n"))
        yield f"    source: {self._origin(by_language)}"

    def _others(self) -> Iterator[str]:
        for language, paragraphs in self._intake.others.items():
            places = [
                place
                for paragraph in paragraphs
                for place in written_places([paragraph], self._intake.blank)
            ]
            if places:
                yield f"  - lines: [{', '.join(map(quote, places))}]\n"
                yield words_block("what", "intake.other-acts", "    ", act=self._names.number)
                yield words_block("why", f"intake.other-acts.why.{language}", "    ")

    def _source(self, page: Page) -> str:
        text = page.text.encode()
        lines = [
            f"  - id: {quote(page.source)}",
            f"    file: {page.stem}.txt",
            f"    sha256: {hashlib.sha256(text).hexdigest()}",
        ]
        if not page.is_plain:
            lines += [
                "    page:",
                f"      file: {page.page_file}",
                f"      sha256: {hashlib.sha256(page.content).hexdigest()}",
            ]
        words = words_block(
            "what", "intake.source", "    ", act=self._names.number, file=page.path.name
        )
        return "\n".join(lines) + "\n" + words + f"    page_rules: [{', '.join(page.page_rules)}]\n"

    # What is missing

    def _point_id(self, unit: AlignedUnit) -> str:
        only = next(iter(unit.by_language))
        return f"{slug(self._names.number)}-{'-'.join(unit.path)}--only-in-{only}"

    def _register(self, article: AlignedArticle, units: list[AlignedUnit]) -> str:
        del article
        lines = [
            "# yaml-language-server: $schema=../../schema/divergences.schema.json",
            "divergences:",
        ]
        for unit in units:
            only = next(iter(unit.by_language))
            identifier = f"{self._names.instrument}/{'/'.join(unit.path)}"
            text = unit_text(unit.by_language[only].paragraphs, only).split("\n")[0]
            quoted = quote(text[:_LONGEST_QUOTE].strip())
            lines += [
                f"  - id: {self._point_id(unit)}",
                "    kind: language",
                "    severity: wording",
                f"    provisions: [{identifier}]",
                "    quotes:",
                f"      - {{provision: {identifier}, {only}: {quoted}}}",
            ]
            block = "".join(
                words_block(field, f"intake.only.{only}", "    ", unit="/".join(unit.path))
                for field in ("title", "matters")
            )
            lines += block.rstrip("\n").split("\n")
            lines += [
                "    readings:",
                "      - id: as-printed",
                *words_block("says", "intake.undecided", "        ").rstrip("\n").split("\n"),
                "    default: as-printed",
                *words_block("because", "intake.undecided", "    ").rstrip("\n").split("\n"),
                "    situation:",
                f"      game: {self._names.game}",
                "      given: {}",
                "      results:",
                "        as-printed:",
                "          result: same",
                *words_block("text", "intake.undecided", "          ").rstrip("\n").split("\n"),
            ]
        return "\n".join(lines) + "\n"

    def _missing_file(self) -> str:
        lines = [
            "# yaml-language-server: $schema=../schema/missing.schema.json",
            "# What is not written yet. Take an entry away when it is done, and at last the file.",
            "rules:",
            *(f"  - {identifier}" for identifier in self._missing),
        ]
        if not self._missing:
            lines[-1] = "rules: []"
        points = [self._point_id(unit) for _, unit in self._one_language]
        if points:
            lines += ["register:", *(f"  - {point}" for point in points)]
        return "\n".join([*lines, "facts: [name, game_name, gazette, dates, languages]"]) + "\n"


def _stem(article: AlignedArticle) -> str:
    number = article.number
    return f"art-{int(number):02}" if number.isdigit() else number


def _uses(text: str, variants: Sequence[str], language: str) -> bool:
    if language == "zh":
        return any(variant in text for variant in variants)
    return any(
        re.search(rf"(?<!\w){re.escape(variant)}(?!\w)", text, re.IGNORECASE)
        for variant in variants
    )


def _listed(quantities: Counter[str]) -> str:
    return ", ".join(sorted(quantities.elements(), key=lambda text: (len(text), text)))
