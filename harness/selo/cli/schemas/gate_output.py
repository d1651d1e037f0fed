"""What the gate and the commands on permissions print."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from selo.cli.schemas.output_model import Shape
from selo.examine.run.granted_permissions import Permitted
from selo.gate import Permission
from selo.gate.gate_decision import Failure, Judged, Waived
from selo.gate.permission_scope import Standing
from selo.verdict.overall import Overall


class GateTold(Shape, frozen=True):
    """``selo gate``, and ``gate.json`` in the folder of its run."""

    passes: bool
    exit: int
    fail_on: str
    at_least: int
    verified: int
    broken: bool
    failures: list[Failure]
    waived: list[Waived]
    entries: list[Judged]
    run: str
    evidence_root: str
    overall: Overall
    examination_exit: int
    permissions: list[Permitted]
    documents: list[str]


class PermissionNew(Shape, frozen=True):
    """``selo permission new``."""

    file: str


class PermissionSign(Shape, frozen=True):
    """``selo permission sign``."""

    file: str
    signature: str
    signer: str


class PermissionCheck(Shape, frozen=True):
    """``selo permission check``, of one whose signature is good."""

    file: str
    signer: str
    standing: Standing
    on: dt.date
    permission: Permission
    permitted: Permitted
    exit: int


SHAPES: Final[dict[str, Any]] = {
    "gate": GateTold,
    "permission new": PermissionNew,
    "permission sign": PermissionSign,
    "permission check": PermissionCheck,
}
