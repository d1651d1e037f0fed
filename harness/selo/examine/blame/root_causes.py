"""Root causes: which provisions wrong answers break, and how these may have been misread.

The two questions are separate.

*Which provision says otherwise than what was done?* The one that prescribes the part of the answer
that is wrong (`wrong_answer`), unless something else explains the answers exactly:

1. A reading against a ruling that allows everything that is wrong.
2. Mutants of single provisions that together give the wrong answers, and that right answers uphold
   (`cause_cover`). So one wrong value of a card is one cause, and not one for each bet.
3. A reading against a ruling that allows everything that rests on the same provisions.
4. For wrong comparisons that are left, the fewest lines of the order of which one stands in each.
5. For wrong results of several provisions that are left, one provision on which all of them depend
   (`common_cause`).

*How may it have been misread?* The mutants of 2. are the hint. They clear nobody: `exoneration`
says which other provisions stay in doubt.

The search (`cause_search`) begins with samples of every kind of difference. Then every wrong answer
of the plan is compared with the causes (`explanation`); what these leave unexplained joins the
samples, and the search begins again. Causes with the same effect on the prizes of several
provisions are one finding that names them all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from selo.examine.blame.cause_drafts import RootCause, assign_kinds
from selo.examine.blame.cause_search import CauseSearch
from selo.examine.blame.exoneration import find_hidden_provisions
from selo.examine.blame.hypotheses import reproduces
from selo.examine.tally import COMPARE
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.blame.exoneration import BetName
    from selo.examine.blame.hypotheses import Hypothesis, Sample
    from selo.examine.blame.plan_index import PlanIndex
    from selo.examine.tally import Difference, DifferenceKind, Tally

__all__ = ["Localisation", "RootCause", "locate_faults"]


@dataclass(frozen=True, kw_only=True)
class Localisation:
    """The causes of what is wrong, and the provisions that stay in doubt behind it."""

    causes: list[RootCause] = field(default_factory=list)
    hidden: Mapping[str, AbstractSet[DifferenceKind]] = field(default_factory=dict)
    #: How many wrong answers of the plan the causes do not give exactly.
    unexplained: int = 0


def locate_faults(
    tally: Tally,
    hypotheses: Iterable[Hypothesis],
    index: PlanIndex,
    points: Mapping[str, Sequence[str]],
) -> Localisation:
    """Return the causes of all differences of one game that break the law under every reading.

    `points` holds the provisions of each open point; they are blamed for an answer that follows
    another reading of the point than the adopted one.
    """
    left = {
        kind: difference
        for kind, difference in tally.differences.items()
        if not difference.open and not difference.lawless
    }
    if not left:
        return Localisation()
    return _conclude(CauseSearch(tally, list(hypotheses), index, points, left))


def _conclude(search: CauseSearch) -> Localisation:
    """Return the causes that a search finds, and what they leave in doubt."""
    ruled, drafts = search.run()
    wrong = search.wrong
    causes = [
        *ruled,
        *(
            RootCause(
                provisions=tuple(draft.provisions),
                kinds=tuple(kinds),
                misreadings=tuple(draft.misreadings),
                examples=tuple(wrong[at] for at in draft.shown or draft.answers),
            )
            for draft, kinds in zip(drafts, assign_kinds(drafts, wrong), strict=True)
        ),
    ]
    causes = _join_open(search.tally, causes)
    blamed = {name for cause in causes for name in cause.provisions}
    search.right.taint(search.lines & blamed)
    doubt = search.map_wrong_answers()
    hypotheses = [*search.hypotheses, *search.displace_touched_lines(blamed)]
    hidden = find_hidden_provisions(hypotheses, blamed, doubt, search.right)
    return Localisation(
        causes=causes,
        unexplained=doubt.count_unexplained,
        hidden={name: {_kind_of_bet(bet, search.left)} for name, bet in hidden.items()},
    )


def _kind_of_bet(bet: BetName, kinds: Iterable[DifferenceKind]) -> DifferenceKind:
    """Return a kind of difference of a bet, or of comparisons; any if there is none."""
    listed = list(kinds)
    name = COMPARE if bet is None else bet
    return next((kind for kind in listed if kind.bet == name), listed[0])


def _open_differences(tally: Tally) -> dict[DifferenceKind, Difference]:
    return {
        kind: difference
        for kind, difference in tally.differences.items()
        if difference.open and not difference.lawless
    }


def _join_open(tally: Tally, causes: Sequence[RootCause]) -> list[RootCause]:
    """Return the causes with the open differences that their mutants explain as well."""
    opened = _open_differences(tally)
    joined = []
    for cause in causes:
        explained = [
            kind
            for kind in opened
            if any(_explains(game, tally.samples[kind]) for game in cause.games)
        ]
        for kind in explained:
            del opened[kind]
        joined.append(
            RootCause(
                provisions=cause.provisions,
                kinds=(*cause.kinds, *explained),
                misreadings=cause.misreadings,
                examples=cause.examples,
            )
        )
    return joined


def _explains(game: Any, samples: Iterable[Sample]) -> bool:
    try:
        return reproduces(game, samples)
    except ANSWER_ERRORS:
        return False
