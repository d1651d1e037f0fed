"""Reads forms that people have filled in, and says what is wrong with each, by line."""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import Problem, SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.law.spec_digest import compute_spec_digest
from selo.text.message_catalogue import say
from selo.text.sanitize import escape_unseen
from selo.verdict.observations import EntryTrust, Photo, Witness, WitnessAnswer
from selo.verdict.witness.form import (
    SHAPE,
    Form,
    FormEntry,
    InspectedItem,
    all_games,
    blank_entry,
    provisions_to_inspect,
)
from selo.yaml_file import read

if TYPE_CHECKING:
    from selo.law.loader import Law, LocatedProvision
    from selo.yaml_file import Document, Step

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
#: A photograph larger than this is not read: hashing must come to an end.
_LARGEST_PHOTO: Final = 1 << 30
_MAX_QUOTED_CHARACTERS: Final = 120


class FlawWeight(enum.StrEnum):
    """What a flaw does to the form."""

    #: Nothing in the form can be used.
    REFUSED = "refused"
    #: A file is not the one that was recorded.
    TAMPERED = "tampered"
    #: The provision stays to be witnessed.
    OPEN = "open"


#: The exit code for each weight; the command line has the same contract.
EXITS: Final = {FlawWeight.REFUSED: 3, FlawWeight.TAMPERED: 6, FlawWeight.OPEN: 2}
_NOT_MET: Final = 1


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong in a form."""

    path: str
    line: int
    name: str
    weight: FlawWeight
    slots: dict[str, str] = {}
    provision: str | None = None

    def problem(self, language: str) -> Problem:
        """Return what is wrong and what to do, in words."""
        slots = {
            name: escape_unseen(value, _MAX_QUOTED_CHARACTERS) for name, value in self.slots.items()
        }
        key = f"witness.flaw.{self.name}"
        told = say(key, language, **slots)
        return Problem(
            path=Path(self.path),
            line=self.line,
            problem=told
            if self.provision is None
            else f"{escape_unseen(self.provision, _MAX_QUOTED_CHARACTERS)}: {told}",
            hint=say(f"{key}.hint", language, **slots),
            code=self.weight,
        )


class CheckedForm(ClosedRecord, frozen=True):
    """A form as it was found."""

    path: str
    sha256: str
    games: list[str]
    item: InspectedItem
    #: What it says of each provision; nothing when the form is refused.
    witnesses: tuple[Witness, ...]
    flaws: tuple[Flaw, ...]
    #: Photographs that are not beside the form, so that nobody could compare them.
    absent: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether nothing in it can be used."""
        return any(flaw.weight is FlawWeight.REFUSED for flaw in self.flaws)

    def concerns(self, *, vendor: str, product: str, version: str) -> bool:
        """Return whether it is about this product, as its vendor describes it."""
        item = self.item
        pairs = (item.vendor, vendor), (item.product, product), (item.version, version)
        # A version is compared as it is written: 1.10 is not 11.0.
        return all(_same(one, other) for one, other in pairs) and item.version == version


def form_exit_code(forms: list[CheckedForm]) -> int:
    """Return the exit code: a form that cannot be used, then tampering, then what was seen."""
    weights = {flaw.weight for form in forms for flaw in form.flaws}
    for weight in (FlawWeight.REFUSED, FlawWeight.TAMPERED):
        if weight in weights:
            return EXITS[weight]
    valid = [
        witness
        for form in forms
        for witness in form.witnesses
        if witness.signed is EntryTrust.VALID
    ]
    if any(one.result is WitnessAnswer.NOT_MET for one in valid):
        return _NOT_MET
    return EXITS[FlawWeight.OPEN] if weights or not valid else 0


def check_form(path: Path, law: Law, day: dt.date) -> CheckedForm:
    """Return what the form in `path` says on `day`, or raise if it is no form at all."""
    document = read(path)
    form = _form(document)
    reader = _FormReader(document, law, form, day)
    reader.read()
    return CheckedForm(
        path=str(path),
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        games=form.games,
        item=form.item,
        witnesses=() if reader.refused else tuple(reader.witnesses),
        flaws=tuple(sorted(reader.flaws, key=lambda flaw: flaw.line)),
        absent=tuple(reader.absent),
    )


def _form(document: Document) -> Form:
    try:
        return document.convert(Form)
    except SpecError as error:
        found = error.problem
        raise SpecError(
            Problem(
                path=found.path,
                line=found.line,
                problem=found.problem,
                hint="Compare with a fresh form: selo witness new.",
            )
        ) from error


