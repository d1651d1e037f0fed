"""The vendor's own file of known deviations: what is let through, why, by whom, and until when.

An entry never changes a verdict, and nothing in a document: it only opens the gate.
"""

from __future__ import annotations

import datetime as dt
import enum
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from selo.text import wrong
from selo.verdict import Result
from selo.yaml_file import read

if TYPE_CHECKING:
    from pathlib import Path

    from selo.law.loader import Law
    from selo.yaml_file import Document

_Said = Annotated[str, Meta(min_length=1)]
#: What an entry can be about, gravest first; each is something that a gate may fail for.
FAILURES: Final = (
    Result.VIOLATES,
    Result.INCONCLUSIVE,
    Result.NOT_EXAMINED,
    Result.TO_BE_WITNESSED,
)


class Risk(enum.StrEnum):
    """How bad it is if the deviation goes on."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class _Closed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Deviation(_Closed, frozen=True):
    """One thing that is known not to be as the law has it."""

    provision: _Said
    reason: _Said
    owner: _Said
    approver: _Said
    risk: Risk
    #: The last day on which it holds.
    expires: dt.date
    #: An entry on one verdict never covers another: what was doubtful may not become a breach.
    verdict: Result = Result.VIOLATES
    #: Only findings with this cause; without it, all of the provision.
    cause: str | None = None


class DeviationsFile(_Closed, frozen=True):
    """All entries."""

    deviations: list[Deviation]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry and where it stands."""

    deviation: Deviation
    where: str


def deviations(path: Path, law: Law) -> list[Entry]:
    """Return the entries in `path`, refusing what cannot be meant."""
    document = read(path)
    file = document.convert(DeviationsFile)
    seen: dict[tuple[str, Result, str | None], int] = {}
    entries = []
    for at, deviation in enumerate(file.deviations):
        line = document.line("deviations", at)
        _sound(document, at, deviation, law)
        key = (deviation.provision, deviation.verdict, deviation.cause)
        if key in seen:
            raise wrong("deviation-twice", where=f"{path}:{line}", provision=deviation.provision,
                        line=seen[key])  # fmt: skip
        seen[key] = line
        entries.append(Entry(deviation=deviation, where=f"{path}:{line}"))
    return entries


def _sound(document: Document, at: int, one: Deviation, law: Law) -> None:
    def where(field: str) -> str:
        return f"{document.path}:{document.line('deviations', at, field)}"

    if one.provision not in law.provisions:
        raise wrong("deviation-provision", where=where("provision"), provision=one.provision)
    if one.verdict not in FAILURES:
        known = ", ".join(FAILURES)
        raise wrong("deviation-verdict", where=where("verdict"), verdict=one.verdict, known=known)
    for field in ("reason", "owner", "approver"):
        if not getattr(one, field).strip():
            raise wrong("deviation-blank", where=where(field), field=field)
    if _same(one.owner, one.approver):
        raise wrong("deviation-approver", where=where("approver"), name=one.approver.strip())
    if one.cause is not None and one.verdict is not Result.VIOLATES:
        raise wrong("deviation-cause", where=where("cause"), verdict=one.verdict)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
