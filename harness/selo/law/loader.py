"""Reads everything under ``specs/`` and ``bilingual/`` into one immutable Law."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
import yaml

from selo import data_files
from selo.errors import Problem, SpecError
from selo.gazette import Glossary, sources
from selo.gazette.quantities import ConcordanceVocabulary
from selo.gazette.sources import OutOfScopeList, Sources
from selo.law.files import read_written_rounds
from selo.law.files.divergence_register import Divergence, Register, RegisterOrder
from selo.law.files.events_file import EventsFile
from selo.law.files.provision_file import Article, Instrument, MatterFile, Reconstruction
from selo.text import condition_phrases, message_catalogue, user_error
from selo.yaml_file import Document, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.law.files.provision_file import Provision

M = TypeVar("M")

#: Files of an instrument that say what is tried: rounds, and what tells readings apart.
TRIED: Final = ("rounds", "situations", "declarations")
#: The folder of ``specs/`` that holds no instrument.
_SCHEMA: Final = "schema"
#: What the folder of an instrument may hold: files, and folders of files.
_FILES: Final = frozenset({"instrument", "matter", "events", "words", *TRIED})
_FOLDERS: Final = frozenset({"articles", "register", "reconstructed"})
_ORDER: Final = "order.yaml"


@dataclass(frozen=True, kw_only=True, slots=True)
class LocatedProvision:
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
    #: Its open points, by article, and the order in which they are shown.
    register: tuple[tuple[Document, Register], ...] = ()
    order_document: Document | None = None
    order: RegisterOrder | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Law:
    """Everything we hold of the law, and the words around it."""

    folders: tuple[InstrumentFolder, ...]
    provisions: Mapping[str, LocatedProvision]
    duplicates: tuple[LocatedProvision, ...]
    divergences: tuple[Divergence, ...]
    #: Where each divergence stands, in the same order: its file, and its index there.
    register_places: tuple[tuple[Document, int], ...]
    glossary: Glossary
    glossary_document: Document
    reconstructions: tuple[tuple[Document, Reconstruction], ...]
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: Document
    vocabulary: ConcordanceVocabulary
    #: What is tried beyond what follows from the law, by its file: a digest of what stands there.
    tried: Mapping[str, str] = field(default_factory=dict)

    def find(self, provision: str) -> LocatedProvision:
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


def load_law(*, specs: Path | None = None, bilingual: Path | None = None) -> Law:
    """Return the whole law, or raise at the first file that cannot be used."""
    law, problems = read_law(specs=specs, bilingual=bilingual)
    if law is None:
        raise SpecError(problems[0])
    return law


def read_law(
    *, specs: Path | None = None, bilingual: Path | None = None
) -> tuple[Law | None, list[Problem]]:
    """Return the law, or nothing and every file that stands in its way."""
    specs = specs or data_files.folder("specs")
    bilingual = bilingual or data_files.folder("bilingual")
    problems: list[Problem] = []
    folders = []
    for path in sorted(specs.glob("*")):
        if path.is_dir() and path.name != _SCHEMA:
            problems += _strays(path)
            try:
                folders.append(_folder(path, problems))
            except SpecError as error:
                problems.append(error.problem)
        elif path.suffix == ".yaml":
            problems.append(_stray(path))
    words = _read_bilingual(bilingual, problems)
    reconstructions = []
    for path in sorted(specs.glob("*/reconstructed/*.yaml"), key=lambda one: one.name):
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
    tried = dict(_tried_files(folders, problems))
    problems += [problem for folder in folders for problem in _words_of(folder)]
    if problems:
        return None, problems
    register = _register(folders)
    return Law(
        folders=tuple(folders),
        provisions=provisions,
        duplicates=duplicates,
        divergences=tuple(divergence for _, _, divergence in register),
        register_places=tuple((document, index) for document, index, _ in register),
        glossary=words.glossary,
        glossary_document=words.glossary_document,
        reconstructions=tuple(reconstructions),
        sources=words.sources,
        out_of_scope=words.out_of_scope,
        out_of_scope_document=words.out_of_scope_document,
        vocabulary=words.vocabulary,
        tried=tried,
    ), []


def _stray(path: Path) -> Problem:
    return Problem(
        path=path,
        line=0,
        problem=f"'{path.name}' has no place here",
        hint="docs/law-format.md says which files an instrument has, and where.",
    )


def _strays(path: Path) -> Iterator[Problem]:
    """Yield every file in the folder of an instrument that nothing would read."""
    for file in sorted(path.rglob("*.yaml")):
        above = file.parent.relative_to(path).as_posix()
        if above not in _FOLDERS and not (above == "." and file.stem in _FILES):
            yield _stray(file)


def _of_another(document: Document, folder: InstrumentFolder) -> Iterator[Problem]:
    game = document.plain.get("game", folder.instrument.game)
    if game != folder.instrument.game:
        yield document.problem(
            "game",
            problem=f"'{game}' is not the game of {folder.instrument.id}",
            hint="Move the file to the folder of the instrument that it serves.",
        )


def _words_of(folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield what is wrong with the messages about a game, and those of no round."""
    path = folder.document.path.with_name("words.yaml")
    if not path.exists():
        return
    try:
        document = read(path)
        words = document.convert(message_catalogue.GameMessages)
        rounds = read_written_rounds(words.game, specs=path.parent.parent) if words.rounds else None
    except SpecError as error:
        yield error.problem
        return
    yield from _of_another(document, folder)
    names = set() if rounds is None else {one.name for one in rounds[1].rounds}
    for name in words.rounds:
        if name not in names:
            yield document.problem(
                "rounds",
                name,
                problem=f"there is no round '{name}'",
                hint="Name a round of rounds.yaml, where its English stands.",
            )


