"""From what was seen of a provision to its verdict; ``docs/verdicts.md`` holds the same rules."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import ClosedRecord, Way
from selo.text.multilingual import Words
from selo.verdict.observations import (
    EntryTrust,
    MissingOffer,
    ReadingAdherence,
    Witness,
    WitnessAnswer,
)
from selo.verdict.rulings import NO_RULINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.verdict.observations import Observation, ProvisionObservations
    from selo.verdict.rulings import Rulings


class Result(enum.StrEnum):
    """What can be said of a provision."""

    CONFORMS = "conforms"
    VIOLATES = "violates"
    INCONCLUSIVE = "inconclusive"
    NOT_EXAMINED = "not-examined"
    TO_BE_WITNESSED = "to-be-witnessed"
    WITNESSED = "witnessed"


class VerdictReason(enum.StrEnum):
    """Why it is said."""

    VIOLATION = "violation"
    AGAINST_RULING = "against-ruling"
    WITNESS_NOT_MET = "witness-not-met"
    ADAPTER_FAULT = "adapter-fault"
    READING_OPEN = "reading-open"
    READINGS_MIXED = "readings-mixed"
    TOO_LITTLE_SEEN = "too-little-seen"
    NOT_OFFERED = "not-offered"
    NOTHING_TRIED = "nothing-tried"
    DRAWS_NOT_TESTED = "draws-not-tested"
    NOT_WITNESSED = "not-witnessed"
    WITNESS_INCOMPLETE = "witness-incomplete"
    WITNESS_SINGLE_SIGNED = "witness-single-signed"
    WITNESS_EXPIRED = "witness-expired"
    LEFT_OUT = "left-out"
    WITHOUT_EFFECT = "without-effect"
    DEFINITION = "definition"
    NOT_TESTABLE = "not-testable"
    EXAMINED = "examined"
    PLAYED = "played"
    DECLARED = "declared"
    DRAWN = "drawn"
    WITNESSED = "witnessed"
    EXAMINED_AND_WITNESSED = "examined-and-witnessed"


class Applicability(enum.StrEnum):
    """Whether the law asks a provision of this product."""

    YES = "yes"
    NO = "no"
    #: Under the reading that was adopted it settles nothing: no program could keep or break it.
    IDLE = "idle"


class CasePower(enum.StrEnum):
    """What the cases of a look can show."""

    NONE = "none"
    UNDECISIVE = "undecisive"
    DECISIVE = "decisive"


class Doubt(enum.StrEnum):
    """What the readings that the answers follow leave open, gravest last."""

    NONE = "none"
    #: One reading explains every answer, and nobody has ruled that it is the law.
    ONE = "one"
    #: No reading explains every answer, and nobody has ruled.
    MIXED = "mixed"
    #: The authority ruled, and the answers are otherwise.
    AGAINST_RULING = "against-ruling"


#: The graver of two results prevails.
GRAVITY: Final = {
    Result.WITNESSED: 0,
    Result.CONFORMS: 0,
    Result.TO_BE_WITNESSED: 1,
    Result.NOT_EXAMINED: 2,
    Result.INCONCLUSIVE: 3,
    Result.VIOLATES: 4,
}
#: Ways in which there is nothing to look at.
_SILENT: Final = {
    Way.DEFINITION: VerdictReason.DEFINITION,
    Way.NOT_TESTABLE: VerdictReason.NOT_TESTABLE,
}
_PROVEN: Final = {
    Way.PROCEDURE: VerdictReason.PLAYED,
    Way.CONFIGURATION: VerdictReason.DECLARED,
    Way.STATISTICS: VerdictReason.DRAWN,
}
_UNPROVEN: Final = frozenset(
    {VerdictReason.TOO_LITTLE_SEEN, VerdictReason.NOT_OFFERED, VerdictReason.NOTHING_TRIED}
)
_WITNESS: Final = {
    EntryTrust.INCOMPLETE: VerdictReason.WITNESS_INCOMPLETE,
    EntryTrust.SINGLE: VerdictReason.WITNESS_SINGLE_SIGNED,
    EntryTrust.EXPIRED: VerdictReason.WITNESS_EXPIRED,
}
_TRUST: Final = tuple(EntryTrust)

ResultAndReason = tuple[Result, VerdictReason]


@dataclass(frozen=True, kw_only=True, slots=True)
class ObservationFacts:
    """All of a look that bears on its verdict."""

    violation: bool
    doubt: Doubt
    fault: bool
    tried: CasePower
    offered: bool


class VerdictPart(ClosedRecord, frozen=True):
    """What one way of looking at a provision gave."""

    way: Way
    result: Result
    reason: VerdictReason
    cases: int = 0
    decisive: int = 0
    not_offered: tuple[MissingOffer, ...] = ()


class Verdict(ClosedRecord, frozen=True):
    """What is said of one provision, and on what it rests."""

    provision: str
    result: Result
    reason: VerdictReason
    #: Whether a conclusion on the whole must wait for it.
    counts: bool
    parts: tuple[VerdictPart, ...] = ()
    findings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    followed: tuple[ReadingAdherence, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    because: Words | None = None
    left_out: str | None = None
    #: The open point and the reading adopted on it under which the provision settles nothing.
    idle: tuple[str, str] | None = None

    @property
    def not_offered(self) -> tuple[MissingOffer, ...]:
        """What the vendor does not offer, in any way of looking, each once."""
        return tuple(dict.fromkeys(one for part in self.parts for one in part.not_offered))


def judge_provision(seen: ProvisionObservations, rulings: Rulings = NO_RULINGS) -> Verdict:
    """Return the verdict on one provision."""
    parts = tuple(_parts(seen, rulings))
    program = max(
        ((part.result, part.reason) for part in parts if part.way is not Way.INSPECTION),
        key=lambda one: GRAVITY[one[0]],
        default=None,
    )
    person = next(
        ((part.result, part.reason) for part in parts if part.way is Way.INSPECTION), None
    )
    silent = next((way for way in seen.ways if way in _SILENT), None)
    if any(way not in _SILENT for way in seen.ways):
        silent = None
    asked = Applicability.IDLE if seen.idle is not None else Applicability.YES
    if seen.left_out is not None:
        asked = Applicability.NO
    result, reason, counts = combine_verdicts(program, person, silent=silent, asked=asked)
    looks = seen.looks.values()
    return Verdict(
        provision=seen.provision,
        result=result,
        reason=reason,
        counts=counts,
        parts=parts,
        findings=tuple(
            dict.fromkeys(name for look in looks for name in (*look.findings, *look.against))
        ),
        faults=tuple(dict.fromkeys(name for look in looks for name in look.faults)),
        followed=tuple(one for look in looks for one in look.followed),
        witnesses=seen.witnesses,
        because=seen.because,
        left_out=seen.left_out,
        idle=seen.idle,
    )


def _parts(seen: ProvisionObservations, rulings: Rulings) -> Iterator[VerdictPart]:
    asked = [way for way in seen.ways if way not in _SILENT and way is not Way.INSPECTION]
    for way in dict.fromkeys([*asked, *seen.looks]):
        look = seen.looks.get(way)
        if look is None:
            yield VerdictPart(way=way, result=Result.NOT_EXAMINED, reason=reason_nothing_tried(way))
            continue
        result, reason = judge_observation(way, facts_of(look, rulings))
        # What the law file does not ask for cannot be missed; what it shows still counts.
        if way in asked or reason not in {*_UNPROVEN, VerdictReason.DRAWS_NOT_TESTED}:
            yield VerdictPart(
                way=way,
                result=result,
                reason=reason,
                cases=look.cases,
                decisive=look.decisive,
                not_offered=look.not_offered,
            )
    if Way.INSPECTION in seen.ways or seen.witnesses:
        result, reason = judge_witnesses(seen.witnesses)
        yield VerdictPart(way=Way.INSPECTION, result=result, reason=reason)


def facts_of(look: Observation, rulings: Rulings = NO_RULINGS) -> ObservationFacts:
    """Return what of a look bears on its verdict."""
    tried = (
        CasePower.DECISIVE
        if look.decisive
        else CasePower.UNDECISIVE
        if look.cases
        else CasePower.NONE
    )
    doubts = [doubt_of(one, rulings) for one in look.followed]
    doubts += [Doubt.AGAINST_RULING] if look.against else []
    return ObservationFacts(
        violation=bool(look.findings),
        doubt=max(doubts, key=list(Doubt).index, default=Doubt.NONE),
        fault=bool(look.faults),
        tried=tried,
        offered=not look.not_offered,
    )


def doubt_of(followed: ReadingAdherence, rulings: Rulings = NO_RULINGS) -> Doubt:
    """Return what one open point leaves open."""
    adopted = rulings.reading(followed.divergence)
    if adopted is not None:
        return Doubt.NONE if followed.keeps(adopted) else Doubt.AGAINST_RULING
    return Doubt.ONE if followed.consistent else Doubt.MIXED


def judge_observation(way: Way, one: ObservationFacts) -> ResultAndReason:  # noqa: PLR0911 - one return for each row of the table
    """Return what the program can say after looking in one way."""
    if one.violation:
        return Result.VIOLATES, VerdictReason.VIOLATION
    if one.doubt is Doubt.AGAINST_RULING:
        return Result.VIOLATES, VerdictReason.AGAINST_RULING
    if one.fault:
        return Result.INCONCLUSIVE, VerdictReason.ADAPTER_FAULT
    if one.doubt is Doubt.MIXED:
        return Result.INCONCLUSIVE, VerdictReason.READINGS_MIXED
    if one.doubt is Doubt.ONE:
        return Result.INCONCLUSIVE, VerdictReason.READING_OPEN
    if one.tried is CasePower.DECISIVE:
        return Result.CONFORMS, _PROVEN.get(way, VerdictReason.EXAMINED)
    if not one.offered:
        return Result.NOT_EXAMINED, VerdictReason.NOT_OFFERED
    if one.tried is CasePower.UNDECISIVE:
        return Result.INCONCLUSIVE, VerdictReason.TOO_LITTLE_SEEN
    return Result.NOT_EXAMINED, reason_nothing_tried(way)


def reason_nothing_tried(way: Way) -> VerdictReason:
    """Return why nothing is known where nothing was asked."""
    return VerdictReason.DRAWS_NOT_TESTED if way is Way.STATISTICS else VerdictReason.NOTHING_TRIED


def judge_witnesses(witnesses: Sequence[Witness]) -> ResultAndReason:
    """Return what people can say: a valid entry that says no outweighs every other."""
    if not witnesses:
        return Result.TO_BE_WITNESSED, VerdictReason.NOT_WITNESSED
    best = max(
        witnesses,
        key=lambda witness: (
            _TRUST.index(_trust_of(witness)),
            witness.result is WitnessAnswer.NOT_MET,
        ),
    )
    trust = _trust_of(best)
    if trust is not EntryTrust.VALID:
        return Result.TO_BE_WITNESSED, _WITNESS[trust]
    if best.result is WitnessAnswer.NOT_MET:
        return Result.VIOLATES, VerdictReason.WITNESS_NOT_MET
    return Result.WITNESSED, VerdictReason.WITNESSED


def _trust_of(one: Witness) -> EntryTrust:
    # An entry without a result says nothing, whoever signed it.
    return EntryTrust.INCOMPLETE if one.result is None else one.signed


def combine_verdicts(
    program: ResultAndReason | None,
    person: ResultAndReason | None,
    *,
    silent: Way | None,
    asked: Applicability,
) -> tuple[Result, VerdictReason, bool]:
    """Return the verdict of both, and whether the whole must wait for it: the graver prevails."""
    if asked is Applicability.IDLE and program is not None and program[0] is Result.NOT_EXAMINED:
        # Nothing was missed.
        program = None
    both = [one for one in (program, person) if one is not None]
    result, reason = max(
        both,
        key=lambda one: GRAVITY[one[0]],
        default=(Result.NOT_EXAMINED, VerdictReason.NOTHING_TRIED),
    )
    if result in {Result.VIOLATES, Result.INCONCLUSIVE}:
        return result, reason, True
    if asked is Applicability.NO:
        return Result.NOT_EXAMINED, VerdictReason.LEFT_OUT, False
    if asked is Applicability.IDLE and not both:
        return Result.NOT_EXAMINED, VerdictReason.WITHOUT_EFFECT, False
    if not both and silent is not None:
        return Result.NOT_EXAMINED, _SILENT[silent], False
    if len(both) > 1 and GRAVITY[result] == 0:
        return Result.CONFORMS, VerdictReason.EXAMINED_AND_WITNESSED, True
    return result, reason, True
