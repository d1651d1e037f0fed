"""Plan index: the bets of a plan that mutants settle unlike the law, found as they are asked for.

1. Of every group of cases an even sample is indexed (`KillIndex`).
2. The bets that a mutant changes are searched only as far as somebody asks, and are kept: where
   many vendors are examined by the same plan, each mutant is tried once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from selo.cases.oracle import Oracle
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, PlanKey
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant

#: Cases of a group that are indexed at most.
_MAX_PER_GROUP: Final = 400
_MAX_PLANS_CACHED: Final = 8


class ChangedBet(NamedTuple):
    """A bet of the plan that a mutant settles unlike the law; of a comparison, bet 0."""

    place: int
    bet: int
    is_comparison: bool
    #: Whether the mutant settles it at all; if not, nobody knows what it would say.
    is_answered: bool


class PlanIndex:
    """An even sample of the plan of one game, and what mutants change in it."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        groups: dict[str, _EvenSample] = {}
        for chunk in Plan(law, terms).chunks():
            if chunk.game == game:
                for place, case in enumerate(chunk.cases, chunk.first):
                    groups.setdefault(case.group, _EvenSample()).offer(place, case)
        sampled = sorted((item for group in groups.values() for item in group.kept), key=_place_of)
        self._places = [place for place, _ in sampled]
        oracle = Oracle(law, terms.rulings)
        self._index = KillIndex(
            oracle, oracle.game(game), [case for _, case in sampled], with_reasons=False
        )
        self._changes: dict[str, _ChangeStream] = {}

    def changed_bets(self, mutant: Mutant) -> Iterator[ChangedBet]:
        """Yield the bets that a mutant settles unlike the law, in a fixed order."""
        code = mutant.cause.code
        if code not in self._changes:
            self._changes[code] = _ChangeStream(self._search(mutant))
        return iter(self._changes[code])

    def _search(self, mutant: Mutant) -> Iterator[ChangedBet]:
        try:
            for at, bet, answered in self._index.changed_bets(mutant):
                comparison = self._index.cases[at].method == "compare"
                yield ChangedBet(self._places[at], bet, comparison, answered)
        except ANSWER_ERRORS:
            # Not every mutant compiles to a game.
            return

    def comparisons(self) -> Iterator[tuple[int, Case]]:
        """Yield the comparisons of the sample, each with its place."""
        for place, case in zip(self._places, self._index.cases, strict=True):
            if case.method == "compare":
                yield place, case


class _EvenSample:
    """Every n-th item of a stream, for the smallest power of two that keeps it small."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, Case]] = []
        self._step, self._seen = 1, 0

    def offer(self, place: int, case: Case) -> None:
        if self._seen % self._step == 0:
            self.kept.append((place, case))
            if len(self.kept) > _MAX_PER_GROUP:
                self.kept, self._step = self.kept[::2], self._step * 2
        self._seen += 1


class _ChangeStream:
    """A stream that can be read several times and is produced once."""

    def __init__(self, source: Iterator[ChangedBet]) -> None:
        self._source, self._found = source, list[ChangedBet]()

    def __iter__(self) -> Iterator[ChangedBet]:
        at = 0
        while True:
            while at < len(self._found):
                yield self._found[at]
                at += 1
            following = next(self._source, None)
            if following is None:
                return
            self._found.append(following)


def _place_of(item: tuple[int, Case]) -> int:
    return item[0]


def index_plan(law: Law, terms: Terms, game: str) -> PlanIndex:
    """Return the index of the plan of one game."""
    return _cached_index(PlanKey(terms.digest, law, terms), game)


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _cached_index(key: PlanKey, game: str) -> PlanIndex:
    return PlanIndex(key.law, key.terms, game)
