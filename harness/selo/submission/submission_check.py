"""Everything that a submission lacks, at once.

1. The form can be read and says everything; its games are games of the law.
2. Every statement is declared, and not for a later day.
3. The dossier says what only the vendor knows.
4. Each game with exact odds has a PAR sheet of its own that can be read.
5. The adapter is a file of the product.
6. Every file is a plain file, with a name that a registry can list.
7. The manifest is of this form and these files, and the vendor signed it.

Nothing of the vendor is run.
"""

from __future__ import annotations

import enum
import shlex
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from selo.errors import SeloError
from selo.evidence.run_files import SUBMISSION_FILE, SUBMISSION_SIGNATURE_FILE
from selo.gate.permission_signature import verify_signature
from selo.registry.registry_events import MAX_NAME
from selo.report.model.dossier import read_dossier
from selo.report.requirements import list_empty_fields
from selo.rules.checks import list_games
from selo.rules.odds import OddsCatalogue, read_par_sheet
from selo.submission.submission_manifest import (
    FORM_FILE,
    DeclaredStatement,
    SubmissionForm,
    list_files,
    parse_manifest,
    read_form,
    read_manifest,
)
from selo.text import say
from selo.text.sanitize import escape_unseen

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from selo.gate.permission_signature import Trust
    from selo.law import Law


#: Slots whose value has words of its own, and the key of these.
_WORDED_SLOTS: Final = {"statement": "submit.statement.{}", "field": "report.field.{}"}


class SubmissionState(enum.StrEnum):
    """How bad a problem is."""

    #: Something is not there, or not said.
    MISSING = "missing"
    #: Nobody has said whom to trust.
    UNTRUSTED = "untrusted"
    #: Something is not what the vendor signed.
    ALTERED = "altered"


@dataclass(frozen=True, kw_only=True, slots=True)
class SubmissionProblem:
    """One thing that a submission lacks."""

    state: SubmissionState
    key: str
    slots: dict[str, str] = field(default_factory=dict)

    def message(self, language: str) -> str:
        """Return it as a sentence."""
        slots = dict(self.slots)
        for slot, words in _WORDED_SLOTS.items():
            if slot in slots:
                slots["words"] = say(words.format(slots[slot]), language)
        return say(f"submit.problem.{self.key}", language, **slots)


def _missing(key: str, **slots: object) -> SubmissionProblem:
    texts = {name: str(value) for name, value in slots.items()}
    return SubmissionProblem(state=SubmissionState.MISSING, key=key, slots=texts)


def _altered(key: str, **slots: object) -> SubmissionProblem:
    texts = {name: str(value) for name, value in slots.items()}
    return SubmissionProblem(state=SubmissionState.ALTERED, key=key, slots=texts)


def check_submission(
    folder: Path, law: Law, trust: Trust, today: dt.date
) -> Iterator[SubmissionProblem]:
    """Yield everything that is missing in a packed submission, or wrong with it."""
    yield from find_form_problems(folder, law, today)
    try:
        content, signature = read_manifest(folder)
    except OSError:
        yield _missing("file", path=SUBMISSION_FILE)
        return
    try:
        manifest = parse_manifest(content)
    except ValueError as error:
        yield _altered("manifest", error=error)
        return
    try:
        form = read_form(folder)
    except (SeloError, OSError):
        form = None  # Told above.
    if form is not None and form != manifest.form:
        yield _altered("form-differs")
    there = dict(list_files(folder))
    signed = {file.path: file for file in manifest.files}
    for path in sorted({*there, *signed}):
        if path not in there:
            yield _altered("file-gone", path=path)
        elif path not in signed:
            yield _altered("file-extra", path=path)
        elif there[path] != signed[path]:
            yield _altered("file-changed", path=path)
    yield from _check_signature(folder, content, signature, manifest.form.vendor, trust)


