"""What may stand in ``selo.toml``: every key, its kind, and which of them are paths."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

Budget = Literal["quick", "standard", "full"]
Language = Literal["pt", "zh", "en"]
#: What lets the gate fail, each with everything graver.
FailOn = Literal["violates", "inconclusive", "not-examined", "to-be-witnessed"]

#: Instead of a file of rulings: the register's defaults, adopted openly.
DEFAULTS: Final = "defaults"


class _Closed(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename="kebab",
):
    pass


class Limits(_Closed, frozen=True):
    """Within what a vendor runs."""

    #: Seconds for one answer, and for the whole session.
    time: Annotated[float, msgspec.Meta(gt=0)] | None = None
    total: Annotated[float, msgspec.Meta(gt=0)] | None = None
    #: Mebibytes of all its processes.
    memory: Annotated[int, msgspec.Meta(gt=0)] | None = None
    #: Seconds in which it may end by itself.
    grace: Annotated[float, msgspec.Meta(gt=0)] | None = None


class Gate(_Closed, frozen=True):
    """When a gate fails."""

    fail_on: FailOn | None = None
    #: So many provisions must conform or be witnessed.
    at_least: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Settings(_Closed, frozen=True):
    """The defaults of a project; whatever is not given keeps Selo's own."""

    vendor: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    folder: str | None = None
    games: list[str] | None = None
    budget: Budget | None = None
    seed: Annotated[int, msgspec.Meta(ge=0)] | None = None
    as_of: dt.date | None = None
    #: A file, or the word ``defaults``.
    rulings: str | None = None
    lang: Language | None = None
    out: str | None = None
    processes: Annotated[int, msgspec.Meta(ge=1)] | None = None
    limits: Limits = Limits()
    gate: Gate = Gate()
    #: The vendor's own file of known deviations.
    deviations: str | None = None
    #: Signed files of the authority, and the certificates that are trusted to sign them.
    permissions: list[str] | None = None
    trust: list[str] | None = None
    crl: list[str] | None = None


def value(settings: Settings, key: str) -> object:
    """Return the value of a key such as ``limits.time``, or nothing."""
    found: object = settings
    for part in key.split("."):
        found = getattr(found, part.replace("-", "_"))
    return found


def keys() -> list[str]:
    """Return every key, those of tables with the name of their table."""
    found: list[str] = []
    for field in msgspec.structs.fields(Settings):
        if isinstance(field.default, msgspec.Struct):
            below = msgspec.structs.fields(field.default)
            found += [f"{field.encode_name}.{one.encode_name}" for one in below]
        else:
            found.append(field.encode_name)
    return found


def placed(settings: Settings, folder: Path) -> Settings:
    """Return settings whose paths do not depend on where a command is typed."""

    def at(path: str | None) -> str | None:
        return None if path is None else str(folder / path)

    def all_at(paths: list[str] | None) -> list[str] | None:
        return None if paths is None else [str(folder / path) for path in paths]

    where = at(settings.folder)
    if where is None and settings.vendor is not None:
        # A command of the project runs where the project is.
        where = str(folder)
    return msgspec.structs.replace(
        settings,
        folder=where,
        rulings=settings.rulings if settings.rulings == DEFAULTS else at(settings.rulings),
        out=at(settings.out),
        deviations=at(settings.deviations),
        permissions=all_at(settings.permissions),
        trust=all_at(settings.trust),
        crl=all_at(settings.crl),
    )
