"""From what was seen of a provision to its verdict; ``docs/verdicts.md`` holds the same rules."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import Closed, Way
from selo.text.multilingual import Words
from selo.verdict.observations import Followed, Lacking, Met, Signed, Witness
from selo.verdict.rulings import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.verdict.observations import Look, Seen
    from selo.verdict.rulings import Rulings


class Result(enum.StrEnum):
    """What can be said of a provision."""

    CONFORMS = "conforms"
    VIOLATES = "violates"
    INCONCLUSIVE = "inconclusive"
    NOT_EXAMINED = "not-examined"
    TO_BE_WITNESSED = "to-be-witnessed"
    WITNESSED = "witnessed"


class Reason(enum.StrEnum):
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


class Asked(enum.StrEnum):
    """Whether the law asks a provision of this product."""

    YES = "yes"
    NO = "no"
    #: Under the reading that was adopted it settles nothing: no program could keep or break it.
    IDLE = "idle"


class Tried(enum.StrEnum):
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
_SILENT: Final = {Way.DEFINITION: Reason.DEFINITION, Way.NOT_TESTABLE: Reason.NOT_TESTABLE}
_PROVEN: Final = {
    Way.PROCEDURE: Reason.PLAYED,
    Way.CONFIGURATION: Reason.DECLARED,
    Way.STATISTICS: Reason.DRAWN,
}
_UNPROVEN: Final = frozenset({Reason.TOO_LITTLE_SEEN, Reason.NOT_OFFERED, Reason.NOTHING_TRIED})
_WITNESS: Final = {
    Signed.INCOMPLETE: Reason.WITNESS_INCOMPLETE,
    Signed.SINGLE: Reason.WITNESS_SINGLE_SIGNED,
    Signed.EXPIRED: Reason.WITNESS_EXPIRED,
}
_TRUST: Final = tuple(Signed)

Judged = tuple[Result, Reason]


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """All of a look that bears on its verdict."""

    violation: bool
    doubt: Doubt
    fault: bool
    tried: Tried
    offered: bool


class Part(Closed, frozen=True):
    """What one way of looking at a provision gave."""

    way: Way
    result: Result
    reason: Reason
    cases: int = 0
    decisive: int = 0
    not_offered: tuple[Lacking, ...] = ()


class Verdict(Closed, frozen=True):
    """What is said of one provision, and on what it rests."""

    provision: str
    result: Result
    reason: Reason
    #: Whether a conclusion on the whole must wait for it.
    counts: bool
    parts: tuple[Part, ...] = ()
    findings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    followed: tuple[Followed, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    because: Words | None = None
    left_out: str | None = None
    #: The open point and the reading adopted on it under which the provision settles nothing.
    idle: tuple[str, str] | None = None

    @property
    def not_offered(self) -> tuple[Lacking, ...]:
        """What the vendor does not offer, in any way of looking, each once."""
        return tuple(dict.fromkeys(one for part in self.parts for one in part.not_offered))


def verdict(seen: Seen, rulings: Rulings = NONE) -> Verdict:
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
    asked = Asked.IDLE if seen.idle is not None else Asked.YES
    if seen.left_out is not None:
        asked = Asked.NO
    result, reason, counts = together(program, person, silent=silent, asked=asked)
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


def _parts(seen: Seen, rulings: Rulings) -> Iterator[Part]:
    asked = [way for way in seen.ways if way not in _SILENT and way is not Way.INSPECTION]
    for way in dict.fromkeys([*asked, *seen.looks]):
        look = seen.looks.get(way)
        if look is None:
            yield Part(way=way, result=Result.NOT_EXAMINED, reason=untried(way))
            continue
        result, reason = looked(way, facts(look, rulings))
        # What the law file does not ask for cannot be missed; what it shows still counts.
        if way in asked or reason not in {*_UNPROVEN, Reason.DRAWS_NOT_TESTED}:
            yield Part(
                way=way,
                result=result,
                reason=reason,
                cases=look.cases,
                decisive=look.decisive,
                not_offered=look.not_offered,
            )
    if Way.INSPECTION in seen.ways or seen.witnesses:
        result, reason = witnessed(seen.witnesses)
        yield Part(way=Way.INSPECTION, result=result, reason=reason)


def facts(look: Look, rulings: Rulings = NONE) -> Facts:
    """Return what of a look bears on its verdict."""
    tried = Tried.DECISIVE if look.decisive else Tried.UNDECISIVE if look.cases else Tried.NONE
    doubts = [doubt(one, rulings) for one in look.followed]
    doubts += [Doubt.AGAINST_RULING] if look.against else []
    return Facts(
        violation=bool(look.findings),
        doubt=max(doubts, key=list(Doubt).index, default=Doubt.NONE),
        fault=bool(look.faults),
        tried=tried,
        offered=not look.not_offered,
    )


def doubt(followed: Followed, rulings: Rulings = NONE) -> Doubt:
    """Return what one open point leaves open."""
    adopted = rulings.reading(followed.divergence)
    if adopted is not None:
        return Doubt.NONE if followed.keeps(adopted) else Doubt.AGAINST_RULING
    return Doubt.ONE if followed.consistent else Doubt.MIXED


def looked(way: Way, one: Facts) -> Judged:  # noqa: PLR0911 - one return for each row of the table
    """Return what the program can say after looking in one way."""
    if one.violation:
        return Result.VIOLATES, Reason.VIOLATION
    if one.doubt is Doubt.AGAINST_RULING:
        return Result.VIOLATES, Reason.AGAINST_RULING
    if one.fault:
        return Result.INCONCLUSIVE, Reason.ADAPTER_FAULT
    if one.doubt is Doubt.MIXED:
        return Result.INCONCLUSIVE, Reason.READINGS_MIXED
    if one.doubt is Doubt.ONE:
        return Result.INCONCLUSIVE, Reason.READING_OPEN
    if one.tried is Tried.DECISIVE:
        return Result.CONFORMS, _PROVEN.get(way, Reason.EXAMINED)
    if not one.offered:
        return Result.NOT_EXAMINED, Reason.NOT_OFFERED
    if one.tried is Tried.UNDECISIVE:
        return Result.INCONCLUSIVE, Reason.TOO_LITTLE_SEEN
    return Result.NOT_EXAMINED, untried(way)


def untried(way: Way) -> Reason:
    """Return why nothing is known where nothing was asked."""
    return Reason.DRAWS_NOT_TESTED if way is Way.STATISTICS else Reason.NOTHING_TRIED


def witnessed(witnesses: Sequence[Witness]) -> Judged:
    """Return what people can say: a valid entry that says no outweighs every other."""
    if not witnesses:
        return Result.TO_BE_WITNESSED, Reason.NOT_WITNESSED
    best = max(
        witnesses,
        key=lambda witness: (_TRUST.index(_trust(witness)), witness.result is Met.NOT_MET),
    )
    trust = _trust(best)
    if trust is not Signed.VALID:
        return Result.TO_BE_WITNESSED, _WITNESS[trust]
    if best.result is Met.NOT_MET:
        return Result.VIOLATES, Reason.WITNESS_NOT_MET
    return Result.WITNESSED, Reason.WITNESSED


def _trust(one: Witness) -> Signed:
    # An entry without a result says nothing, whoever signed it.
    return Signed.INCOMPLETE if one.result is None else one.signed


def together(
    program: Judged | None, person: Judged | None, *, silent: Way | None, asked: Asked
) -> tuple[Result, Reason, bool]:
    """Return the verdict of both, and whether the whole must wait for it: the graver prevails."""
    if asked is Asked.IDLE and program is not None and program[0] is Result.NOT_EXAMINED:
        # Nothing was missed.
        program = None
    both = [one for one in (program, person) if one is not None]
    result, reason = max(
        both,
        key=lambda one: GRAVITY[one[0]],
        default=(Result.NOT_EXAMINED, Reason.NOTHING_TRIED),
    )
    if result in {Result.VIOLATES, Result.INCONCLUSIVE}:
        return result, reason, True
    if asked is Asked.NO:
        return Result.NOT_EXAMINED, Reason.LEFT_OUT, False
    if asked is Asked.IDLE and not both:
        return Result.NOT_EXAMINED, Reason.WITHOUT_EFFECT, False
    if not both and silent is not None:
        return Result.NOT_EXAMINED, _SILENT[silent], False
    if len(both) > 1 and GRAVITY[result] == 0:
        return Result.CONFORMS, Reason.EXAMINED_AND_WITNESSED, True
    return result, reason, True