def _check_signature(
    folder: Path, content: bytes, signature: bytes | None, vendor: str, trust: Trust
) -> Iterator[SubmissionProblem]:
    if signature is None:
        yield _missing("file", path=SUBMISSION_SIGNATURE_FILE)
        return
    if not trust.roots:
        yield SubmissionProblem(state=SubmissionState.UNTRUSTED, key="nobody-trusted")
        return
    try:
        signer = verify_signature(content, signature, folder / SUBMISSION_FILE, trust)
    except SeloError as error:
        yield _altered("signature", error=str(error).splitlines()[0])
        return
    if signer.name != vendor:
        yield _altered("other-signer", signer=signer.name, vendor=vendor)


def find_form_problems(folder: Path, law: Law, today: dt.date) -> Iterator[SubmissionProblem]:
    """Yield what a folder lacks before its vendor can sign it."""
    if not (folder / FORM_FILE).is_file():
        yield _missing("file", path=FORM_FILE)
        return
    try:
        form = read_form(folder)
    except SeloError as error:
        yield _missing("unreadable", path=FORM_FILE, error=str(error).splitlines()[0])
        return
    known = list_games(law)
    for game in form.games:
        if game not in known:
            yield _missing("game", game=game, known=", ".join(known))
    yield from _check_declaration(form, today)
    yield from _check_dossier(folder, form)
    yield from _check_par(folder, form, law)
    yield from _check_adapter(folder, form)
    for path, file in list_files(folder):
        if file is None:
            yield _missing("not-a-file", path=path)
        elif not _is_registrable(path):
            yield _missing("file-name", path=escape_unseen(path), most=MAX_NAME)


def _check_declaration(form: SubmissionForm, today: dt.date) -> Iterator[SubmissionProblem]:
    for statement in DeclaredStatement:
        if statement not in form.declaration.statements:
            yield _missing("statement", statement=statement)
    if form.declaration.on > today:
        yield _missing("later-day", day=form.declaration.on)


def _check_dossier(folder: Path, form: SubmissionForm) -> Iterator[SubmissionProblem]:
    path = _inside(folder, form.dossier)
    if path is None:
        yield _missing("file", path=form.dossier)
        return
    try:
        gaps = list_empty_fields(read_dossier(path), of_vendor=True)
    except SeloError as error:
        yield _missing("unreadable", path=form.dossier, error=str(error).splitlines()[0])
        return
    for name in gaps:
        yield _missing("dossier-field", field=name)


def _check_par(folder: Path, form: SubmissionForm, law: Law) -> Iterator[SubmissionProblem]:
    for game in OddsCatalogue(law).games():
        if game in form.games and game not in form.par:
            yield _missing("par", game=game)
    for game, name in form.par.items():
        path = _inside(folder, name)
        if path is None:
            yield _missing("file", path=name)
            continue
        try:
            sheet = read_par_sheet(path, game)
        except SeloError as error:
            yield _missing("unreadable", path=name, error=str(error).splitlines()[0])
            continue
        if not sheet.bets:
            yield _missing("par", game=game)
        if sheet.game != game:
            yield _missing("par-game", path=name, game=game, other=sheet.game)


def _check_adapter(folder: Path, form: SubmissionForm) -> Iterator[SubmissionProblem]:
    product = folder / form.folder
    if not product.is_dir() or not product.resolve().is_relative_to(folder.resolve()):
        yield _missing("folder", path=form.folder)
        return
    try:
        words = shlex.split(form.command)
    except ValueError as error:
        yield _missing("command", command=form.command, error=error)
        return
    if not any(_inside(product, word) is not None for word in words):
        yield _missing("adapter", command=form.command, folder=form.folder)


def _is_registrable(path: str) -> bool:
    """Return whether a registry could list a file of that name."""
    return len(path) <= MAX_NAME and path.encode(errors="replace").decode() == path


def _inside(folder: Path, name: str) -> Path | None:
    """Return a plain file by its path in a folder; nothing if it is not there or lies outside."""
    if PurePosixPath(name).is_absolute():
        return None
    path = folder / name
    inside = path.resolve().is_relative_to(folder.resolve())
    return path if inside and path.is_file() and not path.is_symlink() else None
