"""Types of the ``--json`` output of the commands on the law."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, Literal

from selo.cli.schemas.output_model import OutputStruct
from selo.law.files.divergence_register import ListedDivergence
from selo.law.files.events_file import Event, EventField, TableOption
from selo.law.files.provision_file import Link, NotHeld, Way
from selo.law.ledger import FamilyChange, Ledger, LedgerRow
from selo.rules.odds.par_sheet import ParCheck
from selo.table_values import Outcome
from selo.text import Text, Words


class ProblemOutput(OutputStruct, frozen=True):
    """One thing wrong in a law file."""

    path: str
    line: int
    code: str
    problem: str
    hint: str


class LawCheckOutput(OutputStruct, frozen=True):
    """``selo law check``."""

    clean: bool
    spec_digest: str | None
    proven: list[str]
    problems: list[ProblemOutput]


class IntakeSourceOutput(OutputStruct, frozen=True):
    """One page that was read."""

    id: str
    file: str
    sha256: str


class LawIntakeOutput(OutputStruct, frozen=True):
    """``selo law intake``."""

    instrument: str
    folder: str
    languages: list[str]
    sources: list[IntakeSourceOutput]
    articles: int
    units: int
    missing_rules: list[str]
    one_language: list[str]
    differing_numbers: list[str]
    problems: list[ProblemOutput]


class StandingOutput(OutputStruct, frozen=True):
    """How a text stands on a day."""

    as_of: dt.date
    standing: Literal["no-later-act", "amended", "revoked", "not-yet"]
    certain: bool
    stored_text_is_law: bool
    #: The last day up to which later acts are known, if the day asked for lies after it.
    known_until: dt.date | None
    by: Text | None
    told: Words


class ListedOutput(OutputStruct, frozen=True):
    """One instrument of ``selo law list``."""

    id: str
    number: str
    game: str
    citation: Text
    game_name: Words
    languages: list[str]
    articles: list[str]
    provisions: int
    status: StandingOutput
    status_by_article: dict[str, StandingOutput]
    #: Why the stored words are held to be of this act, where they do not say so themselves.
    attributed: Words | None
    not_held: list[NotHeld]
    chain: list[Link]


class ListedProvisionOutput(OutputStruct, frozen=True):
    """One provision of ``selo law list INSTRUMENT``."""

    id: str
    unit: str
    verified_by: Way


class LawShowOutput(OutputStruct, frozen=True):
    """``selo law show``."""

    provision: LedgerRow
    status: StandingOutput


class CitationOutput(OutputStruct, frozen=True):
    """How a provision is cited in full."""

    pt: str
    zh: str | None


class PreambleOutput(OutputStruct, frozen=True):
    """One paragraph of a preamble."""

    id: str
    instrument: str
    text: Text
    citation: CitationOutput


class LawPreambleOutput(OutputStruct, frozen=True):
    """``selo law show`` of a preamble, or of a paragraph of it."""

    preamble: list[PreambleOutput]


class LawTextsOutput(OutputStruct, frozen=True):
    """``selo law show`` of an instrument, or of an article with parts."""

    provisions: list[LawShowOutput]


class LawSiteOutput(OutputStruct, frozen=True):
    """``selo law site``."""

    folder: str
    pages: list[str]


class ExplainOutput(OutputStruct, frozen=True):
    """``selo explain``."""

    game: str
    outcome: Outcome
    #: Each bet as it was given, with result, prize, commission and derivation.
    bets: list[dict[str, Any]]
    other_readings: list[dict[str, Any]]


class DecidedOutput(OutputStruct, frozen=True):
    """One reading besides the default, with the case that it decides, if it ever decides one."""

    game: str
    divergence: str
    reading: str
    default: str
    decisive: bool
    case: dict[str, Any] | None
    #: Whether only steps of a round follow it.
    steps: bool


class StepOutput(OutputStruct, frozen=True):
    """One step of a round that the law asks for."""

    key: str
    provision: str
    step: str
    event: list[str]
    after: list[str]
    before: list[str]
    until: list[str]
    times: Any
    when: str | None
    given: str | None
    same: list[str]
    everywhere: list[str]
    by: Any
    descending: list[str]
    together: bool
    called: Any
    under: dict[str, Any]
    required: Words | None


class StepsOutput(OutputStruct, frozen=True):
    """``selo steps``."""

    game: str
    options: list[TableOption]
    fields: list[EventField]
    events: list[Event]
    steps: list[StepOutput]


class FigureOutput(OutputStruct, frozen=True):
    """The exact odds of one bet; fractions are written as 1/36."""

    bet: str
    choice: Any
    manner: str | None
    #: Nothing for several bets together whose ends depend on one another.
    win: str | None
    push: str | None
    stands: str | None
    void: str | None
    lose: str | None
    edge: str | None
    edge_percent: str | None
    edge_decided: str | None
    staked: str
    ends: list[dict[str, Any]]
    notes: dict[str, str]


class GameOddsOutput(OutputStruct, frozen=True):
    """The odds of one game."""

    game: str
    packs: int | None
    rulings: dict[str, str]
    figures: list[FigureOutput]
    other_readings: list[dict[str, Any]]
    #: What a PAR sheet declares, each figure beside the exact one.
    declared: list[ParCheck] = []


class LawSignOutput(OutputStruct, frozen=True):
    """``selo law sign``."""

    file: str
    signature: str
    edition: str
    signer: str


class OddsChangeOutput(OutputStruct, frozen=True):
    """The house edge of a bet under the texts of two days, as fractions."""

    bet: str
    choice: str | None
    before: str | None
    after: str | None


class TouchedCertificateOutput(OutputStruct, frozen=True):
    """A certificate that rests on a text that changed."""

    certificate: str
    state: str


class GameChangeOutput(OutputStruct, frozen=True):
    """What changed in the texts of one game; certificates only with a registry."""

    law: FamilyChange
    odds: list[OddsChangeOutput]
    certificates: list[TouchedCertificateOutput] | None


class LawDiffOutput(OutputStruct, frozen=True):
    """``selo law diff``."""

    first: dt.date
    second: dt.date
    changes: list[GameChangeOutput]


OUTPUTS: Final[dict[str, Any]] = {
    "law check": LawCheckOutput,
    "law intake": LawIntakeOutput,
    "law list": (list[ListedOutput], list[ListedProvisionOutput]),
    "law show": (LawShowOutput, LawTextsOutput, LawPreambleOutput),
    "law ledger": Ledger,
    "law diff": LawDiffOutput,
    "law divergences": list[ListedDivergence],
    "law site": LawSiteOutput,
    "law sign": LawSignOutput,
    "explain": ExplainOutput,
    "readings": list[DecidedOutput],
    "steps": StepsOutput,
    "odds": list[GameOddsOutput],
}
