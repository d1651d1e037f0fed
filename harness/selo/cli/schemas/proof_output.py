"""What the commands on seals, evidence and witnesses print."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import Shape
from selo.evidence.evidence_errors import Sign
from selo.verdict.witness import Checked, Form


class SealNew(Shape, frozen=True):
    """``selo seal new``; the seed stays in its file."""

    commitment: str
    file: str


class SealCheck(Shape, frozen=True):
    """``selo seal check``."""

    commitment: str
    holds: Literal[True]


class DrawsWhole(Shape, frozen=True):
    """A book of draws that is as it was written."""

    root: str
    batches: int
    known_to: list[str]


class Whole(Shape, frozen=True):
    """Evidence that is as it was written."""

    state: Literal["whole", "no-root"]
    root: str
    cases: int
    lines: int
    known_to: list[str]
    exit: int
    #: The book of draws beside it, if there is one.
    draws: DrawsWhole | None = None


class Altered(Shape, frozen=True):
    """Evidence that is not as it was written, or that has no end."""

    state: Literal["altered", "unfinished"]
    sign: Sign
    what: str
    file: str
    exit: int
    cases: int | None = None


class Proved(Shape, frozen=True):
    """``selo evidence proof``."""

    path: str
    index: int
    size: int
    root: str
    known_to: list[str]
    exit: int


class ProofChecked(Shape, frozen=True):
    """``selo evidence verify-proof``."""

    proved: bool
    told: str
    line: Any
    exit: int


class WitnessNew(Shape, frozen=True):
    """``selo witness new``."""

    form: Form
    files: list[str]


class WitnessCheck(Shape, frozen=True):
    """``selo witness check``."""

    as_of: dt.date
    forms: list[Checked]
    exit: int


SHAPES: Final[dict[str, Any]] = {
    "seal new": SealNew,
    "seal check": SealCheck,
    "evidence check": (Whole, Altered),
    "evidence proof": (Proved, Altered),
    "evidence verify-proof": ProofChecked,
    "witness new": WitnessNew,
    "witness check": WitnessCheck,
}
