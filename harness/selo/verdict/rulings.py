"""Readings that somebody has adopted: which, by whom, and when."""

from __future__ import annotations

import datetime as dt
import enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from selo.errors import SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.rules.readings import Readings
from selo.text import user_error
from selo.yaml_file import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from selo.law.loader import Law
    from selo.yaml_file import Document


class RulingSource(enum.StrEnum):
    """Where a ruling comes from."""

    #: The register's default, adopted openly because nobody has ruled.
    DEFAULTS = "defaults"
    FILE = "file"
    #: Named by whoever asked for the examination.
    GIVEN = "given"
    #: Signed by the authority.
    PERMISSION = "permission"


class Ruling(ClosedRecord, frozen=True):
    """One reading that is taken for the law."""

    divergence: str
    reading: str
    source: RulingSource
    #: Who adopted it and when, where that is said.
    by: str = ""
    on: dt.date | None = None


class Rulings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """All readings adopted for an examination, in the order of their points."""

    adopted: tuple[Ruling, ...] = ()

    @cached_property
    def followed(self) -> dict[str, str]:
        """The adopted reading of each point, as rules and cases take it."""
        return {one.divergence: one.reading for one in self.adopted}

    def reading(self, divergence: str) -> str | None:
        """Return the reading adopted on `divergence`, if one is."""
        return self.followed.get(divergence)


#: Nobody has ruled.
NO_RULINGS = Rulings()


class _RulingsFile(ClosedRecord, frozen=True):
    reading: str
    by: str = ""
    on: dt.date | None = None


def adopt_rulings(
    law: Law,
    given: Mapping[str, str] | None = None,
    *,
    path: Path | None = None,
    defaults: bool = False,
    permitted: Iterable[Ruling] = (),
) -> Rulings:
    """Return the rulings of all sources: those given prevail over a file, a file over defaults.

    What the authority has signed prevails over the defaults, and nobody may contradict it.
    """
    adopted: dict[str, Ruling] = {}
    if defaults:
        for divergence in law.divergences:
            adopted[divergence.id] = Ruling(
                divergence=divergence.id, reading=divergence.default, source=RulingSource.DEFAULTS
            )
    if path is not None:
        adopted |= _read_file(path)
    for name, reading in (given or {}).items():
        adopted[name] = Ruling(divergence=name, reading=reading, source=RulingSource.GIVEN)
    for ruled in permitted:
        before = adopted.get(ruled.divergence)
        if (
            before is not None
            and before.source is not RulingSource.DEFAULTS
            and before.reading != ruled.reading
        ):
            raise user_error(
                "ruling-contradicted", point=ruled.divergence, other=before.reading,
                reading=ruled.reading, by=ruled.by,
            )  # fmt: skip
        adopted[ruled.divergence] = ruled
    # Whoever names a point or a reading that the register does not have is told so.
    Readings(law, {name: one.reading for name, one in adopted.items()})
    return Rulings(adopted=tuple(adopted[name] for name in sorted(adopted)))


def _read_file(path: Path) -> dict[str, Ruling]:
    document = read(path)
    if not isinstance(document.plain, dict):
        raise user_error("rulings-file", path=path)
    return {name: _read_ruling(document, name, plain) for name, plain in document.plain.items()}


def _read_ruling(document: Document, name: str, plain: Any) -> Ruling:
    """Return a ruling written as its reading alone, or with by whom and when."""
    try:
        one = msgspec.convert(
            {"reading": plain} if isinstance(plain, str) else plain, _RulingsFile, strict=False
        )
    except msgspec.ValidationError as error:
        raise SpecError(
            document.problem(
                name,
                problem=f"{name}: {error}",
                hint="Write ID: READING, or ID: {reading: READING, by: WHO, on: 2025-01-31}.",
            )
        ) from error
    return Ruling(
        divergence=name, reading=one.reading, source=RulingSource.FILE, by=one.by, on=one.on
    )
