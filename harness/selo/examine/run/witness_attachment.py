"""Forms of witnesses join an examination: which may, on which day, and where they are kept.

A form joins if it was made for this edition of the law files and speaks of the product that was
examined. It is kept in the folder of the run by its SHA-256, so that evidence and forms alone give
the verdicts again. Its photographs are compared when it joins, and are not needed afterwards.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from selo.errors import SeloError, UsageError
from selo.text import wrong
from selo.verdict.witness import Weight, check

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law.loader import Law
    from selo.protocol.messages import Description
    from selo.verdict.observations import Witness
    from selo.verdict.witness import Checked

#: The folder beside the evidence in which forms are kept.
WITNESS: Final = "witness"
_UNREADABLE: Final = "photo-unreadable"


class FormAltered(SeloError):
    """A form whose photographs are not those that were recorded in it."""

    code = "tampered"


class UsedForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A form that bears on the verdicts, by its digest."""

    sha256: str
    games: list[str]
    #: Photographs that were not beside it, so that nobody compared them.
    absent: list[str] = []


class Witnessed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The forms that joined, and the day on which they were looked at."""

    day: dt.date
    forms: list[UsedForm]


def join(
    paths: Iterable[Path], law: Law, description: Description, games: Iterable[str], day: dt.date
) -> tuple[Witnessed, list[Witness]]:
    """Return the forms that join, and what they say; refuse one that cannot."""
    examined = list(games)
    used: dict[str, UsedForm] = {}
    said: list[Witness] = []
    for path in paths:
        form = _checked(path, law, description, examined, day)
        if form.sha256 not in used:
            used[form.sha256] = UsedForm(
                sha256=form.sha256, games=form.games, absent=list(form.absent)
            )
            said += form.witnesses
    return Witnessed(day=day, forms=[used[digest] for digest in sorted(used)]), said


def _checked(
    path: Path, law: Law, description: Description, games: list[str], day: dt.date
) -> Checked:
    form = check(path, law, day)
    for flaw in form.flaws:
        if flaw.weight is Weight.REFUSED:
            told = flaw.problem("en")
            raise UsageError(
                problem=f"{path}:{told.line}: {told.problem}",
                hint=told.hint,
                others={language: str(flaw.problem(language)) for language in ("pt", "zh")},
            )
        # The form is used again without its photographs, and must then say the same.
        if flaw.weight is Weight.TAMPERED or flaw.name == _UNREADABLE:
            raise FormAltered(str(flaw.problem("en")))
    vendor, product = description.vendor, description.product
    if not form.concerns(vendor=vendor.name, product=product.name, version=product.version):
        item = form.item
        raise wrong(
            "form-other",
            path=path,
            form=_named(item.vendor, item.product, item.version),
            product=_named(vendor.name, product.name, product.version),
        )
    if not set(form.games) & set(games):
        raise wrong("form-beside", path=path, games=", ".join(form.games))
    return form


def _named(vendor: str, product: str, version: str) -> str:
    return " · ".join(part if part.strip() else "(blank)" for part in (vendor, product, version))


def keep(folder: Path, paths: Iterable[Path]) -> None:
    """Keep forms in the folder of a run, each by its SHA-256."""
    place = folder / WITNESS
    for path in paths:
        content = path.read_bytes()
        place.mkdir(exist_ok=True)
        kept = place / f"{hashlib.sha256(content).hexdigest()}.yaml"
        unfinished = kept.with_suffix(".new")
        unfinished.write_bytes(content)
        unfinished.replace(kept)


def kept(folder: Path) -> list[Path]:
    """Return the forms that are kept in the folder of a run, if they are as they were."""
    found = sorted((folder / WITNESS).glob("*.yaml"))
    for path in found:
        if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem:
            msg = f"{path} was altered: a form is kept under its SHA-256"
            raise FormAltered(msg)
    return found
