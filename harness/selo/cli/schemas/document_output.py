"""What the commands on documents print."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import Shape
from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import Missing
from selo.verdict.overall import Overall
from selo.verification import Changed, State


class Report(Shape, frozen=True):
    """``selo report``."""

    kind: DocumentKind
    number: str
    overall: Overall
    exit: int
    out: str
    missing: list[Missing]


class DossierNew(Shape, frozen=True):
    """``selo report dossier``."""

    dossier: str


class KeysDemo(Shape, frozen=True):
    """``selo keys demo``."""

    folder: str
    files: list[str]


class Sign(Shape, frozen=True):
    """``selo sign``."""

    file: str
    signer: str
    capacity: Literal["laboratory", "bureau"]
    level: str
    standing: str
    at: dt.datetime
    demonstration: bool


class Checked(Shape, frozen=True):
    """One thing that was looked at."""

    name: str
    state: State
    told: str
    key: str
    slots: dict[str, str]


class Verify(Shape, frozen=True):
    """``selo verify``."""

    file: str
    exit: Literal[0, 2, 6]
    checks: list[Checked]


class Reproduce(Shape, frozen=True):
    """``selo reproduce``."""

    number: str
    exit: Literal[0, 1, 2]
    same: int
    witnessed: int
    same_build: bool
    changed: list[Changed]
    evidence_root: str


SHAPES: Final[dict[str, Any]] = {
    "report": (Report, DossierNew),
    "keys demo": KeysDemo,
    "sign": Sign,
    "verify": Verify,
    "reproduce": Reproduce,
}
