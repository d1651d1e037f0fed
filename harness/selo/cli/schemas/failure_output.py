"""What every command prints with ``--json`` if it comes to no result."""

from __future__ import annotations

from selo.cli.schemas.output_model import Shape


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
