"""What the commands on a vendor's adapter print."""

from __future__ import annotations

from typing import Any, Final

from selo.cli.schemas.output_model import Shape
from selo.examine.adapter import State
from selo.examine.offline import Vectors
from selo.rounds import Script
from selo.rounds.judge import RoundDifference


class Confined(Shape, frozen=True):
    """What held the vendor's process back."""

    network: bool
    files: bool


class FaultTold(Shape, frozen=True):
    """One thing wrong with an adapter."""

    kind: str
    told: str
    hint: str
    path: str


class SmokeCheck(Shape, frozen=True):
    """One check of the smoke test."""

    check: str
    state: State
    slots: dict[str, str]
    faults: list[FaultTold]


class Smoke(Shape, frozen=True):
    """``selo smoke``."""

    vendor: str
    sane: bool
    evidence: str | None
    confinement: Confined
    checks: list[SmokeCheck]


class AdapterNew(Shape, frozen=True):
    """``selo adapter new``."""

    files: list[str]
    next: list[str]


class Count(Shape, frozen=True):
    """How often one game was asked in one way."""

    game: str
    method: str
    cases: int
    right: int
    different: int
    silent: int
    faults: int


class DifferenceTold(Shape, frozen=True):
    """One way in which answers differ from the law."""

    times: int
    open: bool
    lawless: bool
    case: dict[str, Any]
    bet: int | None
    expected: Any
    observed: Any
    provisions: list[str]
    readings: dict[str, str]


class RoundTold(Shape, frozen=True):
    """One way in which a table was not lawful, by the shortest script that shows it."""

    times: int
    open: bool
    lawless: bool
    script: Script
    difference: RoundDifference


class RoundsTold(Shape, frozen=True):
    """What came of live rounds."""

    played: int
    right: int
    declined: int
    broken: int
    differences: list[RoundTold]


class VectorsGrade(Shape, frozen=True):
    """``selo vectors grade``."""

    answers: str
    cases: int
    counts: list[Count]
    differences: list[DifferenceTold]
    not_offered: int
    differences_unlisted: int
    faults: list[FaultTold]
    rounds: RoundsTold
    exit: int


SHAPES: Final[dict[str, Any]] = {
    "smoke": Smoke,
    "adapter new": AdapterNew,
    "vectors write": Vectors,
    "vectors grade": VectorsGrade,
}
