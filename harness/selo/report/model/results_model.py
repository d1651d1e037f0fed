"""Model of the results: provisions, case sheets, open points, statistics, house edges."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Final

import msgspec

from selo.cases.case_numbers import CaseNumbers
from selo.examine.behaviour import CarriedProvision
from selo.law.files.provision_file import ClosedRecord, Way
from selo.law.ledger import WordedForce
from selo.rules.mutants import Cause
from selo.table_values import Options, Outcome
from selo.text import Text, Words
from selo.verdict import ReadingVerdict, Result, VerdictReason
from selo.verdict.observations import MissingOffer, ReadingAdherence, Witness

#: A number as people write it: whoever works it out does so in a moment (not 1e999999999).
NUMBER_PATTERN: Final = r"\A[+-]?[0-9]{1,4000}(?:[.,][0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?"
#: … or a fraction, in per cent or not.
FRACTION_PATTERN: Final = rf"{NUMBER_PATTERN}(?:/[0-9]{{1,4000}})?\s*%?\Z"
NumberText = Annotated[str, msgspec.Meta(pattern=FRACTION_PATTERN)]


class WayResult(ClosedRecord, frozen=True):
    """What one way of looking at a provision gave."""

    way: Way
    result: Result
    reason: VerdictReason
    cases: int
    decisive: int
    #: Whether counting stopped there, so that at least this many are decisive.
    at_least: bool = False
    #: What the vendor does not offer of what would have to be asked.
    not_offered: list[MissingOffer] = []


class ArticleRecord(ClosedRecord, frozen=True):
    """An article: its number and headings."""

    instrument: str
    number: str
    citation: Text
    heading: Text | None


class ProvisionRecord(ClosedRecord, frozen=True):
    """What is said of one provision, and on what it rests."""

    id: str
    instrument: str
    game: str
    article: str
    citation: Text
    full_citation: Text
    text: Text
    ways: list[Way]
    #: Whether it binds, forbids, permits, offers a choice or defines, and in which words.
    force: list[WordedForce]
    result: Result
    reason: VerdictReason
    #: The reason in words.
    because: Words
    #: Whether the conclusion waits for it.
    counts: bool
    parts: list[WayResult]
    cases: int
    decisive: int
    findings: list[str]
    faults: list[str]
    followed: list[ReadingAdherence]
    witnesses: list[Witness]
    divergences: list[str]
    #: The law file and the line at which it stands.
    file: str = ""
    line: int = 1
    #: The first line of evidence of a case that it decides, where one was kept.
    evidence: int | None = None
    #: Planted faults in which only this provision is broken, and how many of them were found.
    planted: int | None = None
    killed: int | None = None
    #: What would be said of it under each reading of each open point that the answers touch.
    under: list[ReadingVerdict] = []
    #: Where it was examined in full, if its full examination is carried over.
    carried: CarriedProvision | None = None


class SelftestRecord(ClosedRecord, frozen=True):
    """What the examination makes of vendors of a game whose faults are known, by provision."""

    game: str
    #: Which faults they have; ``readings`` are lawful under other readings.
    kind: str
    vendors: int
    faults: int
    findings: int
    #: Broken provisions: found, left without a verdict, and cleared wrongly.
    found: int
    concealed: int
    cleared: int
    #: Provisions that no fault touches, and how many of them are accused or hidden wrongly.
    untouched: int
    accused: int
    hidden: int


class GroundRecord(ClosedRecord, frozen=True):
    """A provision on which a finding rests, with its words."""

    provision: str
    roles: list[str]
    citation: Text
    full_citation: Text
    text: Text

    @property
    def is_referred_to(self) -> bool:
        """Whether the words of a violated provision refer to it."""
        return "referred" in self.roles


class PieceRecord(ClosedRecord, frozen=True):
    """How the pieces of a game look."""

    #: ``die``, ``wheel`` or ``beads``.
    shape: str
    words: Words
    #: The colour of each face that has one, by the face.
    colours: dict[str, str] = {}
    #: The faces in the order in which they lie.
    order: list[int] = []
    #: By how many a heap is counted off.
    divisor: int | None = None


class CaseSheet(ClosedRecord, frozen=True):
    """The case sheet of one finding."""

    id: str
    #: ``violates``, ``open`` or ``protocol``.
    verdict: str
    game: str
    provisions: list[str]
    #: How the law seems to have been misread, by its name; it is the same in all languages.
    cause: str
    #: What it is, in one line.
    title: Words
    times: int
    ways: int
    #: The line of evidence in which it was first seen.
    first: int
    method: str
    params: dict[str, Any]
    bet: int | None
    #: What the law requires, what the vendor did, and the difference, in words.
    required: Words
    seen: Words
    difference: Words
    expected: dict[str, Any]
    observed: dict[str, Any]
    #: What the vendor paid too much (or too little), in the smallest unit; of such a stake.
    money: int | list[int] | None
    stake: int | None
    #: The same for every 1,000,000 patacas staked on such a bet, where it can be reckoned.
    per_million: str | None
    law: list[GroundRecord]
    readings: list[tuple[str, str]]
    replay: str
    #: SHA-256 over what makes it this finding and no other; the same in every run.
    fingerprint: str = ""
    #: The same in words; nothing where the title says it already.
    misread: Words | None = None
    #: ``counted``: over all outcomes, with the cause and without it. ``at-most``: if every bet
    #: that should end as this one were settled so.
    per_million_is: str | None = None
    #: What was asked for at a table, one after the other, in words.
    acts: list[Words] = []
    #: The dice that lay on the table last, in a round.
    shown: Outcome = {}
    #: How the pieces of the game look, where the law files describe them.
    pieces: PieceRecord | None = None
    #: The cause by its code; ``cause`` is its former name, a sentence.
    cause_code: str | None = None
    #: The cause in its parts, where a provision was misread.
    cause_parts: Cause | None = None
    #: Readings that would make it lawful, of points on which another one was adopted.
    against: list[tuple[str, str]] = []
    #: On which reading it rests, who adopted it, and under which reading it would be lawful.
    notes: list[Words] = []
    #: The bets in the order in which they were sent; `bet` is the place of the one judged.
    bets: list[Words] = []
    #: What else was asked: the outcome, the hands and the options, in words.
    asked: list[Words] = []
    #: The parts of the answer that differ, and the cases that show it, by number in the plan.
    parts: list[str] = []
    cases: CaseNumbers | None = None
    where: Words | None = None
    #: The house edge of the bet by the law, and as the vendor settles it, in words.
    edge: Words | None = None

    @property
    def label(self) -> str:
        """What it is against: the law, a reading that was adopted, nothing yet, or the protocol."""
        return "against-reading" if self.against and self.verdict == "violates" else self.verdict

    @property
    def basis(self) -> str:
        """What the cost rests on; of what does not say so, no more is said than can be."""
        return self.per_million_is or "at-most"


class ProvisionsUnderReadings(ClosedRecord, frozen=True):
    """Provisions of which the same would be said under each reading of an open point."""

    provisions: list[str]
    #: By reading, if it were adopted and all other points left as they are.
    results: dict[str, Result]

    @property
    def by_reading(self) -> dict[str | None, Result]:
        """The results by reading; one for all of them, under nothing, if they are the same."""
        if len(set(self.results.values())) == 1:
            return {None: next(iter(self.results.values()))}
        return {reading: result for reading, result in self.results.items()}  # noqa: C416


class OpenPoint(ClosedRecord, frozen=True):
    """A point on which the law can be read in two ways and that bears on this result."""

    divergence: str
    provisions: list[str]
    question: Words
    readings: dict[str, Words]
    default: str
    #: The reading that the vendor follows, and in how many of how many cases.
    follows: str | None
    times: int
    cases: int
    ruled: str | None
    #: The provisions that it touches, under each reading; nothing where a ruling was given.
    under: list[ProvisionsUnderReadings] = []


class FrequencyRecord(ClosedRecord, frozen=True):
    """One category of a test: its exact probability, how often expected, how often seen."""

    name: str
    probability: str
    expected: str
    observed: int


class StatisticRecord(ClosedRecord, frozen=True):
    """One test of the vendor's random source."""

    test: str
    game: str
    provisions: list[str]
    sample: int
    statistic: str
    freedom: int | None
    p_value: str
    level: str
    #: ``fair``, ``doubtful`` or ``unfair``.
    result: str
    power: str | None
    #: What is checked, and what it gave, in words.
    name: Words | None = None
    says: Words | None = None
    #: ``draw``, ``table``, ``both`` or ``pack``: where the outcomes came from.
    source: str = "draw"
    options: Options = {}
    #: 1, or 2 where the first look left a doubt.
    look: int = 1
    trials: int | None = None
    #: The p-value adjusted for this many tests by Holm's rule.
    adjusted: str = ""
    tests: int = 1
    #: Above the level and below this it is drawn again.
    doubt: str = ""
    #: The least bias that is noticed surely.
    notices: str | None = None
    frequencies: list[FrequencyRecord] = []


