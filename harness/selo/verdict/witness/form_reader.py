"""Reads and checks completed witness forms; each flaw names its line."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.errors import Problem, SpecError
from selo.law import compute_spec_digest
from selo.law.files.provision_file import ClosedRecord
from selo.text import say
from selo.text.sanitize import escape_unseen
from selo.verdict.observations import EntryTrust, Photo, Witness, WitnessAnswer
from selo.verdict.witness.form import (
    FORM_FORMAT,
    Form,
    FormEntry,
    InspectedItem,
    all_games,
    blank_entry,
    provisions_to_inspect,
)
from selo.verdict.witness.photographs import digest_photograph, is_digest
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from selo.law import Law, LocatedProvision
    from selo.yaml_file import YamlDocument, YamlStep

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAX_QUOTED_CHARACTERS: Final = 120


class FlawWeight(enum.StrEnum):
    """What a flaw does to the form."""

    #: Nothing in the form can be used.
    REFUSED = "refused"
    #: A file is not the one that was recorded.
    TAMPERED = "tampered"
    #: The provision stays to be witnessed.
    OPEN = "open"


#: The exit code of each weight; part of the contract of the command line.
FLAW_EXITS: Final = {FlawWeight.REFUSED: 3, FlawWeight.TAMPERED: 6, FlawWeight.OPEN: 2}
_NOT_MET_EXIT: Final = 1


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong in a form."""

    path: str
    line: int
    name: str
    weight: FlawWeight
    slots: dict[str, str] = {}
    provision: str | None = None

    def problem(self, language: str) -> Problem:
        """Return problem and remedy in `language`."""
        slots = {
            name: escape_unseen(value, _MAX_QUOTED_CHARACTERS) for name, value in self.slots.items()
        }
        key = f"witness.flaw.{self.name}"
        message = say(key, language, **slots)
        return Problem(
            path=Path(self.path),
            line=self.line,
            problem=message
            if self.provision is None
            else f"{escape_unseen(self.provision, _MAX_QUOTED_CHARACTERS)}: {message}",
            hint=say(f"{key}.hint", language, **slots),
            code=self.weight,
        )


