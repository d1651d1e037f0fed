"""Types of the ``--json`` output of the commands on Selo itself, and of failures."""

from __future__ import annotations

from typing import Any, Final, Literal

from selo.cli.doctor import DoctorState
from selo.cli.schemas.output_model import OutputStruct


class CheckToldOutput(OutputStruct, frozen=True):
    """One thing that was checked."""

    check: str
    state: DoctorState
    found: str
    title: str
    cost: str | None
    mend: str | None


class DoctorOutput(OutputStruct, frozen=True):
    """``selo doctor``."""

    checks: list[CheckToldOutput]
    exit: int


class SettingOutput(OutputStruct, frozen=True, rename={"from_": "from"}):
    """One key of the settings."""

    key: str
    value: Any
    from_: Literal["file", "environment", "default"]
    where: str | None


class ConfigOutput(OutputStruct, frozen=True):
    """``selo config``."""

    file: str | None
    settings: list[SettingOutput]


class SchemasOutput(OutputStruct, frozen=True):
    """``selo schema`` without a name: what each of them describes."""

    outputs: dict[str, str]
    files: list[str]


class ErrorToldOutput(OutputStruct, frozen=True):
    """What went wrong."""

    #: Stable, for programs: ``usage``, ``vendor``, ``tampered`` and others.
    code: str
    #: For people, in the language that was asked for.
    message: str
    hint: str | None
    exit: int


class FailedOutput(OutputStruct, frozen=True):
    """Any command that fails, in place of its result."""

    error: ErrorToldOutput


OUTPUTS: Final[dict[str, Any]] = {
    "doctor": DoctorOutput,
    "config": ConfigOutput,
    "schema": (SchemasOutput, dict[str, Any]),
}
