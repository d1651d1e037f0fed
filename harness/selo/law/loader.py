"""Reads everything under ``specs/`` and ``bilingual/`` into one immutable Law."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec
import yaml

from selo import data_files
from selo.errors import Problem, SpecError
from selo.gazette import Glossary, sources
from selo.gazette.quantities import ConcordanceVocabulary
from selo.gazette.sources import OutOfScopeList, Sources
from selo.law.files.divergence_register import Divergence, Register
from selo.law.files.events_file import EventsFile
from selo.law.files.provision_file import Article, Instrument, MatterFile, Reconstruction
from selo.text import condition_phrases, message_catalogue, user_error
from selo.yaml_file import Document, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.law.files.provision_file import Provision

#: Folders of ``specs/`` that say what is tried: rounds, and what tells readings apart.
TRIED: Final = ("rounds", "situations", "declarations")
#: Folders of ``specs/`` that hold no instrument.
_NOT_INSTRUMENTS: Final = frozenset({*TRIED, "reconstructed", "schema"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A provision where it stands: its instrument, article, place in the file and full id."""

    instrument: Instrument
    article: ArticleFile
    index: int
    provision: Provision

    @property
    def id(self) -> str:
        """The full id, such as ``portaria-21-96-m/5/d``."""
        return f"{self.instrument.id}/{self.provision.id}"

    def problem(self, *steps: str | int, problem: str, hint: str, code: str = "spec") -> Problem:
        """Describe something wrong with this provision."""
        return self.article.document.problem(
            "provisions", self.index, *steps, problem=f"{self.id}: {problem}", hint=hint, code=code
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ArticleFile:
    """An article and the file it was read from."""

    document: Document
    article: Article


@dataclass(frozen=True, kw_only=True, slots=True)
class InstrumentFolder:
    """An instrument with all its files, articles in the order of the law."""

    document: Document
    instrument: Instrument
    articles: tuple[ArticleFile, ...]
    matter_document: Document
    matter: MatterFile
    #: The words of a round, where the game has steps.
    events_document: Document | None = None
    events: EventsFile | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Law:
    """Everything we hold of the law, and the words around it."""

    folders: tuple[InstrumentFolder, ...]
    provisions: Mapping[str, Held]
    duplicates: tuple[Held, ...]
    divergences: tuple[Divergence, ...]
    register_document: Document
    glossary: Glossary
    glossary_document: Document
    reconstructions: tuple[tuple[Document, Reconstruction], ...]
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: Document
    vocabulary: ConcordanceVocabulary
    #: What is tried beyond what follows from the law, by its file: a digest of what stands there.
    tried: Mapping[str, str] = field(default_factory=dict)

    def find(self, provision: str) -> Held:
        """Return the provision with the full id `provision`."""
        if provision in self.provisions:
            return self.provisions[provision]
        near = difflib.get_close_matches(provision, self.provisions, n=3)
        examples = near or list(self.provisions)[:1]
        raise user_error("provision", name=provision, example=", ".join(examples))

    def divergences_of(self, provision: str) -> Iterator[Divergence]:
        """Yield the open points that touch `provision`."""
        for divergence in self.divergences:
            if provision in divergence.provisions:
                yield divergence


def load(*, specs: Path | None = None, bilingual: Path | None = None) -> Law:
    """Return the whole law, or raise at the first file that cannot be used."""
    law, problems = read_all(specs=specs, bilingual=bilingual)
    if law is None:
        raise SpecError(problems[0])
    return law


def read_all(
    *, specs: Path | None = None, bilingual: Path | None = None
) -> tuple[Law | None, list[Problem]]:
    """Return the law, or nothing and every file that stands in its way."""
    specs = specs or data_files.folder("specs")
    bilingual = bilingual or data_files.folder("bilingual")
    problems: list[Problem] = []
    folders = []
    for path in sorted(specs.glob("*")):
        if path.is_dir() and path.name not in _NOT_INSTRUMENTS:
            try:
                folders.append(_folder(path, problems))
            except SpecError as error:
                problems.append(error.problem)
    words = _words(bilingual, problems)
    reconstructions = []
    for path in sorted((specs / "reconstructed").glob("*.yaml")):
        try:
            document = read(path)
            reconstructions.append((document, document.convert(Reconstruction)))
        except SpecError as error:
            problems.append(error.problem)
    if not folders:
        problems.append(
            Problem(
                path=specs,
                line=0,
                problem="no instrument was found",
                hint="An instrument is a folder with an instrument.yaml.",
            )
        )
    if problems or words is None:
        return None, problems
    provisions, duplicates = _provisions(folders)
    tried = dict(_tried(specs, problems))
    if problems:
        return None, problems
    return Law(
        folders=tuple(folders),
        provisions=provisions,
        duplicates=duplicates,
        divergences=tuple(words.register.divergences),
        register_document=words.register_document,
        glossary=words.glossary,
        glossary_document=words.glossary_document,
        reconstructions=tuple(reconstructions),
        sources=words.sources,
        out_of_scope=words.out_of_scope,
        out_of_scope_document=words.out_of_scope_document,
        vocabulary=words.vocabulary,
        tried=tried,
    ), []


def _tried(specs: Path, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Yield every file of what is tried, with a digest of what it says."""
    for path in [path for name in TRIED for path in sorted((specs / name).glob("*.yaml"))]:
        try:
            text = read(path).plain
        except SpecError as error:
            problems.append(error.problem)
            continue
        # A case tells a number from a text: both ways of reading it count.
        typed = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        said = msgspec.json.encode([text, typed], order="sorted")
        yield f"{path.parent.name}/{path.name}", hashlib.sha256(said).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Words:
    register: Register
    register_document: Document
    glossary: Glossary
    glossary_document: Document
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: Document
    vocabulary: ConcordanceVocabulary


def _words(bilingual: Path, problems: list[Problem]) -> _Words | None:
    try:
        problems += message_catalogue.check_messages(read(bilingual / "messages.yaml"))
        problems += condition_phrases.check_conditions(read(bilingual / condition_phrases.FILE))
        register = read(bilingual / "divergences.yaml")
        glossary = read(bilingual / "glossary.yaml")
        aside = read(bilingual / "out-of-scope.yaml")
        return _Words(
            register=register.convert(Register),
            register_document=register,
            glossary=glossary.convert(Glossary),
            glossary_document=glossary,
            sources=sources.load_sources(bilingual),
            out_of_scope=aside.convert(OutOfScopeList),
            out_of_scope_document=aside,
            vocabulary=read(bilingual / "concordance.yaml").convert(ConcordanceVocabulary),
        )
    except SpecError as error:
        problems.append(error.problem)
        return None


def _folder(path: Path, problems: list[Problem]) -> InstrumentFolder:
    document = read(path / "instrument.yaml")
    matter_document = read(path / "matter.yaml")
    articles = []
    for file in sorted(path.glob("*.yaml"), key=_reading_order):
        if file.name in {"instrument.yaml", "matter.yaml", "events.yaml"}:
            continue
        try:
            article = read(file)
            articles.append(ArticleFile(document=article, article=article.convert(Article)))
        except SpecError as error:
            problems.append(error.problem)
    events = read(path / "events.yaml") if (path / "events.yaml").exists() else None
    return InstrumentFolder(
        document=document,
        instrument=document.convert(Instrument),
        articles=tuple(articles),
        matter_document=matter_document,
        matter=matter_document.convert(MatterFile),
        events_document=events,
        events=None if events is None else events.convert(EventsFile),
    )


def _reading_order(path: Path) -> tuple[int, str]:
    # The approving act stands before the regulation, the annex after it.
    return {"approval": 0, "annex": 2}.get(path.stem, 1), path.stem


def _provisions(folders: list[InstrumentFolder]) -> tuple[dict[str, Held], tuple[Held, ...]]:
    held: dict[str, Held] = {}
    duplicates: list[Held] = []
    for folder in folders:
        for file in folder.articles:
            for index, provision in enumerate(file.article.provisions):
                one = Held(
                    instrument=folder.instrument, article=file, index=index, provision=provision
                )
                if one.id in held:
                    duplicates.append(one)
                else:
                    held[one.id] = one
    return held, tuple(duplicates)
