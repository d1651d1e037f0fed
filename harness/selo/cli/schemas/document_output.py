"""Types of the ``--json`` output of the commands on documents."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import OutputStruct
from selo.delta.build_comparison import Delta
from selo.report.model.dossier import DocumentKind
from selo.report.model.report_model import MissingRequirement
from selo.verdict.overall import Overall
from selo.verification import CheckState
from selo.verification.reproduction import ChangedVerdict


class ReportOutput(OutputStruct, frozen=True):
    """``selo report``."""

    kind: DocumentKind
    number: str
    overall: Overall
    exit: int
    out: str
    missing: list[MissingRequirement]


class DossierNewOutput(OutputStruct, frozen=True):
    """``selo dossier new`` and ``selo report dossier``."""

    dossier: str


class KeysDemoOutput(OutputStruct, frozen=True):
    """``selo keys demo``."""

    folder: str
    files: list[str]


class SignOutput(OutputStruct, frozen=True):
    """``selo sign``."""

    file: str
    signer: str
    capacity: Literal["laboratory", "bureau"]
    level: str
    standing: str
    at: dt.datetime
    demonstration: bool


class CheckedOutput(OutputStruct, frozen=True):
    """One thing that was checked."""

    name: str
    state: CheckState
    told: str
    key: str
    slots: dict[str, str]


class VerifyOutput(OutputStruct, frozen=True):
    """``selo verify``."""

    file: str
    exit: Literal[0, 2, 6]
    checks: list[CheckedOutput]


class ExportOutput(OutputStruct, frozen=True):
    """``selo export``."""

    out: str
    files: list[str]
    number: str


class ReproduceOutput(OutputStruct, frozen=True):
    """``selo reproduce``."""

    number: str
    exit: Literal[0, 1, 2]
    same: int
    witnessed: int
    same_build: bool
    changed: list[ChangedVerdict]
    evidence_root: str


OUTPUTS: Final[dict[str, Any]] = {
    "dossier new": DossierNewOutput,
    "report": (ReportOutput, DossierNewOutput),
    "keys demo": KeysDemoOutput,
    "sign": SignOutput,
    "verify": VerifyOutput,
    "diff": Delta,
    "export": ExportOutput,
    "reproduce": ReproduceOutput,
}
