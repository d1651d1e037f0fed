"""One provision on which many wrong answers depend that no single mutant explains.

A bet depends on a provision if at least one mutant of that provision settles it otherwise. Of the
provisions on which every wrong bet depends, or that all their derivations name, the one is blamed
that

1. reaches the fewest kinds of bets beyond those that came out wrong,
2. is not one on which every right answer depends,
3. is named in most of the derivations,
4. is one on which the fewest right answers depend: a wrong provision on which everything depends,
   such as the values of cards, would have spoiled those too.

A provision that reaches other bets, and on which most right answers depend, is blamed only if it is
broken anyway: one of its mutants explains a part of what is wrong, and the rest depends on it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import is_answer_of
from selo.examine.tally import COMPARE
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Hypothesis, Sample
    from selo.examine.tally import Difference, DifferenceKind, Tally

#: Samples of each kind of difference, and right answers, that are considered.
_SAMPLES_PER_KIND: Final = 2
_MAX_RIGHT_ANSWERS: Final = 60
#: At most one right answer in this many may depend on a provision that reaches other bets.
_MAJORITY_DIVISOR: Final = 2


def find_common_cause(
    tally: Tally,
    left: Mapping[DifferenceKind, Difference],
    hypotheses: Sequence[Hypothesis],
    right: Sequence[Sample],
    broken: AbstractSet[str] = frozenset(),
) -> str | None:
    """Return the provision on which all remaining differences and the fewest other answers depend.

    A provision that is `broken` anyway comes before others.
    """
    lawful = _LawfulAnswers(tally.oracle)
    wrong = {kind: tally.samples[kind][:_SAMPLES_PER_KIND] for kind in left}
    bets = {kind.bet for kind in left}
    similar = _similar_answers(right, bets)
    by_provision: dict[str, list[Hypothesis]] = {}
    for hypothesis in hypotheses:
        by_provision.setdefault(hypothesis.provision, []).append(hypothesis)
    ranks: dict[str, tuple[bool, int, bool, int, int]] = {}
    for provision, mutants in by_provision.items():
        named = sum(provision in difference.provisions for difference in left.values())
        if provision in broken:
            # Not every misreading of it is a mutant: something of each kind must depend on it.
            depends = all(
                provision in difference.provisions
                or any(_depends(mutants, lawful, sample) for sample in wrong[kind])
                for kind, difference in left.items()
            )
        else:
            enough = any if named == len(left) else all
            depends = enough(
                _depends(mutants, lawful, sample)
                for samples in wrong.values()
                for sample in samples
            )
        if depends:
            # A vendor that compares hands wrongly may settle any bet wrongly.
            reached = (
                bets if COMPARE in bets else {bet for mutant in mutants for bet in mutant.bets()}
            )
            beyond = len(reached - bets)
            dependent = sum(_depends(mutants, lawful, sample) for sample in similar)
            few = dependent * _MAJORITY_DIVISOR <= len(similar)
            if provision in broken or not beyond or few:
                every = dependent == len(similar)
                ranks[provision] = (provision not in broken, beyond, every, -named, dependent)
    return min(ranks, key=lambda provision: (ranks[provision], provision), default=None)


def _similar_answers(right: Sequence[Sample], bets: set[str]) -> list[Sample]:
    """Return right answers about the bets, or the comparisons, that came out wrong."""
    samples: list[Sample] = []
    for case, answer, _ in right:
        if case.method == COMPARE:
            samples += [(case, answer, None)] if COMPARE in bets else []
        else:
            samples += [
                (case, answer, at) for at, bet in enumerate(case.bets) if bet["bet"] in bets
            ]
    return samples[:: max(1, len(samples) // _MAX_RIGHT_ANSWERS)]


class _LawfulAnswers:
    """The lawful answers to cases, each worked out once."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._answers: dict[int, Any] = {}

    def __call__(self, case: Case) -> Any:
        if id(case) not in self._answers:
            self._answers[id(case)] = self._oracle.answer(case)
        return self._answers[id(case)]


def _depends(mutants: Sequence[Hypothesis], lawful: _LawfulAnswers, sample: Sample) -> bool:
    """Return whether one of some mutants answers a sample unlike the law."""
    case, _, bet = sample
    answer = lawful(case)
    for mutant in mutants:
        if bet is not None and case.bets[bet]["bet"] not in mutant.bets():
            continue
        try:
            if not is_answer_of(mutant.compile(), case, answer, bet):
                return True
        except ANSWER_ERRORS:
            # Not every mutant compiles, nor answers every case.
            continue
    return False