class _FormReader:
    """Goes through one form and gathers what is wrong."""

    def __init__(self, document: Document, law: Law, form: Form, day: dt.date) -> None:
        self._document, self._law, self._form, self._day = document, law, form, day
        self.flaws: list[Flaw] = []
        self.witnesses: list[Witness] = []
        self.absent: list[str] = []
        self._sha256 = hashlib.sha256(document.path.read_bytes()).hexdigest()

    @property
    def refused(self) -> bool:
        return any(flaw.weight is FlawWeight.REFUSED for flaw in self.flaws)

    def read(self) -> None:
        self._edition()
        if self.refused:
            # The provisions of another edition cannot be compared with ours.
            return
        named = self._item()
        expected = {held.id: held for held in provisions_to_inspect(self._law, self._form.games)}
        seen: set[str] = set()
        for at, entry in enumerate(self._form.entries):
            if self._known(at, entry, expected, seen):
                self._entry(at, entry, named=named)
            seen.add(entry.id)
        for name in expected:
            if name not in seen:
                self._flaw("missing", "entries", provision=name)

    def _flaw(
        self,
        name: str,
        *steps: Step,
        weight: FlawWeight = FlawWeight.OPEN,
        provision: str | None = None,
        **slots: Any,
    ) -> None:
        self.flaws.append(
            Flaw(
                path=str(self._document.path),
                line=self._document.line(*steps),
                name=name,
                weight=weight,
                slots={slot: str(value) for slot, value in slots.items()},
                provision=provision,
            )
        )

    def _edition(self) -> None:
        form, ours = self._form, compute_spec_digest(self._law)
        if form.form != SHAPE:
            self._flaw("shape", "form", weight=FlawWeight.REFUSED, found=form.form, shape=SHAPE)
        if form.spec_digest != ours:
            self._flaw(
                "edition",
                "spec_digest",
                weight=FlawWeight.REFUSED,
                found=form.spec_digest,
                ours=ours,
            )
        known = all_games(self._law)
        for at, game in enumerate(form.games):
            if game not in known:
                self._flaw("game", "games", at, weight=FlawWeight.REFUSED, game=game)
        if not form.games:
            self._flaw("game", "games", weight=FlawWeight.REFUSED, game="")

    def _item(self) -> bool:
        missing = [
            name
            for name in ("vendor", "product", "version")
            if not _says(getattr(self._form.item, name))
        ]
        for name in missing:
            self._flaw("blank", "item", name, field=f"item.{name}")
        return not missing

    def _known(
        self, at: int, entry: FormEntry, expected: dict[str, LocatedProvision], seen: set[str]
    ) -> bool:
        """Return whether an entry is one that this form must have, with the words of the law."""
        where: tuple[Step, ...] = ("entries", at, "id")
        if entry.id not in expected:
            name = "not-for-people" if entry.id in self._law.provisions else "unknown"
            self._flaw(name, *where, weight=FlawWeight.REFUSED, provision=entry.id)
            return False
        if entry.id in seen:
            self._flaw("twice", *where, weight=FlawWeight.REFUSED, provision=entry.id)
            return False
        ours = blank_entry(self._law, expected[entry.id])
        for part in ("citation", "text", "look_at"):
            if getattr(entry, part) != getattr(ours, part):
                self._flaw(
                    "altered",
                    *("entries", at, part),
                    weight=FlawWeight.REFUSED,
                    provision=entry.id,
                    part=part,
                )
                return False
        return True

    def _entry(self, at: int, entry: FormEntry, *, named: bool) -> None:
        before = len(self.flaws)
        self._filled(at, entry)
        date, until = self._days(at, entry)
        for index, photo in enumerate(entry.photos):
            self._photo(at, index, entry, photo)
        complete = named and len(self.flaws) == before
        twofold = self._signed_twice(at, entry)
        expired = until is not None and until < self._day
        if expired:
            self._flaw(
                "expired", *("entries", at, "valid_until"),
                provision=entry.id, value=entry.valid_until, day=self._day,
            )  # fmt: skip
        self.witnesses.append(
            Witness(
                provision=entry.id,
                signed=_entry_trust(complete=complete, twofold=twofold, expired=expired),
                result=WitnessAnswer(entry.result) if entry.result in list(WitnessAnswer) else None,
                observation=entry.observation,
                examiner=entry.examiner,
                second=entry.second,
                date=date,
                place=entry.place,
                valid_until=until,
                photos=tuple(entry.photos),
                form=self._sha256,
            )
        )

    def _filled(self, at: int, entry: FormEntry) -> None:
        if not _says(entry.result):
            self._flaw("blank", "entries", at, "result", provision=entry.id, field="result")
        elif entry.result not in list(WitnessAnswer):
            self._flaw("result", "entries", at, "result", provision=entry.id, value=entry.result)
        for name in ("observation", "place"):
            if not _says(getattr(entry, name)):
                self._flaw("blank", "entries", at, name, provision=entry.id, field=name)
        for name in ("name", "number"):
            if not _says(getattr(entry.examiner, name)):
                field = f"examiner.{name}"
                self._flaw(
                    "blank", "entries", at, "examiner", name, provision=entry.id, field=field
                )

    def _days(self, at: int, entry: FormEntry) -> tuple[dt.date | None, dt.date | None]:
        date, until = (self._date(at, entry, name) for name in ("date", "valid_until"))
        if date is not None and date > self._day:
            self._flaw(
                "future", "entries", at, "date",
                provision=entry.id, value=entry.date, day=self._day,
            )  # fmt: skip
        if date is not None and until is not None and until < date:
            self._flaw(
                "ends-before", "entries", at, "valid_until",
                provision=entry.id, value=entry.valid_until, date=entry.date,
            )  # fmt: skip
        return date, until

    def _date(self, at: int, entry: FormEntry, name: str) -> dt.date | None:
        value = getattr(entry, name)
        if not _says(value):
            self._flaw("blank", "entries", at, name, provision=entry.id, field=name)
            return None
        try:
            # Other forms that Python would take, such as 2025-W05, are not how people write days.
            return dt.date.fromisoformat(value if _DAY.fullmatch(value) else "")
        except ValueError:
            self._flaw("no-day", "entries", at, name, provision=entry.id, field=name, value=value)
            return None

    def _signed_twice(self, at: int, entry: FormEntry) -> bool:
        one, other = entry.examiner, entry.second
        if not (_says(other.name) and _says(other.number)):
            self._flaw("single-signed", "entries", at, "second", provision=entry.id)
            return False
        if _same(one.name, other.name) or _same(one.number, other.number):
            self._flaw("same-person", "entries", at, "second", provision=entry.id, value=other.name)
            return False
        return True

    def _photo(self, at: int, index: int, entry: FormEntry, photo: Photo) -> None:
        where: tuple[Step, ...] = ("entries", at, "photos", index)
        if not _SHA256.fullmatch(photo.sha256):
            self._flaw("photo-digest", *where, "sha256", provision=entry.id, file=photo.file)
            return
        try:
            found = _digest(self._document.path.parent, photo.file)
        except (OSError, ValueError) as error:
            self._flaw(
                "photo-unreadable", *where, "file",
                provision=entry.id, file=photo.file, problem=error,
            )  # fmt: skip
            return
        if found is None:
            self.absent.append(photo.file)
        elif found != photo.sha256:
            self._flaw(
                "photo-differs", *where, "sha256",
                weight=FlawWeight.TAMPERED, provision=entry.id, file=photo.file, found=found,
            )  # fmt: skip


def _entry_trust(*, complete: bool, twofold: bool, expired: bool) -> EntryTrust:
    if not complete:
        return EntryTrust.INCOMPLETE
    if not twofold:
        return EntryTrust.SINGLE
    return EntryTrust.EXPIRED if expired else EntryTrust.VALID


def _digest(folder: Path, name: str) -> str | None:
    """Return the SHA-256 of a photograph beside the form, or nothing if it is not there."""
    path = (folder / name).resolve()
    if not _says(name) or not path.is_relative_to(folder.resolve()):
        msg = "it does not lie beside the form"
        raise ValueError(msg)
    if not path.exists():
        return None
    if not path.is_file() or path.stat().st_size > _LARGEST_PHOTO:
        msg = "it is no file that can be read"
        raise ValueError(msg)
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _bare(value: str) -> str:
    """Return the letters and digits of `value`, however they are written."""
    folded = unicodedata.normalize("NFKC", value).casefold()
    return "".join(one for one in folded if one.isalnum())


def _says(value: str) -> bool:
    return bool(_bare(value))


def _same(one: str, other: str) -> bool:
    return _says(one) and _bare(one) == _bare(other)
