"""Types of the ``--json`` output of the commands on adapters."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import OutputStruct
from selo.examine.adapter_tools import SmokeState
from selo.examine.offline import Vectors
from selo.rounds import Script
from selo.rounds.judge import RoundDifference
from selo.submission.submission_check import SubmissionState
from selo.verdict import Verdict
from selo.verdict.overall import OverallConclusion


class ConfinedOutput(OutputStruct, frozen=True):
    """What held the vendor's process back."""

    network: bool
    files: bool


class FaultToldOutput(OutputStruct, frozen=True):
    """One thing wrong with an adapter."""

    kind: str
    told: str
    hint: str
    path: str


class SmokeCheckOutput(OutputStruct, frozen=True):
    """One check of the smoke test."""

    check: str
    state: SmokeState
    slots: dict[str, str]
    faults: list[FaultToldOutput]


class SmokeOutput(OutputStruct, frozen=True):
    """``selo smoke``."""

    vendor: str
    sane: bool
    evidence: str | None
    confinement: ConfinedOutput
    checks: list[SmokeCheckOutput]


class AskOutput(OutputStruct, frozen=True):
    """``selo ask``."""

    method: str
    params: dict[str, Any]
    answer: Any
    error: Any
    #: The lawful answer; null where the law has none.
    expected: Any
    differs: bool
    #: Whether a reading of an open point allows the difference.
    open: bool
    faults: list[str]
    derivations: list[list[Any]]


class RecordOutput(OutputStruct, frozen=True):
    """``selo record``."""

    file: str
    messages: int
    faults: int


class AdapterNewOutput(OutputStruct, frozen=True):
    """``selo adapter new``."""

    files: list[str]
    next: list[str]


class CountOutput(OutputStruct, frozen=True):
    """How often one game was asked in one way."""

    game: str
    method: str
    cases: int
    right: int
    different: int
    silent: int
    faults: int


class DifferenceToldOutput(OutputStruct, frozen=True):
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


class RoundToldOutput(OutputStruct, frozen=True):
    """One way in which a table was not lawful, by the shortest script that shows it."""

    times: int
    open: bool
    lawless: bool
    script: Script
    difference: RoundDifference


class RoundsToldOutput(OutputStruct, frozen=True):
    """What came of live rounds."""

    played: int
    right: int
    declined: int
    broken: int
    differences: list[RoundToldOutput]


class VectorsGradeOutput(OutputStruct, frozen=True):
    """``selo vectors grade``."""

    answers: str
    cases: int
    counts: list[CountOutput]
    differences: list[DifferenceToldOutput]
    not_offered: int
    differences_unlisted: int
    faults: list[FaultToldOutput]
    rounds: RoundsToldOutput
    #: The verdicts, as those of `selo examine`.
    overall: OverallConclusion
    games: dict[str, OverallConclusion]
    provisions: list[Verdict]
    exit: int


class SubmissionProblemOutput(OutputStruct, frozen=True):
    """Something that a submission lacks."""

    state: SubmissionState
    key: str
    slots: dict[str, str]
    told: str


class SubmissionOutput(OutputStruct, frozen=True):
    """``selo submit pack`` and ``selo submit check``."""

    folder: str
    exit: Literal[0, 2, 6]
    problems: list[SubmissionProblemOutput]


class MessageKeptOutput(OutputStruct, frozen=True):
    """``selo submit message``."""

    number: int
    about: str
    by: str


class MessageOutput(OutputStruct, frozen=True):
    """A message of a thread."""

    number: int
    about: str
    by: str
    at: dt.datetime
    text: str


class ThreadOutput(OutputStruct, frozen=True):
    """``selo submit thread``."""

    trusted: bool
    messages: list[MessageOutput]
    exit: Literal[0, 2]


OUTPUTS: Final[dict[str, Any]] = {
    "smoke": SmokeOutput,
    "ask": AskOutput,
    "record": RecordOutput,
    "adapter new": AdapterNewOutput,
    "submit pack": SubmissionOutput,
    "submit check": SubmissionOutput,
    "submit message": MessageKeptOutput,
    "submit thread": ThreadOutput,
    "vectors write": Vectors,
    "vectors grade": VectorsGradeOutput,
}
