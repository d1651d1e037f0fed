"""Types of the ``--json`` output of the commands on the registry."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from selo.cli.schemas.output_model import OutputStruct
from selo.registry.certificate_lookup import ListFreshness
from selo.registry.registry_events import RegisteredProduct, RegistryEvent
from selo.registry.tree_heads import TreeHead


class RegistryOpenedOutput(OutputStruct, frozen=True):
    """``selo registry init``."""

    folder: str
    registry: str
    root: str


class RegistryEnteredOutput(OutputStruct, frozen=True):
    """A change of a registry that was entered; ``selo registry head`` has no event."""

    event: RegistryEvent | None
    size: int
    root: str
    expires: dt.datetime


class RegistryProofOutput(OutputStruct, frozen=True):
    """``selo registry prove``."""

    proof: str
    size: int


class RegistryProvenOutput(OutputStruct, frozen=True):
    """``selo registry verify-proof``: of a line, its event; of an older head, its size."""

    event: RegistryEvent | None
    older: int | None
    size: int
    freshness: ListFreshness
    faults: list[str]
    exit: int


class RegistryProposedOutput(OutputStruct, frozen=True):
    """A change that a second person must confirm."""

    proposal: str
    kind: str
    line: int


class RegisteredOutput(OutputStruct, frozen=True):
    """A certificate and its state."""

    certificate: str
    state: str
    successor: str
    valid_until: dt.date | None
    product: RegisteredProduct | None
    document: str | None


class RegistryListOutput(OutputStruct, frozen=True):
    """``selo registry list``."""

    on: dt.date
    certificates: list[RegisteredOutput]


class RegistryShowOutput(RegisteredOutput, frozen=True):
    """``selo registry show``."""

    events: list[RegistryEvent]


class RegistryLogOutput(OutputStruct, frozen=True):
    """``selo registry log``."""

    registry: str
    events: list[RegistryEvent]


class RegistryImportedOutput(OutputStruct, frozen=True):
    """``selo registry import``."""

    folder: str
    #: How many lines were added.
    lines: int
    root: str


class RegistryStatusOutput(OutputStruct, frozen=True):
    """``selo registry status``; of a code, ``bytes`` are its letters."""

    path: str
    certificates: int
    bytes: int
    head: TreeHead


class RegistryPublishedOutput(OutputStruct, frozen=True):
    """``selo registry publish``."""

    folder: str
    certificates: int
    #: How many pages of certificates were made anew.
    rendered: int
    #: The files that are new or changed.
    written: list[str]
    head: TreeHead


class RegistryProblemOutput(OutputStruct, frozen=True):
    """Something wrong with a log."""

    line: int | None
    key: str
    slots: dict[str, str]


class RegistryCheckOutput(OutputStruct, frozen=True):
    """``selo registry check``."""

    registry: str
    size: int
    root: str
    head: TreeHead | None
    freshness: ListFreshness
    trusted: bool
    problems: list[RegistryProblemOutput]
    exit: int


class IdentifiedOutput(OutputStruct, frozen=True):
    """A certificate that has some of the files."""

    certificate: str
    state: str
    exact: bool
    #: Whether some content is known by its SHA-1 only.
    by_sha1: bool
    since: dt.datetime
    valid_until: dt.date | None
    successor: str
    product: RegisteredProduct | None
    same: list[str]
    changed: list[str]
    moved: list[str]
    missing: list[str]
    extra: list[str]


class IdentifyOutput(OutputStruct, frozen=True):
    """``selo identify``."""

    exit: int
    trusted: bool
    head: TreeHead | None
    problems: list[str]
    certificates: list[IdentifiedOutput]


_ENTERED: Final = ("issue", "commit", "suspend", "supersede", "withdraw", "confirm", "head")
OUTPUTS: Final[dict[str, Any]] = {
    "registry prove": RegistryProofOutput,
    "registry verify-proof": RegistryProvenOutput,
    "registry init": RegistryOpenedOutput,
    **{f"registry {name}": RegistryEnteredOutput for name in _ENTERED},
    "registry reinstate": RegistryProposedOutput,
    "registry revoke": RegistryProposedOutput,
    "registry amend": RegistryProposedOutput,
    "registry import": RegistryImportedOutput,
    "registry status": RegistryStatusOutput,
    "registry publish": RegistryPublishedOutput,
    "registry list": RegistryListOutput,
    "registry show": RegistryShowOutput,
    "registry log": RegistryLogOutput,
    "registry check": RegistryCheckOutput,
    "identify": IdentifyOutput,
}