def _tried_files(
    folders: list[InstrumentFolder], problems: list[Problem]
) -> Iterator[tuple[str, str]]:
    """Yield every file of what is tried, by kind and game, with a digest of what it says."""
    for folder in folders:
        game = folder.instrument.game
        for name in TRIED:
            path = folder.document.path.with_name(f"{name}.yaml")
            if not path.exists():
                continue
            try:
                document = read(path)
            except SpecError as error:
                problems.append(error.problem)
                continue
            text = document.plain
            if isinstance(text, dict):
                problems += _of_another(document, folder)
            # A case tells a number from a text: both ways of reading it count.
            typed = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
            said = msgspec.json.encode([text, typed], order="sorted")
            yield f"{name}/{game}.yaml", hashlib.sha256(said).hexdigest()


def _place(folder: InstrumentFolder) -> tuple[bool, int]:
    return folder.order is None, 0 if folder.order is None else folder.order.place


def _register(folders: list[InstrumentFolder]) -> list[tuple[Document, int, Divergence]]:
    """Return all open points in the order in which they are shown, and where each stands."""
    shown = []
    for folder in sorted(folders, key=_place):
        points = [] if folder.order is None else folder.order.points
        places = {point: place for place, point in enumerate(points)}
        entries = [
            (document, index, divergence)
            for document, register in folder.register
            for index, divergence in enumerate(register.divergences)
        ]
        shown += sorted(entries, key=lambda entry: places.get(entry[2].id, len(places)))
    return shown


@dataclass(frozen=True, kw_only=True, slots=True)
class _BilingualFiles:
    glossary: Glossary
    glossary_document: Document
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: Document
    vocabulary: ConcordanceVocabulary


def _read_bilingual(bilingual: Path, problems: list[Problem]) -> _BilingualFiles | None:
    try:
        problems += message_catalogue.check_messages(bilingual)
        problems += condition_phrases.check_conditions(read(bilingual / condition_phrases.FILE))
        glossary = read(bilingual / "glossary.yaml")
        aside = read(bilingual / "out-of-scope.yaml")
        return _BilingualFiles(
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
    articles = [
        ArticleFile(document=document, article=article)
        for document, article in _files(path / "articles", Article, problems)
    ]
    order = read(path / "register" / _ORDER) if (path / "register" / _ORDER).exists() else None
    events = read(path / "events.yaml") if (path / "events.yaml").exists() else None
    return InstrumentFolder(
        document=document,
        instrument=document.convert(Instrument),
        articles=tuple(articles),
        matter_document=matter_document,
        matter=matter_document.convert(MatterFile),
        events_document=events,
        events=None if events is None else events.convert(EventsFile),
        register=tuple(_files(path / "register", Register, problems)),
        order_document=order,
        order=None if order is None else order.convert(RegisterOrder),
    )


def _files(folder: Path, model: type[M], problems: list[Problem]) -> Iterator[tuple[Document, M]]:
    """Yield the files of a folder that holds one for each article, in the order of the law."""
    for path in sorted(folder.glob("*.yaml"), key=_reading_order):
        if path.name == _ORDER:
            continue
        try:
            document = read(path)
            yield document, document.convert(model)
        except SpecError as error:
            problems.append(error.problem)


def _reading_order(path: Path) -> tuple[int, str]:
    # The approving act stands before the regulation, the annex after it.
    return {"approval": 0, "annex": 2}.get(path.stem, 1), path.stem


def _provisions(
    folders: list[InstrumentFolder],
) -> tuple[dict[str, LocatedProvision], tuple[LocatedProvision, ...]]:
    held: dict[str, LocatedProvision] = {}
    duplicates: list[LocatedProvision] = []
    for folder in folders:
        for file in folder.articles:
            for index, provision in enumerate(file.article.provisions):
                one = LocatedProvision(
                    instrument=folder.instrument, article=file, index=index, provision=provision
                )
                if one.id in held:
                    duplicates.append(one)
                else:
                    held[one.id] = one
    return held, tuple(duplicates)