class DeviationRecord(ClosedRecord, frozen=True, kw_only=True):
    """A deviation of chance, and how surely it would have been noticed."""

    deviation: str
    name: Words
    game: str
    options: Options = {}
    provisions: list[str] = []
    #: ``draw``, ``table`` or ``pack``; the test that notices it; the outcomes that it had.
    outcomes: str
    test: str
    sample: int
    #: The probability that it is noticed, and the risk that it passes.
    power: NumberText
    risk: str
    #: The power that a certificate needs; how many outcomes give it, or the power that is usual.
    wanted: NumberText | None = None
    needed: int | None = None

    @property
    def falls_short(self) -> bool:
        """Whether a certificate needs more."""
        return self.wanted is not None and float(self.power) < float(Fraction(self.wanted))


class HouseEdge(ClosedRecord, frozen=True):
    """The house edge of a bet: exact from the law, declared by the vendor, observed in draws."""

    game: str
    bet: str
    name: str
    exact: NumberText
    decimal: str
    declared: NumberText | None = None
    observed: NumberText | None = None
    #: The name of the bet with its choices, in every language.
    label: Words | None = None
    #: Whether what is declared is exact to as many digits as it is written with.
    agrees: bool | None = None
    #: Ends of the interval in which the edge of the source lies with 99 %, by what was observed.
    interval: tuple[NumberText, NumberText] | None = None
