"""Types of the ``--json`` output of the commands on seals, evidence and witnesses."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import OutputStruct
from selo.evidence.evidence_errors import AlterationSign
from selo.verdict.witness import CheckedForm
from selo.verdict.witness.form import Form


class SealNewOutput(OutputStruct, frozen=True):
    """``selo seal new``; the seed stays in its file."""

    commitment: str
    file: str
    #: The timestamp over the commitment (RFC 3161), as base64; none without an authority.
    token: str | None


class SealCheckOutput(OutputStruct, frozen=True):
    """``selo seal check``."""

    commitment: str
    holds: Literal[True]


class DrawsWholeOutput(OutputStruct, frozen=True):
    """A book of draws that is as it was written."""

    root: str
    batches: int
    known_to: list[str]


class WholeOutput(OutputStruct, frozen=True):
    """Evidence that is as it was written."""

    state: Literal["whole", "no-root"]
    #: Whether every line was compared with the plan.
    planned: bool
    root: str
    cases: int
    lines: int
    known_to: list[str]
    exit: int
    #: The book of draws beside it, if there is one.
    draws: DrawsWholeOutput | None = None


class AlteredOutput(OutputStruct, frozen=True):
    """Evidence that is not as it was written, or that has no end."""

    state: Literal["altered", "unfinished"]
    sign: AlterationSign
    what: str
    file: str
    exit: int
    cases: int | None = None


class ProvedOutput(OutputStruct, frozen=True):
    """``selo evidence proof``."""

    path: str
    index: int
    size: int
    root: str
    known_to: list[str]
    exit: int


class ProofCheckedOutput(OutputStruct, frozen=True):
    """``selo evidence verify-proof``."""

    proved: bool
    told: str
    line: Any
    exit: int


class DisclosedPartOutput(OutputStruct, frozen=True):
    """What a disclosure holds of one evidence file."""

    file: str
    root: str
    lines: int
    shown: int


class DisclosureWrittenOutput(OutputStruct, frozen=True):
    """``selo evidence disclose`` and ``redact``."""

    path: str
    #: Whether what is left out cannot be guessed.
    salted: bool
    parts: list[DisclosedPartOutput]
    exit: int


class DisclosureProvedOutput(OutputStruct, frozen=True):
    """A disclosure that leads to the root, and shows all that it says it shows."""

    state: Literal["proved"]
    #: The provisions of which no line is left out.
    provisions: list[str]
    #: Shown lines by what they show.
    shown: dict[str, int]
    hidden: int
    lines: int
    planned: bool
    salted: bool
    exit: int


class DisclosureRefusedOutput(OutputStruct, frozen=True):
    """A disclosure that proves nothing."""

    state: Literal["refused"]
    what: str
    exit: int


class WitnessNewOutput(OutputStruct, frozen=True):
    """``selo witness new``."""

    form: Form
    files: list[str]


class WitnessCheckOutput(OutputStruct, frozen=True):
    """``selo witness check``."""

    as_of: dt.date
    forms: list[CheckedForm]
    exit: int


OUTPUTS: Final[dict[str, Any]] = {
    "seal new": SealNewOutput,
    "seal check": SealCheckOutput,
    "evidence check": (
        WholeOutput,
        AlteredOutput,
        DisclosureProvedOutput,
        DisclosureRefusedOutput,
    ),
    "evidence proof": (ProvedOutput, AlteredOutput),
    "evidence verify-proof": ProofCheckedOutput,
    "evidence disclose": DisclosureWrittenOutput,
    "evidence redact": DisclosureWrittenOutput,
    "witness new": WitnessNewOutput,
    "witness check": WitnessCheckOutput,
}
