"""From the verdicts on provisions to one conclusion on a game, and on all of them."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Final

from selo.law.files.provision_file import ClosedRecord
from selo.verdict.truth_tables import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.verdict.truth_tables import Verdict


class Overall(enum.StrEnum):
    """What can be said of a whole, gravest last."""

    CONFORMS = "conforms"
    NOT_FULLY_VERIFIED = "not-fully-verified"
    INCONCLUSIVE = "inconclusive"
    VIOLATES = "violates"


#: The exit code of each conclusion; the command line has the same contract.
EXITS: Final = {
    Overall.CONFORMS: 0,
    Overall.VIOLATES: 1,
    Overall.INCONCLUSIVE: 2,
    Overall.NOT_FULLY_VERIFIED: 2,
}
#: Inconclusive because the vendor broke down.
BROKEN: Final = 4


_DECIDE: Final[Mapping[Overall, Sequence[Result]]] = {
    Overall.VIOLATES: (Result.VIOLATES,),
    Overall.INCONCLUSIVE: (Result.INCONCLUSIVE,),
    Overall.NOT_FULLY_VERIFIED: (Result.NOT_EXAMINED, Result.TO_BE_WITNESSED),
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


def decide_overall(
    *, violates: bool, fault: bool, inconclusive: bool, unverified: bool, verified: bool
) -> tuple[Overall, int]:
    """Return the conclusion and its exit code: nothing verified is never a pass."""
    if violates:
        overall = Overall.VIOLATES
    elif fault:
        return Overall.INCONCLUSIVE, BROKEN
    elif inconclusive:
        overall = Overall.INCONCLUSIVE
    elif unverified or not verified:
        overall = Overall.NOT_FULLY_VERIFIED
    else:
        overall = Overall.CONFORMS
    return overall, EXITS[overall]


def conclude_game(verdicts: Iterable[Verdict], *, fault: bool = False) -> OverallConclusion:
    """Return the conclusion from some verdicts; `fault` says that the vendor broke down."""
    verdicts = list(verdicts)
    waited = [verdict for verdict in verdicts if verdict.counts]
    counts = Counter(one.result for one in waited)
    unverified = counts[Result.NOT_EXAMINED] + counts[Result.TO_BE_WITNESSED]
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
        aside=len(verdicts) - len(waited),
        decided_by=tuple(one.provision for one in waited if one.result in _DECIDE[overall]),
    )


def conclude_all(conclusions: Iterable[OverallConclusion]) -> OverallConclusion:
    """Return the conclusion on all games: the worst of its parts, and no parts are no pass."""
    parts = list(conclusions)
    worst = max(
        ((part.overall, part.exit) for part in parts),
        key=lambda one: (list(Overall).index(one[0]), one[1]),
        default=(Overall.NOT_FULLY_VERIFIED, EXITS[Overall.NOT_FULLY_VERIFIED]),
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
