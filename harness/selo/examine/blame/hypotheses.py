"""Hypotheses: mutants that may explain what is wrong.

A mutant explains a kind of difference if it answers every sample of that kind as the vendor did.
It is accepted only if it also leaves right what was right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from selo.cases.oracle import blame_provisions, is_answer_of
from selo.examine.tally import COMPARE
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from selo.cases import Case
    from selo.examine.tally import Difference, DifferenceKind, Tally
    from selo.rules.mutants import Cause

    #: A case, its answer, and the bet that matters; none for a comparison or the whole case.
    Sample = tuple[Case, Any, int | None]

#: The roles of a line of an order in a derivation, of hands and of tiles.
RANK_ROLES: Final = frozenset({"ranks", "rank", "alike"})
_RECONSTRUCTED: Final = "reconstructed"
#: One right case in this many is kept, up to a limit for each group of cases.
_KEPT_EVERY: Final = 29
_MAX_PER_GROUP: Final = 60


class Hypothesis(Protocol):
    """A way in which one provision may have been misread."""

    @property
    def provision(self) -> str:
        """The provision."""

    @property
    def cause(self) -> Cause:
        """How the provision was misread."""

    def bets(self) -> frozenset[str]:
        """Return the bets whose settlement can depend on it."""

    def compile(self) -> Any:
        """Return the game that answers so, or raise if the mutant is invalid."""

    @property
    def is_stake_rule(self) -> bool:
        """Whether it changes what happens to the stake of a winning bet."""

    @property
    def is_line(self) -> bool:
        """Whether it changes a line of an order."""

    def displaced(self) -> Iterable[Hypothesis]:
        """Return the same line of an order at every other place; nothing for other clauses."""


class RightAnswers:
    """Some right answers of every group of cases, which a cause must leave right."""

    every: Final = _KEPT_EVERY

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self._groups: dict[str, int] = {}

    def wants(self, group: str, place: int = 0) -> bool:
        """Return whether the case at this place of the plan is kept if it is right."""
        return place % _KEPT_EVERY == 0 and self._groups.get(group, 0) < _MAX_PER_GROUP

    def keep(self, group: str, sample: Sample) -> None:
        """Keep a right answer."""
        self.count(group)
        self.samples.append(sample)

    def count(self, group: str) -> None:
        """Count a right answer that somebody else keeps."""
        self._groups[group] = self._groups.get(group, 0) + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """A hypothesis that explains whole kinds of differences."""

    hypothesis: Hypothesis
    game: Any
    kinds: tuple[DifferenceKind, ...]
    #: The number of differences of these kinds; the number of kinds whose derivation blames the
    #: provision, and of those that name it.
    weight: int
    named: tuple[int, int]


def find_explanations(
    tally: Tally,
    left: Mapping[DifferenceKind, Difference],
    hypotheses: Iterable[Hypothesis],
    right: Sequence[Sample],
) -> list[Explanation]:
    """Return the hypotheses that explain whole kinds of differences and refute no right answer."""
    explanations = []
    bets = {kind.bet for kind in left}
    bets_placed = [(sample, frozenset(bet["bet"] for bet in sample[0].bets)) for sample in right]
    for hypothesis in hypotheses:
        provision, reached = hypothesis.provision, hypothesis.bets()
        if COMPARE not in bets and not reached & bets:
            continue
        try:
            game = hypothesis.compile()
            kinds = tuple(kind for kind in left if reproduces(game, tally.samples[kind]))
            if len(kinds) < len(left):
                # What explains only a part must at least be named there: with several faults at
                # once, some mutant explains nearly anything.
                kinds = tuple(
                    kind for kind in kinds if hypothesis.provision in left[kind].provisions
                )
            # Bets that a mutant does not reach are settled as before.
            affected = [
                sample
                for sample, names in bets_placed
                if sample[0].method == COMPARE or not reached.isdisjoint(names)
            ]
            good = bool(kinds) and reproduces(game, _comparable_answers(affected, kinds))
        except ANSWER_ERRORS:
            # Not every mutant compiles, nor answers every case.
            continue
        if good:
            explanations.append(
                Explanation(
                    hypothesis=hypothesis, game=game, kinds=kinds,
                    weight=sum(tally.times[kind] for kind in kinds),
                    named=(
                        sum(provision in blamed_provisions(left[kind]) for kind in kinds),
                        sum(provision in left[kind].provisions for kind in kinds),
                    ),
                )
            )  # fmt: skip
    return explanations


def _comparable_answers(right: Sequence[Sample], kinds: Iterable[DifferenceKind]) -> list[Sample]:
    """Return the right answers that count: only comparisons, where only these are wrong.

    A vendor may have separate code for comparing hands and for settling bets.
    """
    only = are_all_comparisons(kinds)
    return [
        (case, answer, bet)
        for case, answer, bet in right
        if not only or (bet is None and case.method == COMPARE)
    ]


def are_all_comparisons(kinds: Iterable[DifferenceKind]) -> bool:
    """Return whether only comparisons are wrong."""
    return all(kind.bet == COMPARE for kind in kinds)


def reproduces(game: Any, samples: Iterable[Sample]) -> bool:
    """Return whether a game answers every sample as it was answered."""
    return all(is_answer_of(game, case, answer, bet) for case, answer, bet in samples)


def blamed_provisions(difference: Difference) -> tuple[str, ...]:
    """Return the provisions that did in the derivation what came out wrong."""
    # Reconstructed statements are not law, and nobody can break them.
    law = [(name, role) for name, role in difference.reasons if role != _RECONSTRUCTED]
    if difference.bet is None:
        # The order of the two hands makes no difference.
        ranks = {name for name, role in law if role in RANK_ROLES}
        return tuple(sorted(ranks)) or difference.provisions
    return blame_provisions(law, difference.expected, difference.observed)
