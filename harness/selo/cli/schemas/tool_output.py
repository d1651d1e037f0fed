"""What the commands on Selo itself print, and what every command prints when it fails."""

from __future__ import annotations

from typing import Any, Final, Literal

from selo.cli.doctor import State
from selo.cli.schemas.output_model import Shape


class CheckTold(Shape, frozen=True):
    """One thing that was looked at."""

    check: str
    state: State
    found: str
    title: str
    cost: str | None
    mend: str | None


class Doctor(Shape, frozen=True):
    """``selo doctor``."""

    checks: list[CheckTold]
    exit: int


class Setting(Shape, frozen=True, rename={"from_": "from"}):
    """One key of the settings."""

    key: str
    value: Any
    from_: Literal["file", "environment", "default"]
    where: str | None


class Config(Shape, frozen=True):
    """``selo config``."""

    file: str | None
    settings: list[Setting]


class Schemas(Shape, frozen=True):
    """``selo schema`` without a name: what each of them describes."""

    outputs: dict[str, str]
    files: list[str]


class ErrorTold(Shape, frozen=True):
    """What went wrong."""

    #: Stable, for programs: ``usage``, ``vendor``, ``tampered`` and others.
    code: str
    #: For people, in the language that was asked for.
    message: str
    hint: str | None
    exit: int


class Failed(Shape, frozen=True):
    """Any command that fails, in place of its result."""

    error: ErrorTold


SHAPES: Final[dict[str, Any]] = {
    "doctor": Doctor,
    "config": Config,
    "schema": (Schemas, dict[str, Any]),
}
