"""What can be said of a provision and why, and what follows from the entries of people."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from selo.verdict.observations import EntryTrust, WitnessAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.verdict.observations import Witness


class Result(enum.StrEnum):
    """What can be said of a provision."""

    CONFORMS = "conforms"
    VIOLATES = "violates"
    INCONCLUSIVE = "inconclusive"
    NOT_EXAMINED = "not-examined"
    #: Its text was not, or not certainly, the law on the day asked for.
    NOT_LAW = "not-law"
    TO_BE_WITNESSED = "to-be-witnessed"
    WITNESSED = "witnessed"


class VerdictReason(enum.StrEnum):
    """Why it is said."""

    VIOLATION = "violation"
    AGAINST_RULING = "against-ruling"
    WITNESS_NOT_MET = "witness-not-met"
    ADAPTER_FAULT = "adapter-fault"
    HIDDEN_BEHIND = "hidden-behind"
    READING_OPEN = "reading-open"
    READINGS_MIXED = "readings-mixed"
    TOO_LITTLE_SEEN = "too-little-seen"
    NOT_OFFERED = "not-offered"
    NOT_FULLY_EXAMINED = "not-fully-examined"
    NOT_OF_THE_PRODUCT = "not-of-the-product"
    NOTHING_TRIED = "nothing-tried"
    DRAWS_NOT_TESTED = "draws-not-tested"
    NOT_WITNESSED = "not-witnessed"
    WITNESS_INCOMPLETE = "witness-incomplete"
    WITNESS_SINGLE_SIGNED = "witness-single-signed"
    WITNESS_EXPIRED = "witness-expired"
    LEFT_OUT = "left-out"
    NOT_LAW = "not-law"
    PERHAPS_NOT_LAW = "perhaps-not-law"
    WITHOUT_EFFECT = "without-effect"
    DEFINITION = "definition"
    NOT_TESTABLE = "not-testable"
    EXAMINED = "examined"
    PLAYED = "played"
    DECLARED = "declared"
    DRAWN = "drawn"
    WITNESSED = "witnessed"
    EXAMINED_AND_WITNESSED = "examined-and-witnessed"


_WITNESS_REASONS: Final = {
    EntryTrust.INCOMPLETE: VerdictReason.WITNESS_INCOMPLETE,
    EntryTrust.SINGLE: VerdictReason.WITNESS_SINGLE_SIGNED,
    EntryTrust.EXPIRED: VerdictReason.WITNESS_EXPIRED,
}
_TRUST_ORDER: Final = tuple(EntryTrust)
ResultAndReason = tuple[Result, VerdictReason]


def judge_witnesses(witnesses: Sequence[Witness]) -> ResultAndReason:
    """Return the result of witness entries; a valid "not met" outweighs every other."""
    if not witnesses:
        return Result.TO_BE_WITNESSED, VerdictReason.NOT_WITNESSED
    best = max(
        witnesses,
        key=lambda witness: (
            _TRUST_ORDER.index(_trust_of(witness)),
            witness.result is WitnessAnswer.NOT_MET,
        ),
    )
    trust = _trust_of(best)
    if trust is not EntryTrust.VALID:
        return Result.TO_BE_WITNESSED, _WITNESS_REASONS[trust]
    if best.result is WitnessAnswer.NOT_MET:
        return Result.VIOLATES, VerdictReason.WITNESS_NOT_MET
    return Result.WITNESSED, VerdictReason.WITNESSED


def _trust_of(witness: Witness) -> EntryTrust:
    # An entry without a result has no weight, whoever signed it.
    return EntryTrust.INCOMPLETE if witness.result is None else witness.signed
