"""One provision on which many wrong answers hang that no single change of a rule explains.

A bet hangs on a provision if it would come out otherwise were that provision otherwise, in one way
at least. Of the provisions on which every wrong bet hangs, or that all their derivations name, the
one is blamed that

1. reaches the fewest kinds of bets beyond those that came out wrong,
2. does not have every right answer hanging on it,
3. is named in most of the derivations,
4. has the fewest right answers hanging on it: what everything hangs on, such as the values of
   cards, would have spoiled those too.

None is blamed that reaches other bets and on which most right answers hang, unless it is broken
anyway: a way of misreading it explains part of what is wrong, and all the rest hangs on it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import lawful_under
from selo.examine.blame.hypotheses import COMPARE
from selo.rules.mutants import UNRULY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Kind, Sample, Suspect
    from selo.examine.tally import Difference, Tally

#: So many samples of each kind of difference, and so many right answers, are looked at.
_EACH: Final = 2
_RIGHT: Final = 60
_MOST: Final = 2


def culprit(
    tally: Tally,
    left: Mapping[Kind, Difference],
    suspects: Sequence[Suspect],
    right: Sequence[Sample],
    broken: AbstractSet[str] = frozenset(),
) -> str | None:
    """Return the provision on which all that is left hangs, and least else; nothing if none is.

    Of those that will do, one that is `broken` anyway is the likeliest.
    """
    lawful = _Lawful(tally.oracle)
    wrong = [one for kind in left for one in tally.samples[kind][:_EACH]]
    bets = {kind[1] for kind in left}
    some = _like(right, bets)
    ways: dict[str, list[Suspect]] = {}
    for suspect in suspects:
        ways.setdefault(suspect.provision, []).append(suspect)
    found: list[tuple[bool, int, bool, int, int, str]] = []
    for provision, mine in ways.items():
        named = sum(provision in one.provisions for one in left.values())
        hanging = any if named == len(left) else all
        if provision in broken:
            # Not every way of misreading it is known: of each kind something must hang on it.
            hangs = all(
                provision in one.provisions
                or any(_hangs(mine, lawful, sample) for sample in tally.samples[kind][:_EACH])
                for kind, one in left.items()
            )
        else:
            hangs = hanging(_hangs(mine, lawful, one) for one in wrong)
        if hangs:
            # Who compares hands wrongly may settle every bet.
            reached = {bet for one in mine for bet in one.bets()} if COMPARE not in bets else bets
            beyond = len(reached - bets)
            hang = sum(_hangs(mine, lawful, one) for one in some)
            if provision in broken or not beyond or hang * _MOST <= len(some):
                every = hang == len(some)
                found.append((provision not in broken, beyond, every, -named, hang, provision))
    return min(found)[-1] if found else None


def _like(right: Sequence[Sample], bets: set[str]) -> list[Sample]:
    """Return right answers to bets, and comparisons, of the kinds that came out wrong."""
    found: list[Sample] = []
    for case, answer, _ in right:
        if case.method == COMPARE:
            found += [(case, answer, None)] if COMPARE in bets else []
        else:
            found += [(case, answer, at) for at, bet in enumerate(case.bets) if bet["bet"] in bets]
    return found[:: max(1, len(found) // _RIGHT)]


class _Lawful:
    """What the law answers to a case, in the shape of an answer."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._known: dict[int, Any] = {}

    def __call__(self, case: Case) -> Any:
        if id(case) not in self._known:
            self._known[id(case)] = self._oracle.answer(case)
        return self._known[id(case)]


def _hangs(ways: Sequence[Suspect], lawful: _Lawful, sample: Sample) -> bool:
    """Return whether a sample would be answered otherwise in one of some ways."""
    case, _, bet = sample
    answer = lawful(case)
    for way in ways:
        if bet is not None and case.bets[bet]["bet"] not in way.bets():
            continue
        try:
            if not lawful_under(way.compile(), case, answer, bet):
                return True
        except UNRULY:
            # Not every change of a rule makes a game, nor every such game an answer.
            continue
    return False
