"""Truth tables from observations to the verdict on a provision, as in ``docs/verdicts.md``."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from selo.law.files.provision_file import ClosedRecord, Way
from selo.text import Words
from selo.verdict.observations import (
    MissingOffer,
    NotOffered,
    ReadingAdherence,
    TextStatus,
    Witness,
)
from selo.verdict.result_and_reason import (
    Result,
    ResultAndReason,
    VerdictReason,
    judge_witnesses,
)
from selo.verdict.rulings import NO_RULINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.verdict.observations import Observation, ProvisionObservations
    from selo.verdict.rulings import Rulings


class Applicability(enum.StrEnum):
    """Whether a provision applies to this product."""

    YES = "yes"
    NO = "no"
    #: Without effect under the adopted reading: no program could comply with it or violate it.
    IDLE = "idle"


class CasePower(enum.StrEnum):
    """What the cases of an observation can prove."""

    NONE = "none"
    UNDECISIVE = "undecisive"
    DECISIVE = "decisive"


class Withheld(enum.StrEnum):
    """Why answers that would have decided show nothing of the product."""

    NO = "no"
    #: The vendor declares that it does not answer, or does not tell.
    UNTOLD = "untold"
    #: Another than the product worked the answers out.
    FOREIGN = "foreign"


class Doubt(enum.StrEnum):
    """What the readings followed by the answers leave open, gravest last."""

    NONE = "none"
    #: One reading explains every answer; there is no ruling.
    ONE = "one"
    #: No reading explains every answer; there is no ruling.
    MIXED = "mixed"
    #: The answers contradict a ruling.
    AGAINST_RULING = "against-ruling"


#: The graver of two results prevails.
GRAVITY: Final = {
    Result.WITNESSED: 0,
    Result.CONFORMS: 0,
    Result.TO_BE_WITNESSED: 1,
    Result.NOT_EXAMINED: 2,
    Result.NOT_LAW: 2,
    Result.INCONCLUSIVE: 3,
    Result.VIOLATES: 4,
}
#: Why nothing conforms to a text on a day on which it was not the law.
_TEXT_REASONS: Final = {
    TextStatus.NOT_LAW: VerdictReason.NOT_LAW,
    TextStatus.OPEN: VerdictReason.PERHAPS_NOT_LAW,
}
#: Ways of verification without anything to verify.
_NOT_VERIFIABLE: Final = {
    Way.DEFINITION: VerdictReason.DEFINITION,
    Way.NOT_TESTABLE: VerdictReason.NOT_TESTABLE,
}
_CONFORMING_REASONS: Final = {
    Way.PROCEDURE: VerdictReason.PLAYED,
    Way.CONFIGURATION: VerdictReason.DECLARED,
    Way.STATISTICS: VerdictReason.DRAWN,
}
_TOO_LITTLE_EVIDENCE: Final = frozenset(
    {
        VerdictReason.TOO_LITTLE_SEEN,
        VerdictReason.NOT_OFFERED,
        VerdictReason.NOT_FULLY_EXAMINED,
        VerdictReason.NOT_OF_THE_PRODUCT,
        VerdictReason.NOTHING_TRIED,
    }
)
_WITHHELD_REASONS: Final = {
    Withheld.UNTOLD: VerdictReason.NOT_FULLY_EXAMINED,
    Withheld.FOREIGN: VerdictReason.NOT_OF_THE_PRODUCT,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ObservationFacts:
    """The facts of an observation that determine its verdict."""

    violation: bool
    doubt: Doubt
    fault: bool
    tried: CasePower
    offered: bool
    #: Why answers that would have decided show nothing of the product.
    withheld: Withheld
    #: Whether wrong answers leave the provision in doubt.
    hidden: bool = False


class VerdictPart(ClosedRecord, frozen=True):
    """What one way of looking at a provision gave."""

    way: Way
    result: Result
    reason: VerdictReason
    cases: int = 0
    decisive: int = 0
    not_offered: tuple[MissingOffer, ...] = ()


class ReadingVerdict(ClosedRecord, frozen=True):
    """What would be said of a provision if a reading of an open point were adopted."""

    divergence: str
    reading: str
    result: Result
    reason: VerdictReason


class Verdict(ClosedRecord, frozen=True):
    """What is said of one provision, and on what it rests."""

    provision: str
    result: Result
    reason: VerdictReason
    #: Whether the overall conclusion depends on it.
    counts: bool
    parts: tuple[VerdictPart, ...] = ()
    findings: tuple[str, ...] = ()
    #: Findings of other provisions that leave this one in doubt.
    hidden: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    followed: tuple[ReadingAdherence, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    because: Words | None = None
    left_out: str | None = None
    #: The open point and its adopted reading under which the provision has no effect.
    idle: tuple[str, str] | None = None
    #: What would be said under each reading of each open point that the answers touch, all other
    #: points being left as they are.
    under: tuple[ReadingVerdict, ...] = ()
    #: Whether the text was the law on the day asked for, and if not, what is known of that day.
    text: TextStatus = TextStatus.LAW
    status: Words | None = None

    @property
    def not_offered(self) -> tuple[MissingOffer, ...]:
        """What the vendor does not offer, over all parts, without duplicates."""
        return tuple(dict.fromkeys(offer for part in self.parts for offer in part.not_offered))


def judge_provision(observations: ProvisionObservations, rulings: Rulings = NO_RULINGS) -> Verdict:
    """Return the verdict on one provision, and what it would be under each open reading."""
    verdict = _judge_ruled(observations, rulings)
    if observations.text in _TEXT_REASONS:
        return verdict
    under = [
        ReadingVerdict(divergence=name, reading=reading, result=ruled.result, reason=ruled.reason)
        for name, readings in _open_readings(observations, rulings).items()
        for reading in readings
        for ruled in (_judge_ruled(observations, rulings.adopting(name, reading)),)
    ]
    return msgspec.structs.replace(verdict, under=tuple(under))


def _open_readings(
    observations: ProvisionObservations, rulings: Rulings
) -> dict[str, dict[str, None]]:
    """Return the readings of each open point without a ruling that the answers touch."""
    touched: dict[str, dict[str, None]] = {}
    for observation in observations.looks.values():
        for followed in observation.followed:
            if rulings.reading(followed.divergence) is None:
                touched.setdefault(followed.divergence, {}).update(dict.fromkeys(followed.fits))
    return touched


def _judge_ruled(observations: ProvisionObservations, rulings: Rulings) -> Verdict:
    """Return the verdict on one provision under some rulings."""
    parts = tuple(_verdict_parts(observations, rulings))
    program = max(
        ((part.result, part.reason) for part in parts if part.way is not Way.INSPECTION),
        key=lambda pair: GRAVITY[pair[0]],
        default=None,
    )
    person = next(
        ((part.result, part.reason) for part in parts if part.way is Way.INSPECTION), None
    )
    not_verifiable = next((way for way in observations.ways if way in _NOT_VERIFIABLE), None)
    if any(way not in _NOT_VERIFIABLE for way in observations.ways):
        not_verifiable = None
    applies = Applicability.IDLE if observations.idle is not None else Applicability.YES
    if observations.left_out is not None:
        applies = Applicability.NO
    result, reason, counts = combine_verdicts(
        program, person, not_verifiable=not_verifiable, applies=applies, text=observations.text
    )
    by_program = observations.looks.values()
    return Verdict(
        provision=observations.provision,
        result=result,
        reason=reason,
        counts=counts,
        parts=parts,
        findings=tuple(
            dict.fromkeys(
                name
                for observation in by_program
                for name in (*observation.findings, *observation.against)
            )
        ),
        hidden=tuple(
            dict.fromkeys(name for observation in by_program for name in observation.hidden)
        ),
        faults=tuple(
            dict.fromkeys(name for observation in by_program for name in observation.faults)
        ),
        followed=tuple(pair for observation in by_program for pair in observation.followed),
        witnesses=observations.witnesses,
        because=observations.because,
        left_out=observations.left_out,
        idle=observations.idle,
        text=observations.text,
        status=observations.status,
    )


def _verdict_parts(observations: ProvisionObservations, rulings: Rulings) -> Iterator[VerdictPart]:
    required = [
        way for way in observations.ways if way not in _NOT_VERIFIABLE and way is not Way.INSPECTION
    ]
    for way in dict.fromkeys([*required, *observations.looks]):
        observation = observations.looks.get(way)
        if observation is None:
            yield VerdictPart(way=way, result=Result.NOT_EXAMINED, reason=reason_nothing_tried(way))
            continue
        result, reason = judge_observation(way, facts_of(observation, rulings))
        # A way that the law file does not require cannot be missing, but its results count.
        if way in required or reason not in {*_TOO_LITTLE_EVIDENCE, VerdictReason.DRAWS_NOT_TESTED}:
            yield VerdictPart(
                way=way,
                result=result,
                reason=reason,
                cases=observation.cases,
                decisive=observation.decisive,
                not_offered=tuple(dict.fromkeys((*observation.withheld, *observation.not_offered))),
            )
    if Way.INSPECTION in observations.ways or observations.witnesses:
        result, reason = judge_witnesses(observations.witnesses)
        yield VerdictPart(way=Way.INSPECTION, result=result, reason=reason)


def facts_of(observation: Observation, rulings: Rulings = NO_RULINGS) -> ObservationFacts:
    """Return the facts of `observation` that determine its verdict."""
    tried = (
        CasePower.DECISIVE
        if observation.decisive >= max(1, observation.required)
        else CasePower.UNDECISIVE
        if observation.cases
        else CasePower.NONE
    )
    doubts = [doubt_of(followed, rulings) for followed in observation.followed]
    doubts += [Doubt.AGAINST_RULING] if observation.against else []
    return ObservationFacts(
        violation=bool(observation.findings),
        doubt=max(doubts, key=list(Doubt).index, default=Doubt.NONE),
        fault=bool(observation.faults),
        tried=tried,
        offered=not observation.not_offered,
        withheld=_withheld_of(observation),
        hidden=bool(observation.hidden),
    )


def _withheld_of(observation: Observation) -> Withheld:
    kinds = {missing.kind for missing in observation.withheld}
    if kinds == {NotOffered.VIA}:
        return Withheld.FOREIGN
    return Withheld.UNTOLD if kinds else Withheld.NO


def doubt_of(followed: ReadingAdherence, rulings: Rulings = NO_RULINGS) -> Doubt:
    """Return the doubt that one open point leaves."""
    adopted = rulings.reading(followed.divergence)
    if adopted is not None:
        return Doubt.NONE if followed.always_follows(adopted) else Doubt.AGAINST_RULING
    return Doubt.ONE if followed.consistent else Doubt.MIXED


def judge_observation(way: Way, facts: ObservationFacts) -> ResultAndReason:  # noqa: C901, PLR0911 - one return for each row of the table
    """Return the result and reason of one observation of the program."""
    if facts.violation:
        return Result.VIOLATES, VerdictReason.VIOLATION
    if facts.doubt is Doubt.AGAINST_RULING:
        return Result.VIOLATES, VerdictReason.AGAINST_RULING
    if facts.fault:
        return Result.INCONCLUSIVE, VerdictReason.ADAPTER_FAULT
    if facts.hidden:
        return Result.INCONCLUSIVE, VerdictReason.HIDDEN_BEHIND
    if facts.doubt is Doubt.MIXED:
        return Result.INCONCLUSIVE, VerdictReason.READINGS_MIXED
    if facts.doubt is Doubt.ONE:
        return Result.INCONCLUSIVE, VerdictReason.READING_OPEN
    if facts.withheld is not Withheld.NO:
        return Result.NOT_EXAMINED, _WITHHELD_REASONS[facts.withheld]
    if facts.tried is CasePower.DECISIVE:
        return Result.CONFORMS, _CONFORMING_REASONS.get(way, VerdictReason.EXAMINED)
    if not facts.offered:
        return Result.NOT_EXAMINED, VerdictReason.NOT_OFFERED
    if facts.tried is CasePower.UNDECISIVE:
        return Result.INCONCLUSIVE, VerdictReason.TOO_LITTLE_SEEN
    return Result.NOT_EXAMINED, reason_nothing_tried(way)


def reason_nothing_tried(way: Way) -> VerdictReason:
    """Return the reason for a way in which no case was run."""
    return VerdictReason.DRAWS_NOT_TESTED if way is Way.STATISTICS else VerdictReason.NOTHING_TRIED


def combine_verdicts(  # noqa: PLR0911 - one return for each group of rows of the table
    program: ResultAndReason | None,
    person: ResultAndReason | None,
    *,
    not_verifiable: Way | None,
    applies: Applicability,
    text: TextStatus = TextStatus.LAW,
) -> tuple[Result, VerdictReason, bool]:
    """Return the graver of both results, and whether the overall conclusion depends on it."""
    if text in _TEXT_REASONS:
        return Result.NOT_LAW, _TEXT_REASONS[text], applies is not Applicability.NO
    if applies is Applicability.IDLE and program is not None and program[0] is Result.NOT_EXAMINED:
        # A provision without effect needs no cases.
        program = None
    both = [pair for pair in (program, person) if pair is not None]
    result, reason = max(
        both,
        key=lambda pair: GRAVITY[pair[0]],
        default=(Result.NOT_EXAMINED, VerdictReason.NOTHING_TRIED),
    )
    if result in {Result.VIOLATES, Result.INCONCLUSIVE}:
        return result, reason, True
    if applies is Applicability.NO:
        return Result.NOT_EXAMINED, VerdictReason.LEFT_OUT, False
    if applies is Applicability.IDLE and not both:
        return Result.NOT_EXAMINED, VerdictReason.WITHOUT_EFFECT, False
    if not both and not_verifiable is not None:
        return Result.NOT_EXAMINED, _NOT_VERIFIABLE[not_verifiable], False
    if len(both) > 1 and GRAVITY[result] == 0:
        return Result.CONFORMS, VerdictReason.EXAMINED_AND_WITNESSED, True
    return result, reason, True