class CheckedForm(ClosedRecord, frozen=True):
    """A form as it was found."""

    path: str
    sha256: str
    games: list[str]
    item: InspectedItem
    #: The entries by provision; none if the form is refused.
    witnesses: tuple[Witness, ...]
    flaws: tuple[Flaw, ...]
    #: Photographs that are not beside the form and could not be compared.
    absent: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether the form cannot be used."""
        return any(flaw.weight is FlawWeight.REFUSED for flaw in self.flaws)

    def concerns(self, *, vendor: str, product: str, version: str) -> bool:
        """Return whether it is about this product, as its vendor describes it."""
        item = self.item
        pairs = (item.vendor, vendor), (item.product, product), (item.version, version)
        # Versions are compared exactly: 1.10 is not 11.0.
        return all(_same_text(*pair) for pair in pairs) and item.version == version


def form_exit_code(forms: list[CheckedForm]) -> int:
    """Return the exit code: refused forms first, then tampering, then the witnessed results."""
    weights = {flaw.weight for form in forms for flaw in form.flaws}
    for weight in (FlawWeight.REFUSED, FlawWeight.TAMPERED):
        if weight in weights:
            return FLAW_EXITS[weight]
    witnesses = [witness for form in forms for witness in form.witnesses]
    valid = [witness for witness in witnesses if witness.signed is EntryTrust.VALID]
    if any(witness.result is WitnessAnswer.NOT_MET for witness in valid):
        return _NOT_MET_EXIT
    return FLAW_EXITS[FlawWeight.OPEN] if weights or not valid else 0


def check_form(path: Path, law: Law, day: dt.date) -> CheckedForm:
    """Return the form in `path`, checked on `day`; raise if the file is not a form."""
    document = read_yaml(path)
    form = _convert_form(document)
    reader = _FormReader(document, law, form, day)
    reader.read()
    return CheckedForm(
        path=str(path),
        sha256=document.sha256,
        games=form.games,
        item=form.item,
        witnesses=() if reader.refused else tuple(reader.witnesses),
        flaws=tuple(sorted(reader.flaws, key=lambda flaw: flaw.line)),
        absent=tuple(reader.absent),
    )


def _convert_form(document: YamlDocument) -> Form:
    try:
        return document.convert(Form)
    except SpecError as error:
        hint = "Compare with a fresh form: selo witness new."
        problems = [dataclasses.replace(problem, hint=hint) for problem in error.problems]
        raise SpecError(*problems) from error


class _FormReader:
    """Checks one form and collects its flaws."""

    def __init__(self, document: YamlDocument, law: Law, form: Form, day: dt.date) -> None:
        self._document, self._law, self._form, self._day = document, law, form, day
        self.flaws: list[Flaw] = []
        self.witnesses: list[Witness] = []
        self.absent: list[str] = []
        self._sha256 = document.sha256

    @property
    def refused(self) -> bool:
        return any(flaw.weight is FlawWeight.REFUSED for flaw in self.flaws)

    def read(self) -> None:
        self._check_edition()
        if self.refused:
            # The provisions of another edition cannot be compared with ours.
            return
        item_named = self._check_item()
        expected = {
            located.id: located for located in provisions_to_inspect(self._law, self._form.games)
        }
        seen: set[str] = set()
        for at, entry in enumerate(self._form.entries):
            if self._is_expected(at, entry, expected, seen):
                self._check_entry(at, entry, item_named=item_named)
            seen.add(entry.id)
        for name in expected:
            if name not in seen:
                self._flaw("missing", "entries", provision=name)

    def _flaw(
        self,
        name: str,
        *steps: YamlStep,
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

    def _check_edition(self) -> None:
        form, ours = self._form, compute_spec_digest(self._law)
        if form.form != FORM_FORMAT:
            self._flaw(
                "shape", "form", weight=FlawWeight.REFUSED, found=form.form, shape=FORM_FORMAT
            )
        if form.spec_digest != ours:
            self._flaw(
                "edition",
                "spec_digest",
                weight=FlawWeight.REFUSED,
                found=form.spec_digest,
                ours=ours,
            )
        games = all_games(self._law)
        for at, game in enumerate(form.games):
            if game not in games:
                self._flaw("game", "games", at, weight=FlawWeight.REFUSED, game=game)
        if not form.games:
            self._flaw("game", "games", weight=FlawWeight.REFUSED, game="")

    def _check_item(self) -> bool:
        missing = [
            name
            for name in ("vendor", "product", "version")
            if not _is_filled(getattr(self._form.item, name))
        ]
        for name in missing:
            self._flaw("blank", "item", name, field=f"item.{name}")
        return not missing

    def _is_expected(
        self, at: int, entry: FormEntry, expected: dict[str, LocatedProvision], seen: set[str]
    ) -> bool:
        """Return whether the form must have this entry and its text is that of the law."""
        where: tuple[YamlStep, ...] = ("entries", at, "id")
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

    def _check_entry(self, at: int, entry: FormEntry, *, item_named: bool) -> None:
        before = len(self.flaws)
        self._check_filled(at, entry)
        date, until = self._check_days(at, entry)
        for index, photo in enumerate(entry.photos):
            self._check_photo(at, index, entry, photo)
        complete = item_named and len(self.flaws) == before
        twofold = self._is_signed_twice(at, entry)
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

    def _check_filled(self, at: int, entry: FormEntry) -> None:
        if not _is_filled(entry.result):
            self._flaw("blank", "entries", at, "result", provision=entry.id, field="result")
        elif entry.result not in list(WitnessAnswer):
            self._flaw("result", "entries", at, "result", provision=entry.id, value=entry.result)
        for name in ("observation", "place"):
            if not _is_filled(getattr(entry, name)):
                self._flaw("blank", "entries", at, name, provision=entry.id, field=name)
        for name in ("name", "number"):
            if not _is_filled(getattr(entry.examiner, name)):
                field = f"examiner.{name}"
                self._flaw(
                    "blank", "entries", at, "examiner", name, provision=entry.id, field=field
                )

    def _check_days(self, at: int, entry: FormEntry) -> tuple[dt.date | None, dt.date | None]:
        date, until = (self._read_date(at, entry, name) for name in ("date", "valid_until"))
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

    def _read_date(self, at: int, entry: FormEntry, name: str) -> dt.date | None:
        value = getattr(entry, name)
        if not _is_filled(value):
            self._flaw("blank", "entries", at, name, provision=entry.id, field=name)
            return None
        try:
            # Python also accepts forms such as 2025-W05, which people do not write.
            return dt.date.fromisoformat(value if _DAY.fullmatch(value) else "")
        except ValueError:
            self._flaw("no-day", "entries", at, name, provision=entry.id, field=name, value=value)
            return None

    def _is_signed_twice(self, at: int, entry: FormEntry) -> bool:
        first, second = entry.examiner, entry.second
        if not (_is_filled(second.name) and _is_filled(second.number)):
            self._flaw("single-signed", "entries", at, "second", provision=entry.id)
            return False
        if _same_text(first.name, second.name) or _same_text(first.number, second.number):
            self._flaw(
                "same-person", "entries", at, "second", provision=entry.id, value=second.name
            )
            return False
        return True

    def _check_photo(self, at: int, index: int, entry: FormEntry, photo: Photo) -> None:
        where: tuple[YamlStep, ...] = ("entries", at, "photos", index)
        if not is_digest(photo.sha256):
            self._flaw("photo-digest", *where, "sha256", provision=entry.id, file=photo.file)
            return
        try:
            digest = digest_photograph(self._document.path.parent, photo.file)
        except (OSError, ValueError) as error:
            self._flaw(
                "photo-unreadable", *where, "file",
                provision=entry.id, file=photo.file, problem=error,
            )  # fmt: skip
            return
        if digest is None:
            self.absent.append(photo.file)
        elif digest != photo.sha256:
            self._flaw(
                "photo-differs", *where, "sha256",
                weight=FlawWeight.TAMPERED, provision=entry.id, file=photo.file, found=digest,
            )  # fmt: skip


def _entry_trust(*, complete: bool, twofold: bool, expired: bool) -> EntryTrust:
    if not complete:
        return EntryTrust.INCOMPLETE
    if not twofold:
        return EntryTrust.SINGLE
    return EntryTrust.EXPIRED if expired else EntryTrust.VALID


def _letters_and_digits(value: str) -> str:
    """Return the letters and digits of `value`, normalised and case-folded."""
    folded = unicodedata.normalize("NFKC", value).casefold()
    return "".join(character for character in folded if character.isalnum())


def _is_filled(value: str) -> bool:
    return bool(_letters_and_digits(value))


def _same_text(first: str, second: str) -> bool:
    return _is_filled(first) and _letters_and_digits(first) == _letters_and_digits(second)
