"""Types of the ``--json`` output of the gate and the commands on permissions."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from selo.cli.schemas.output_model import OutputStruct
from selo.examine.run.granted_permissions import GrantedPermission
from selo.gate import Permission
from selo.gate.gate_decision import Failure, JudgedEntry, WaivedFailure
from selo.gate.permission_scope import PermissionStatus
from selo.gate.run_answers import BesideAnswers
from selo.law.status import TextOfLaw
from selo.verdict.overall import Overall
from selo.verdict.rulings import RecordedRuling


class GateToldOutput(OutputStruct, frozen=True):
    """``selo gate``, and ``gate.json`` in the folder of its run."""

    passes: bool
    exit: int
    fail_on: str
    at_least: int
    verified: int
    broken: bool
    failures: list[Failure]
    waived: list[WaivedFailure]
    entries: list[JudgedEntry]
    unfound: BesideAnswers | None
    run: str
    evidence_root: str
    texts: list[TextOfLaw]
    overall: Overall
    examination_exit: int
    permissions: list[GrantedPermission]
    #: Rulings by which nothing was examined.
    recorded: list[RecordedRuling]
    documents: list[str]


class PermissionNewOutput(OutputStruct, frozen=True):
    """``selo permission new``."""

    file: str


class PermissionSignOutput(OutputStruct, frozen=True):
    """``selo permission sign``."""

    file: str
    signature: str
    signer: str


class PermissionLawOutput(OutputStruct, frozen=True):
    """``selo permission law``."""

    folder: str
    edition: str
    added: list[str]


class PermissionCheckOutput(OutputStruct, frozen=True):
    """``selo permission check``, of one whose signature is good."""

    file: str
    signer: str
    standing: PermissionStatus
    on: dt.date
    permission: Permission
    permitted: GrantedPermission
    exit: int


OUTPUTS: Final[dict[str, Any]] = {
    "gate": GateToldOutput,
    "permission new": PermissionNewOutput,
    "permission sign": PermissionSignOutput,
    "permission check": PermissionCheckOutput,
    "permission law": PermissionLawOutput,
}
