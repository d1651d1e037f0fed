"""Rulings: the readings adopted on open points, by whom and when."""

from __future__ import annotations

import datetime as dt
import enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from selo.errors import SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.rules.readings import Readings
from selo.text import Words, say, user_error
from selo.text.message_catalogue import message_words
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from selo.law import Law
    from selo.yaml_file import YamlDocument


class RulingSource(enum.StrEnum):
    """Where a ruling comes from."""

    #: The register's default, adopted because there is no ruling.
    DEFAULTS = "defaults"
    FILE = "file"
    #: Given on the command line.
    GIVEN = "given"
    #: Signed by the authority.
    PERMISSION = "permission"


class Ruling(ClosedRecord, frozen=True):
    """One adopted reading."""

    divergence: str
    reading: str
    source: RulingSource
    #: Who adopted it and when, if known.
    by: str = ""
    on: dt.date | None = None


class RecordedRuling(ClosedRecord, frozen=True):
    """A ruling that is recorded and by which nothing is examined, and why."""

    divergence: str
    reading: str
    source: RulingSource
    because: Words
    #: The question that it answers, and the answer.
    question: Words | None = None
    says: Words | None = None

    def describe(self, language: str) -> str:
        """Return that the ruling is recorded and not examined, and why."""
        return say(
            "ruling.recorded",
            language,
            point=self.divergence,
            reading=self.reading,
            because=self.because.get(language),
        )


class Rulings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """All readings adopted for an examination, ordered by open point."""

    adopted: tuple[Ruling, ...] = ()

    @cached_property
    def followed(self) -> dict[str, str]:
        """The adopted reading of each open point."""
        return {ruling.divergence: ruling.reading for ruling in self.adopted}

    def adopting(self, divergence: str, reading: str) -> Rulings:
        """Return the rulings with one more reading adopted."""
        ruling = Ruling(divergence=divergence, reading=reading, source=RulingSource.GIVEN)
        return Rulings(adopted=(*self.adopted, ruling))

    def reading(self, divergence: str) -> str | None:
        """Return the reading adopted on `divergence`, if one is."""
        return self.followed.get(divergence)


#: There is no ruling.
NO_RULINGS = Rulings()


class _RulingsFile(ClosedRecord, frozen=True):
    reading: str
    by: str = ""
    on: dt.date | None = None


def adopt_rulings(
    law: Law,
    chosen: Mapping[str, str] | None = None,
    *,
    path: Path | None = None,
    defaults: bool = False,
    permitted: Iterable[Ruling] = (),
) -> Rulings:
    """Return the rulings of all sources: the command line overrides a file, a file the defaults.

    A ruling signed by the authority overrides the defaults; contradicting it is an error.
    """
    adopted: dict[str, Ruling] = {}
    if defaults:
        for divergence in law.divergences:
            adopted[divergence.id] = Ruling(
                divergence=divergence.id, reading=divergence.default, source=RulingSource.DEFAULTS
            )
    if path is not None:
        adopted |= _read_file(path)
    for name, reading in (chosen or {}).items():
        adopted[name] = Ruling(divergence=name, reading=reading, source=RulingSource.GIVEN)
    for ruling in permitted:
        earlier = adopted.get(ruling.divergence)
        if (
            earlier is not None
            and earlier.source is not RulingSource.DEFAULTS
            and earlier.reading != ruling.reading
        ):
            raise user_error(
                "ruling-contradicted", point=ruling.divergence, other=earlier.reading,
                reading=ruling.reading, by=ruling.by,
            )  # fmt: skip
        adopted[ruling.divergence] = ruling
    # Raises for a point or reading that the register does not contain.
    Readings(law, {name: ruling.reading for name, ruling in adopted.items()})
    return Rulings(adopted=tuple(adopted[name] for name in sorted(adopted)))


def list_recorded(
    law: Law, rulings: Rulings, games: Collection[str] | None = None
) -> Iterator[RecordedRuling]:
    """Yield the rulings by which nothing is examined, in these games or in all.

    Of the defaults that are adopted together, only those that the register says are not executable.
    """
    points = {divergence.id: divergence for divergence in law.divergences}
    for ruling in rulings.adopted:
        point = points[ruling.divergence]
        elsewhere = games is not None and not any(
            law.find(provision).instrument.game in games for provision in point.provisions
        )
        by_default = ruling.source is RulingSource.DEFAULTS
        if by_default and (elsewhere or point.not_executable is None):
            continue
        if point.not_executable is not None:
            because = point.not_executable.because
        elif len(point.readings) == 1:
            because = message_words("ruling.one-reading")
        elif elsewhere:
            because = message_words("ruling.elsewhere")
        else:
            continue
        yield RecordedRuling(
            divergence=point.id,
            reading=ruling.reading,
            source=ruling.source,
            because=because,
            question=point.title,
            says=next(one.says for one in point.readings if one.id == ruling.reading),
        )


def _read_file(path: Path) -> dict[str, Ruling]:
    document = read_yaml(path)
    if not isinstance(document.plain, dict):
        raise user_error("rulings-file", path=path)
    return {name: _read_ruling(document, name, plain) for name, plain in document.plain.items()}


def _read_ruling(document: YamlDocument, name: str, plain: Any) -> Ruling:
    """Return a ruling written as its reading alone, or with author and date."""
    try:
        entry = msgspec.convert(
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
        divergence=name, reading=entry.reading, source=RulingSource.FILE, by=entry.by, on=entry.on
    )
