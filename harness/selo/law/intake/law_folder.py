"""The law folder that an intake is written into, and what the check says of it."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from selo import data_files
from selo.law.intake.draft_files import DraftWriter
from selo.law.intake.draft_instrument import DraftNames, read_day
from selo.law.intake.page_intake import Page, read_intake, slug
from selo.law.intake.page_text import read_page
from selo.law.lint import check_law
from selo.law.loader import load_law
from selo.storage import read_bounded, write_file
from selo.storage.atomic_write import write_new_files
from selo.text import LAW_LANGUAGES, user_error

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from selo.errors import Problem
    from selo.law.intake.draft_files import DraftFolder
    from selo.law.intake.page_intake import Intake

_LAW_FOLDERS: Final = ("specs", "bilingual")
_MOST_SOURCES: Final = 999
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
#: Problems that remain after an intake: rules to write, numbers to explain.
REMAINING_CODES: Final = frozenset({"missing", "concordance"})


@dataclass(frozen=True, kw_only=True, slots=True)
class IntakeOrder:
    """What is to be read, and what it is called."""

    pages: Sequence[str]
    language: str | None
    out: Path
    number: str | None = None
    instrument: str | None = None
    game: str | None = None
    published: dt.date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class IntakeResult:
    """What was written, and what the check says of it."""

    instrument: str
    folder: Path
    sources: list[tuple[str, str, str]]
    languages: list[str]
    articles: int
    draft: DraftFolder
    #: What prevents a check of structure, quotation and partition.
    problems: list[Problem]


def take_in(order: IntakeOrder) -> IntakeResult:
    """Read the pages, write the folder of the instrument, and check it."""
    named = [_page_language(written, order.language) for written in order.pages]
    read = [(path, language, *read_page(path)) for path, language in named]
    exists = _is_law_folder(order.out)
    law = load_law(**({name: order.out / name for name in _LAW_FOLDERS} if exists else {}))
    sources = [source.entry for source in law.sources.by_id.values()]
    known = {entry.sha256: entry.id for entry in sources} | {
        entry.page.sha256: entry.id for entry in sources if entry.page
    }
    first = 1 + max((int(entry.id) for entry in sources), default=-1)
    if first + len(read) > _MOST_SOURCES:
        raise user_error("intake-sources", most=_MOST_SOURCES)
    pages = []
    for place, (path, language, content, text) in enumerate(read):
        digest = hashlib.sha256(content).hexdigest()
        if digest in known:
            raise user_error("intake-known", path=path, source=known[digest])
        known[digest] = f"{first + place:03}"
        pages.append(
            Page(
                source=f"{first + place:03}",
                path=path,
                content=content,
                text=text,
                language=language,
            )
        )
    intake = read_intake(pages, number=order.number)
    names = _names(order, intake)
    specs, bilingual = (order.out / name for name in _LAW_FOLDERS)
    if any(folder.instrument.id == names.instrument for folder in law.folders):
        raise user_error("intake-exists", folder=specs / names.instrument)
    if any(folder.instrument.game == names.game for folder in law.folders):
        raise user_error("intake-game", game=names.game)
    draft = DraftWriter(intake, names, glossary=law.glossary, vocabulary=law.vocabulary).write()
    if not exists:
        _copy_law(order.out)
    _write(order.out, draft, pages)
    _, problems = check_law(specs=specs, bilingual=bilingual)
    return IntakeResult(
        instrument=names.instrument,
        folder=specs / names.instrument,
        sources=[
            (page.source, page.path.name, hashlib.sha256(page.content).hexdigest())
            for page in pages
        ],
        languages=intake.languages,
        articles=len(intake.articles),
        draft=draft,
        problems=[problem for problem in problems if problem.code not in REMAINING_CODES],
    )


def _page_language(written: str, usual: str | None) -> tuple[Path, str | None]:
    """Return the path and the language of a page, given as PAGE, pt:PAGE or zh:PAGE."""
    language, colon, rest = written.partition(":")
    if colon and language in LAW_LANGUAGES and rest:
        return Path(rest), language
    return Path(written), usual


def _is_law_folder(out: Path) -> bool:
    """Return whether `out` holds a law; it may also be new or empty, and nothing else."""
    if all((out / name).is_dir() for name in _LAW_FOLDERS):
        return True
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise user_error("intake-folder", folder=out)
    return False


def _copy_law(out: Path) -> None:
    """Make `out` a copy of the law in use."""
    try:
        for name in _LAW_FOLDERS:
            shutil.copytree(data_files.data_folder(name), out / name)
    except OSError as error:
        raise user_error("folder-unmade", folder=out, error=error.strerror) from error


def _names(order: IntakeOrder, intake: Intake) -> DraftNames:
    kind = intake.kind.get("pt", "")
    instrument = order.instrument or slug(f"{kind.split(' ')[0] or 'act'} {intake.number}")
    game = order.game or instrument
    for name in (instrument, game):
        if not _ID.fullmatch(name):
            raise user_error("intake-id", given=name)
    published = order.published or _published(intake)
    if published is None:
        raise user_error("intake-published")
    return DraftNames(instrument=instrument, number=intake.number, game=game, published=published)


def _published(intake: Intake) -> dt.date | None:
    """Return the day that the pages name: the latest whole date around the articles."""
    days = [
        day
        for language in intake.languages
        for _, paragraphs in intake.texts[language].matter
        for paragraph in paragraphs
        if (day := read_day(" ".join(line.text for line in paragraph))) is not None
    ]
    return max(days, default=None)


def _write(out: Path, draft: DraftFolder, pages: Sequence[Page]) -> None:
    """Write the new files, all or none, and then name them in the lists that exist."""
    sources = Path("bilingual", "sources")
    files = [(name, text.encode()) for name, text in draft.files.items()]
    files += [
        (str(sources / name), content) for page in pages for name, content in page.stored_files()
    ]
    write_new_files(out, files)
    _append(out / "bilingual" / "sources.yaml", draft.sources)
    _append(out / "bilingual" / "out-of-scope.yaml", draft.out_of_scope)


def _append(path: Path, text: str) -> None:
    if text:
        before = read_bounded(path).decode().rstrip("\n").removesuffix(" []")
        write_file(path, f"{before}\n{text}".encode(), replace=True)
