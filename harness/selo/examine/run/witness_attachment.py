"""Attaches witness forms to an examination.

A form is accepted if it was made for this edition of the law files and for the product that was
examined. It is kept in the folder of the run under its SHA-256, so that evidence and forms alone
determine the verdicts. Its photographs are compared when it is attached, and kept by their digests
to travel with the document; no verdict needs them afterwards.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from selo.errors import SeloError, UsageError
from selo.storage import write_file
from selo.storage.bounded_read import TEXT_LIMIT, digest_file, read_bounded
from selo.text import user_error
from selo.verdict.witness import FlawWeight, check_form, find_photographs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from selo.law import Law
    from selo.protocol.messages import Description
    from selo.verdict.observations import Witness
    from selo.verdict.witness import CheckedForm

#: The folder beside the evidence in which forms are kept.
WITNESS_FOLDER: Final = "witness"
_UNREADABLE_PHOTO: Final = "photo-unreadable"


class FormAltered(SeloError):
    """A form whose photographs are not those that were recorded in it."""

    code = "tampered"


class UsedForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A form that bears on the verdicts, by its digest."""

    sha256: str
    games: list[str]
    #: Photographs that were not beside it, so that nobody compared them.
    absent: list[str] = []


class AttachedForms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The forms that joined, and the day on which they were checked."""

    day: dt.date
    forms: list[UsedForm]


def attach_forms(
    paths: Iterable[Path], law: Law, description: Description, games: Iterable[str], day: dt.date
) -> tuple[AttachedForms, list[Witness]]:
    """Return the accepted forms and their statements; raise for one that is refused."""
    examined = list(games)
    used: dict[str, UsedForm] = {}
    statements: list[Witness] = []
    for path in paths:
        form = _check_form(path, law, description, examined, day)
        if form.sha256 not in used:
            used[form.sha256] = UsedForm(
                sha256=form.sha256, games=form.games, absent=list(form.absent)
            )
            statements += form.witnesses
    return AttachedForms(day=day, forms=[used[digest] for digest in sorted(used)]), statements


def _check_form(
    path: Path, law: Law, description: Description, games: list[str], day: dt.date
) -> CheckedForm:
    form = check_form(path, law, day)
    for flaw in form.flaws:
        if flaw.weight is FlawWeight.REFUSED:
            problem = flaw.problem("en")
            raise UsageError(
                problem=f"{path}:{problem.line}: {problem.problem}",
                hint=problem.hint,
                others={language: str(flaw.problem(language)) for language in ("pt", "zh")},
            )
        # The kept form is read again without its photographs, and must then say the same.
        if flaw.weight is FlawWeight.TAMPERED or flaw.name == _UNREADABLE_PHOTO:
            raise FormAltered(str(flaw.problem("en")))
    vendor, product = description.vendor, description.product
    if not form.concerns(vendor=vendor.name, product=product.name, version=product.version):
        item = form.item
        raise user_error(
            "form-other",
            path=path,
            form=_product_label(item.vendor, item.product, item.version),
            product=_product_label(vendor.name, product.name, product.version),
        )
    if not set(form.games) & set(games):
        raise user_error("form-beside", path=path, games=", ".join(form.games))
    return form


def _product_label(vendor: str, product: str, version: str) -> str:
    return " · ".join(part if part.strip() else "(blank)" for part in (vendor, product, version))


def keep_forms(folder: Path, paths: Iterable[Path]) -> None:
    """Copy forms into the folder of a run, each under its SHA-256, and their photographs."""
    place = folder / WITNESS_FOLDER
    for path in paths:
        content = read_bounded(path, TEXT_LIMIT)
        place.mkdir(exist_ok=True)
        kept = place / f"{hashlib.sha256(content).hexdigest()}.yaml"
        write_file(kept, content)
        for name, photograph in find_photographs(path).items():
            write_file(place / name, read_bounded(photograph))


def read_kept_forms(folder: Path) -> list[Path]:
    """Return the forms kept in the folder of a run; raise if one was altered."""
    forms = sorted((folder / WITNESS_FOLDER).glob("*.yaml"))
    for path in forms:
        if digest_file(path) != path.stem:
            msg = f"{path} was altered: a form is kept under its SHA-256"
            raise FormAltered(msg)
    return forms
