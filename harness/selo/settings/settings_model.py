"""Model of ``selo.toml``: every key with its type, and which keys are paths."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

Budget = Literal["quick", "standard", "full"]
Language = Literal["pt", "zh", "en"]
#: Results that fail the gate; each includes the graver ones.
FailOn = Literal["violates", "inconclusive", "not-examined", "to-be-witnessed"]

#: Instead of a file of rulings: adopt the register's defaults.
DEFAULT_RULINGS: Final = "defaults"


class _ClosedSettings(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename="kebab",
):
    pass


class LimitSettings(_ClosedSettings, frozen=True):
    """Within what a vendor runs."""

    #: Seconds for one answer, and for the whole session.
    time: Annotated[float, msgspec.Meta(gt=0)] | None = None
    total: Annotated[float, msgspec.Meta(gt=0)] | None = None
    #: Mebibytes for all processes of the vendor.
    memory: Annotated[int, msgspec.Meta(gt=0)] | None = None
    #: Seconds to exit voluntarily.
    grace: Annotated[float, msgspec.Meta(gt=0)] | None = None


class GateSettings(_ClosedSettings, frozen=True):
    """When a gate fails."""

    fail_on: FailOn | None = None
    #: Minimum number of provisions that conform or are witnessed.
    at_least: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Settings(_ClosedSettings, frozen=True):
    """The defaults of a project; whatever is not given keeps Selo's own."""

    vendor: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    folder: str | None = None
    #: Files and folders that the vendor's program may see besides its own.
    visible: list[str] | None = None
    games: list[str] | None = None
    budget: Budget | None = None
    seed: Annotated[int, msgspec.Meta(ge=0)] | None = None
    as_of: dt.date | None = None
    #: Whether the stored text is applied also where it was not the law on that day.
    text_as_stored: bool | None = None
    #: A file, or ``defaults``.
    rulings: str | None = None
    lang: Language | None = None
    out: str | None = None
    processes: Annotated[int, msgspec.Meta(ge=1)] | None = None
    limits: LimitSettings = LimitSettings()
    gate: GateSettings = GateSettings()
    #: The vendor's own file of known deviations.
    deviations: str | None = None
    #: Signed files of the authority, and the certificates trusted to sign them.
    permissions: list[str] | None = None
    trust: list[str] | None = None
    crl: list[str] | None = None


def setting_value(settings: Settings, key: str) -> object:
    """Return the value of a key such as ``limits.time``, or nothing."""
    value: object = settings
    for part in key.split("."):
        value = getattr(value, part.replace("-", "_"))
    return value


def setting_keys() -> list[str]:
    """Return every key; keys of tables have the table name as prefix."""
    keys: list[str] = []
    for field in msgspec.structs.fields(Settings):
        if isinstance(field.default, msgspec.Struct):
            subfields = msgspec.structs.fields(field.default)
            keys += [f"{field.encode_name}.{subfield.encode_name}" for subfield in subfields]
        else:
            keys.append(field.encode_name)
    return keys


def resolve_paths(settings: Settings, folder: Path) -> Settings:
    """Return settings with paths relative to `folder` made absolute."""

    def at(path: str | None) -> str | None:
        return None if path is None else str(folder / path)

    def all_at(paths: list[str] | None) -> list[str] | None:
        return None if paths is None else [str(folder / path) for path in paths]

    where = at(settings.folder)
    if where is None and settings.vendor is not None:
        # The vendor's command runs in the folder of the project.
        where = str(folder)
    return msgspec.structs.replace(
        settings,
        folder=where,
        visible=all_at(settings.visible),
        rulings=settings.rulings if settings.rulings == DEFAULT_RULINGS else at(settings.rulings),
        out=at(settings.out),
        deviations=at(settings.deviations),
        permissions=all_at(settings.permissions),
        trust=all_at(settings.trust),
        crl=all_at(settings.crl),
    )
