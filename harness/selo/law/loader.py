"""Reads everything under ``specs/`` and ``bilingual/`` into one immutable Law."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from selo import data_files
from selo.errors import Problem, SpecError
from selo.gazette import Glossary, sources
from selo.gazette.quantities import ConcordanceVocabulary
from selo.gazette.sources import OutOfScopeList, Sources
from selo.law.files.divergence_register import Divergence, Register, RegisterOrder
from selo.law.files.equipment_file import EQUIPMENT_FILE, EquipmentFile
from selo.law.files.events_file import EventsFile
from selo.law.files.provision_file import (
    Article,
    Instrument,
    MatterFile,
    MissingFile,
    Reconstruction,
)
from selo.law.files.round_file import read_written_rounds
from selo.text import message_catalogue, user_error
from selo.text.message_catalogue import CONDITIONS_FILE, check_conditions
from selo.yaml_file import YamlDocument, read_typed_yaml, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from selo.law.files.provision_file import Provision

M = TypeVar("M")

#: Files with hand-written rounds, cases that distinguish readings, and what is asked of chance.
CASE_FILES: Final = ("rounds", "situations", "declarations", "chance", "equipment")
#: The folder of ``specs/`` that is not an instrument.
_SCHEMA_FOLDER: Final = "schema"
#: Allowed files and subfolders of an instrument.
_FILE_STEMS: Final = frozenset({"instrument", "matter", "events", "words", "missing", *CASE_FILES})
_SUBFOLDERS: Final = frozenset({"articles", "register", "reconstructed"})
_ORDER_FILE: Final = "order.yaml"


@dataclass(frozen=True, kw_only=True, slots=True)
class LocatedProvision:
    """A provision with its instrument, article file and index there."""

    instrument: Instrument
    article: ArticleFile
    index: int
    provision: Provision

    @property
    def id(self) -> str:
        """The full id, such as ``portaria-21-96-m/5/d``."""
        return f"{self.instrument.id}/{self.provision.id}"

    def problem(self, *steps: str | int, problem: str, hint: str, code: str = "spec") -> Problem:
        """Return a problem of this provision."""
        return self.article.document.problem(
            "provisions", self.index, *steps, problem=f"{self.id}: {problem}", hint=hint, code=code
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ArticleFile:
    """An article and the file it was read from."""

    document: YamlDocument
    article: Article


@dataclass(frozen=True, kw_only=True, slots=True)
class InstrumentFolder:
    """An instrument with all its files; articles in the order of the law."""

    document: YamlDocument
    instrument: Instrument
    articles: tuple[ArticleFile, ...]
    matter_document: YamlDocument
    matter: MatterFile
    #: The events of a round, if the game has a procedure.
    events_document: YamlDocument | None = None
    events: EventsFile | None = None
    #: Its open points by article, and their display order.
    register: tuple[tuple[YamlDocument, Register], ...] = ()
    order_document: YamlDocument | None = None
    order: RegisterOrder | None = None
    #: What an intake left to be written.
    missing_document: YamlDocument | None = None
    missing: MissingFile | None = None
    #: How its pieces look, and what may be chosen.
    equipment: EquipmentFile | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Law:
    """The law: all instruments with provisions, register, glossary and gazette sources."""

    folders: tuple[InstrumentFolder, ...]
    provisions: Mapping[str, LocatedProvision]
    duplicates: tuple[LocatedProvision, ...]
    divergences: tuple[Divergence, ...]
    #: File and index of each divergence, in the same order.
    register_places: tuple[tuple[YamlDocument, int], ...]
    glossary: Glossary
    glossary_document: YamlDocument
    reconstructions: tuple[tuple[YamlDocument, Reconstruction], ...]
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: YamlDocument
    vocabulary: ConcordanceVocabulary
    #: Digests of the hand-written rounds, situations and declarations, by file.
    tried: Mapping[str, str] = field(default_factory=dict)
    specs: Path
    bilingual: Path
    #: Of an older edition, the digest that its program computed, and the questions it recorded.
    known_as: str | None = None
    recorded: object | None = None
    #: The digest of its content, once it was computed.
    digests: dict[str, str] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        """Return a short text: a traceback that shows the law must not print all of it."""
        return f"<Law of {len(self.folders)} instruments>"

    def find(self, provision: str) -> LocatedProvision:
        """Return the provision with the full id `provision`."""
        if provision in self.provisions:
            return self.provisions[provision]
        near = difflib.get_close_matches(provision, self.provisions, n=3) or [*self.provisions][:1]
        raise user_error("provision", name=provision, example=", ".join(near))

    def divergences_of(self, provision: str) -> Iterator[Divergence]:
        """Yield the open points that touch `provision`."""
        yield from (point for point in self.divergences if provision in point.provisions)


def load_law(*, specs: Path | None = None, bilingual: Path | None = None) -> Law:
    """Return the whole law, or raise at the first file that cannot be used."""
    law, problems = read_law(specs=specs, bilingual=bilingual)
    if law is None:
        raise SpecError(*problems)
    return law


def read_law(
    *, specs: Path | None = None, bilingual: Path | None = None
) -> tuple[Law | None, list[Problem]]:
    """Return the law, or nothing and the problems of all files that cannot be read."""
    specs = specs or data_files.data_folder("specs")
    bilingual = bilingual or data_files.data_folder("bilingual")
    problems: list[Problem] = []
    folders = []
    for path in sorted(specs.glob("*")):
        if path.is_dir() and path.name != _SCHEMA_FOLDER:
            problems += _find_strays(path)
            try:
                folders.append(_read_folder(path, problems))
            except SpecError as error:
                problems += error.problems
        elif path.suffix == ".yaml":
            problems.append(_stray_problem(path))
    words = _read_bilingual(bilingual, problems)
    reconstructions = []
    for path in sorted(specs.glob("*/reconstructed/*.yaml"), key=lambda path: path.name):
        try:
            document = read_yaml(path)
            reconstructions.append((document, document.convert(Reconstruction)))
        except SpecError as error:
            problems += error.problems
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
    provisions, duplicates = _index_provisions(folders)
    tried = dict(_digest_case_files(folders, problems))
    problems += [problem for folder in folders for problem in _check_words(folder)]
    if problems:
        return None, problems
    register = _collect_register(folders)
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
        specs=specs,
        bilingual=bilingual,
    ), []


def _stray_problem(path: Path) -> Problem:
    return Problem(
        path=path,
        line=0,
        problem=f"'{path.name}' has no place here",
        hint="docs/law-format.md says which files an instrument has, and where.",
    )


def _find_strays(path: Path) -> Iterator[Problem]:
    """Yield every file in the folder of an instrument that is never read."""
    for file in sorted(path.rglob("*.yaml")):
        subfolder = file.parent.relative_to(path).as_posix()
        if subfolder not in _SUBFOLDERS and not (subfolder == "." and file.stem in _FILE_STEMS):
            yield _stray_problem(file)


def _check_game(document: YamlDocument, folder: InstrumentFolder) -> Iterator[Problem]:
    game = document.plain.get("game", folder.instrument.game)
    if game != folder.instrument.game:
        yield document.problem(
            "game",
            problem=f"'{game}' is not the game of {folder.instrument.id}",
            hint="Move the file to the folder of the instrument that it serves.",
        )


def _check_words(folder: InstrumentFolder) -> Iterator[Problem]:
    """Yield the problems of the messages of a game, including those of unknown rounds."""
    path = folder.document.path.with_name("words.yaml")
    if not path.exists():
        return
    try:
        document = read_yaml(path)
        words = document.convert(message_catalogue.GameMessages)
        rounds = read_written_rounds(words.game, specs=path.parent.parent) if words.rounds else None
    except SpecError as error:
        yield from error.problems
        return
    yield from _check_game(document, folder)
    names = set() if rounds is None else {script.name for script in rounds[1].rounds}
    for name in words.rounds:
        if name not in names:
            yield document.problem(
                "rounds",
                name,
                problem=f"there is no round '{name}'",
                hint="Name a round of rounds.yaml, where its English stands.",
            )


def _digest_case_files(
    folders: list[InstrumentFolder], problems: list[Problem]
) -> Iterator[tuple[str, str]]:
    """Yield the name of each case file, by kind and game, with a digest of its content."""
    for folder in folders:
        game = folder.instrument.game
        for name in CASE_FILES:
            path = folder.document.path.with_name(f"{name}.yaml")
            if not path.exists():
                continue
            try:
                document = read_yaml(path)
            except SpecError as error:
                problems += error.problems
                continue
            if isinstance(document.plain, dict):
                problems += _check_game(document, folder)
            # Cases distinguish numbers from text, so the typed content is digested too.
            content = msgspec.json.encode([document.plain, read_typed_yaml(path)], order="sorted")
            yield f"{name}/{game}.yaml", hashlib.sha256(content).hexdigest()


def _register_position(folder: InstrumentFolder) -> tuple[bool, int]:
    return folder.order is None, 0 if folder.order is None else folder.order.place


def _collect_register(
    folders: list[InstrumentFolder],
) -> list[tuple[YamlDocument, int, Divergence]]:
    """Return all open points in display order, each with its file and index."""
    ordered = []
    for folder in sorted(folders, key=_register_position):
        points = [] if folder.order is None else folder.order.points
        places = {point: place for place, point in enumerate(points)}
        entries = [
            (document, index, divergence)
            for document, register in folder.register
            for index, divergence in enumerate(register.divergences)
        ]
        ordered += sorted(entries, key=lambda entry: places.get(entry[2].id, len(places)))
    return ordered


@dataclass(frozen=True, kw_only=True, slots=True)
class _BilingualFiles:
    glossary: Glossary
    glossary_document: YamlDocument
    sources: Sources
    out_of_scope: OutOfScopeList
    out_of_scope_document: YamlDocument
    vocabulary: ConcordanceVocabulary


def _read_bilingual(bilingual: Path, problems: list[Problem]) -> _BilingualFiles | None:
    try:
        if (bilingual / message_catalogue.MESSAGES_FOLDER).is_dir():
            problems += message_catalogue.check_messages(bilingual)
        problems += check_conditions(read_yaml(bilingual / CONDITIONS_FILE))
        glossary = read_yaml(bilingual / "glossary.yaml")
        out_of_scope = read_yaml(bilingual / "out-of-scope.yaml")
        return _BilingualFiles(
            glossary=glossary.convert(Glossary),
            glossary_document=glossary,
            sources=sources.load_sources(bilingual),
            out_of_scope=out_of_scope.convert(OutOfScopeList),
            out_of_scope_document=out_of_scope,
            vocabulary=read_yaml(bilingual / "concordance.yaml").convert(ConcordanceVocabulary),
        )
    except SpecError as error:
        problems += error.problems
        return None


def _read_folder(path: Path, problems: list[Problem]) -> InstrumentFolder:
    document = read_yaml(path / "instrument.yaml")
    matter_document = read_yaml(path / "matter.yaml")
    articles = [
        ArticleFile(document=document, article=article)
        for document, article in _read_files(path / "articles", Article, problems)
    ]
    order, events, missing, equipment = (
        read_yaml(path / name) if (path / name).exists() else None
        for name in (f"register/{_ORDER_FILE}", "events.yaml", "missing.yaml", EQUIPMENT_FILE)
    )
    return InstrumentFolder(
        document=document,
        instrument=document.convert(Instrument),
        articles=tuple(articles),
        matter_document=matter_document,
        matter=matter_document.convert(MatterFile),
        events_document=events,
        events=None if events is None else events.convert(EventsFile),
        register=tuple(_read_files(path / "register", Register, problems)),
        order_document=order,
        order=None if order is None else order.convert(RegisterOrder),
        missing_document=missing,
        missing=None if missing is None else missing.convert(MissingFile),
        equipment=None if equipment is None else equipment.convert(EquipmentFile),
    )


def _read_files(
    folder: Path, model: type[M], problems: list[Problem]
) -> Iterator[tuple[YamlDocument, M]]:
    """Yield the files of a folder with one file for each article, in the order of the law."""
    for path in sorted(folder.glob("*.yaml"), key=_reading_order):
        if path.name == _ORDER_FILE:
            continue
        try:
            document = read_yaml(path)
            yield document, document.convert(model)
        except SpecError as error:
            problems += error.problems


def _reading_order(path: Path) -> tuple[int, str]:
    # The approving act precedes the regulation; the annex follows it.
    return {"approval": 0, "annex": 2}.get(path.stem, 1), path.stem


def _index_provisions(
    folders: list[InstrumentFolder],
) -> tuple[dict[str, LocatedProvision], tuple[LocatedProvision, ...]]:
    provisions: dict[str, LocatedProvision] = {}
    duplicates: list[LocatedProvision] = []
    for folder in folders:
        for file in folder.articles:
            for index, provision in enumerate(file.article.provisions):
                located = LocatedProvision(
                    instrument=folder.instrument, article=file, index=index, provision=provision
                )
                if located.id in provisions:
                    duplicates.append(located)
                else:
                    provisions[located.id] = located
    return provisions, tuple(duplicates)
