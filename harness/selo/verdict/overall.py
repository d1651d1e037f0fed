"""Combines the verdicts on provisions into a conclusion on a game, and on all games."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import ClosedRecord
from selo.verdict.result_and_reason import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.verdict.provision_verdict import Verdict


class Overall(enum.StrEnum):
    """What can be said of a whole, gravest last."""

    CONFORMS = "conforms"
    NOT_FULLY_VERIFIED = "not-fully-verified"
    INCONCLUSIVE = "inconclusive"
    VIOLATES = "violates"


#: The exit code of each conclusion; part of the contract of the command line.
OVERALL_EXITS: Final = {
    Overall.CONFORMS: 0,
    Overall.VIOLATES: 1,
    Overall.INCONCLUSIVE: 2,
    Overall.NOT_FULLY_VERIFIED: 2,
}
#: Exit code when the result is inconclusive because the vendor failed.
VENDOR_FAULT_EXIT: Final = 4


_DECIDING_RESULTS: Final[Mapping[Overall, Sequence[Result]]] = {
    Overall.VIOLATES: (Result.VIOLATES,),
    Overall.INCONCLUSIVE: (Result.INCONCLUSIVE,),
    Overall.NOT_FULLY_VERIFIED: (Result.NOT_LAW, Result.NOT_EXAMINED, Result.TO_BE_WITNESSED),
    Overall.CONFORMS: (),
}


class OverallConclusion(ClosedRecord, frozen=True):
    """What is said of a game, or of all games."""

    overall: Overall
    exit: int
    #: How many provisions have each result; those that nothing must wait for stand apart.
    counts: dict[Result, int]
    aside: int
    #: Provisions that decide the conclusion: the gravest ones.
    decided_by: tuple[str, ...]


class ResultTotals(ClosedRecord, frozen=True):
    """How many provisions are met, not met, and so on; every document and terminal says these."""

    provisions: int
    met: int
    not_met: int
    #: Inconclusive, not law on that day, not examined, or still to be witnessed.
    not_verified: int
    #: Nothing must wait for them: definitions, and what nothing could test.
    not_examinable: int


def total_results(counts: Mapping[Result, int], aside: int) -> ResultTotals:
    """Return the totals of the results of provisions; each provision is in one of them."""
    met = counts.get(Result.CONFORMS, 0) + counts.get(Result.WITNESSED, 0)
    not_met = counts.get(Result.VIOLATES, 0)
    counted = sum(counts.values())
    return ResultTotals(
        provisions=counted + aside,
        met=met,
        not_met=not_met,
        not_verified=counted - met - not_met,
        not_examinable=aside,
    )


def decide_overall(
    *, violates: bool, fault: bool, inconclusive: bool, unverified: bool, verified: bool
) -> tuple[Overall, int]:
    """Return the conclusion and its exit code; nothing verified never conforms."""
    if violates:
        overall = Overall.VIOLATES
    elif fault:
        return Overall.INCONCLUSIVE, VENDOR_FAULT_EXIT
    elif inconclusive:
        overall = Overall.INCONCLUSIVE
    elif unverified or not verified:
        overall = Overall.NOT_FULLY_VERIFIED
    else:
        overall = Overall.CONFORMS
    return overall, OVERALL_EXITS[overall]


def conclude_game(verdicts: Iterable[Verdict], *, fault: bool = False) -> OverallConclusion:
    """Return the conclusion from `verdicts`; `fault` means that the vendor failed."""
    verdicts = list(verdicts)
    counted = [verdict for verdict in verdicts if verdict.counts]
    counts = Counter(verdict.result for verdict in counted)
    unverified = sum(counts[result] for result in _DECIDING_RESULTS[Overall.NOT_FULLY_VERIFIED])
    overall, code = decide_overall(
        violates=counts[Result.VIOLATES] > 0,
        fault=fault or any(verdict.faults for verdict in verdicts),
        inconclusive=counts[Result.INCONCLUSIVE] > 0,
        unverified=unverified > 0,
        verified=counts[Result.CONFORMS] + counts[Result.WITNESSED] > 0,
    )
    return OverallConclusion(
        overall=overall,
        exit=code,
        counts={result: counts[result] for result in Result},
        aside=len(verdicts) - len(counted),
        decided_by=tuple(
            verdict.provision for verdict in counted if verdict.result in _DECIDING_RESULTS[overall]
        ),
    )


def conclude_all(conclusions: Iterable[OverallConclusion]) -> OverallConclusion:
    """Return the worst conclusion; without any, nothing is verified."""
    parts = list(conclusions)
    worst = max(
        ((part.overall, part.exit) for part in parts),
        key=lambda pair: (list(Overall).index(pair[0]), pair[1]),
        default=(Overall.NOT_FULLY_VERIFIED, OVERALL_EXITS[Overall.NOT_FULLY_VERIFIED]),
    )
    return OverallConclusion(
        overall=worst[0],
        exit=worst[1],
        counts={result: sum(part.counts[result] for part in parts) for result in Result},
        aside=sum(part.aside for part in parts),
        decided_by=tuple(
            name for part in parts if part.overall is worst[0] for name in part.decided_by
        ),
    )
