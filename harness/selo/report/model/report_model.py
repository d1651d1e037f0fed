"""Model of a report, from which every format is rendered; the shape of ``report.json``.

It holds everything that a format prints, so that two formats cannot disagree. Text of the law and
text for people comes in each language under one name. Nothing here depends on the clock, the
machine or the folder in which a document is made.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from selo.examine.findings.requested_provisions import UnrequestedFindings
from selo.law.files.provision_file import ClosedRecord
from selo.report.model.dossier import Body, DocumentKind, DossierSignatory, Opinion
from selo.report.model.results_model import (
    FRACTION_PATTERN,
    ArticleRecord,
    CaseSheet,
    DeviationRecord,
    FrequencyRecord,
    GroundRecord,
    HouseEdge,
    OpenPoint,
    PieceRecord,
    ProvisionRecord,
    ProvisionsUnderReadings,
    SelftestRecord,
    StatisticRecord,
    WayResult,
)
from selo.report.model.subject_model import (
    AdoptedReading,
    CountRecord,
    FileRecord,
    GroupRecord,
    ItemRecord,
    Method,
    Norm,
    NotOfferedGame,
    OfferedGameRecord,
    OfferLine,
    Seed,
)
from selo.text import Words
from selo.verdict import Result
from selo.verdict.overall import Overall

__all__ = [
    "FRACTION_PATTERN",
    "REPORT_FORMAT",
    "AdoptedReading",
    "ArticleRecord",
    "Attachment",
    "CaseSheet",
    "CountRecord",
    "DatesRecord",
    "DeviationRecord",
    "DocumentKind",
    "Evidence",
    "FileRecord",
    "FrequencyRecord",
    "GameRecord",
    "GroundRecord",
    "GroupRecord",
    "HouseEdge",
    "ItemRecord",
    "Method",
    "MissingRequirement",
    "Norm",
    "NotOfferedGame",
    "OfferLine",
    "OfferedGameRecord",
    "OpenPoint",
    "PieceRecord",
    "ProvisionRecord",
    "ProvisionsUnderReadings",
    "Report",
    "Seed",
    "SelftestRecord",
    "StatementRecord",
    "StatisticRecord",
    "Totals",
    "UnrequestedFindings",
    "WayResult",
]

#: The version of this model.
REPORT_FORMAT: Final = 1


class Attachment(ClosedRecord, frozen=True):
    """A file that belongs to the document: inside of it, or beside it."""

    name: str
    what: Words
    sha256: str
    size: int
    attached: bool


class Evidence(ClosedRecord, frozen=True):
    """The evidence on which all of this rests."""

    root: str
    lines: int
    cases: int
    rounds: int
    file: Attachment
    #: The root over what was drawn from the vendor's random source; nothing if nothing was.
    draws_root: str | None = None


class MissingRequirement(ClosedRecord, frozen=True):
    """Something without which this is no certificate."""

    key: str
    says: Words


class Totals(ClosedRecord, frozen=True):
    """How many provisions there are of each sort, and how much was tried."""

    provisions: int
    #: Something was tried, in whatever way.
    examined: int
    witnessed: int
    #: Definitions, and what nothing could test.
    not_examinable: int
    #: On some point of them the law is silent.
    silent: int
    #: On some point of them the languages, or two provisions, disagree.
    divergent: int
    cases: int
    rounds: int
    #: Examined and witnessed, so that they are counted in both.
    both: int = 0
    #: Neither examined nor witnessed, though they could be.
    unseen: int = 0


class StatementRecord(ClosedRecord, frozen=True):
    """The statement of conformity."""

    #: The verdict in one line.
    verdict: Words
    #: Which results it covers.
    covers: Words
    #: When a provision is said to conform, and what can be wrong with that.
    rule: Words
    risk: Words
    recommendation: Words
    #: How anybody can check all of it.
    verify: Words
    #: How much was put to the test.
    extent: Words | None = None


class GameRecord(ClosedRecord, frozen=True):
    """What is said of one game."""

    game: str
    name: Words
    instrument: str
    overall: Overall
    counts: dict[Result, int]
    aside: int


class DatesRecord(ClosedRecord, frozen=True):
    """The days of the test and of the document."""

    received: dt.date | None
    first_day: dt.date
    last_day: dt.date
    issued: dt.date
    valid_until: dt.date | None
    time_zone: str

    @property
    def test_period(self) -> str:
        """The day of the test, or its first and last day."""
        first, last = self.first_day.isoformat(), self.last_day.isoformat()
        return first if first == last else f"{first} – {last}"


class Report(ClosedRecord, frozen=True):
    """One examination, ready to be told."""

    format: int
    kind: DocumentKind
    #: Made with a demonstration authority: every page says so.
    demonstration: bool
    number: str
    revision: int
    supersedes: str | None
    scheme: Words
    overall: Overall
    exit: int
    counts: dict[Result, int]
    aside: int
    games: list[GameRecord]
    issuer: Body
    client: Body
    recipients: list[str]
    place: str
    item: ItemRecord
    offered: list[OfferedGameRecord]
    dates: DatesRecord
    norms: list[Norm]
    method: Method
    cases: list[CountRecord]
    articles: list[ArticleRecord]
    provisions: list[ProvisionRecord]
    findings: list[CaseSheet]
    faults: list[dict[str, str]]
    open_points: list[OpenPoint]
    statistics: list[StatisticRecord]
    edges: list[HouseEdge]
    evidence: Evidence
    attachments: list[Attachment]
    forms: list[str]
    opinions: list[Opinion]
    conditions: list[Words]
    limits: list[Words]
    deviations: list[str]
    permissions: list[str]
    known_issues: list[str]
    signatories: list[DossierSignatory]
    #: What prevents a certificate; empty when nothing does.
    missing: list[MissingRequirement]
    totals: Totals | None = None
    statement: StatementRecord | None = None
    #: The languages in which a document is laid out, those of the law first.
    languages: tuple[str, ...] = ("pt", "zh")
    #: What the vendor does not offer, by game: what is not offered is not examined.
    not_offered: list[NotOfferedGame] = []
    #: Deviations of chance, and how surely each would have been noticed.
    powers: list[DeviationRecord] = []
    #: What was found on the way, of provisions that were not asked for; nothing if all were.
    outside: UnrequestedFindings | None = None
    #: What a real certificate would have insisted on; only a demonstration falls short of it.
    shortfalls: list[MissingRequirement] = []
    #: The address at which this document can be looked up; none if it has none.
    page: str = ""
    #: How well the examination tells which provisions are broken, in this edition of its games.
    selftest: list[SelftestRecord] = []
