"""Plan index: the bets of a plan that mutants settle unlike the law, found as they are asked for.

1. A plan of a few thousand cases is indexed whole; of a larger one, an even sample of every group.
2. The bets that a mutant changes are searched only as far as somebody asks, and are kept: where
   many vendors are examined by the same plan, each mutant is tried once.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, PlanKey
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selo.cases import Case
    from selo.cases.oracle.told_settlement import ToldAnswers
    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.kills import PartMask
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant

#: Cases of a game that are indexed whole, and, if there are more, those of a group at most.
WHOLE: Final = 8_192
_MAX_PER_GROUP: Final = 400
_MAX_PLANS_CACHED: Final = 8
#: A change as one machine word, from its highest bits: place in the index, bet, parts, and whether
#: it is a comparison and is answered.
_BET_BITS, _PART_BITS, _FLAG_BITS = 16, 4, 2


class ChangedBet(NamedTuple):
    """A bet of the plan that a mutant settles unlike the law; of a comparison, bet 0."""

    place: int
    bet: int
    is_comparison: bool
    #: Whether the mutant settles it at all; if not, nobody knows what it would say.
    is_answered: bool
    #: The parts of the answer that the mutant changes.
    parts: PartMask


class CaseIndex:
    """Some cases of one game, by their places in a plan, and what mutants change in them."""

    def __init__(
        self,
        oracle: Oracle,
        game: str,
        placed: Sequence[tuple[int, Case]],
        told: ToldAnswers = TOLD_EVERYTHING,
    ) -> None:
        """Index cases; only differences in what is `told` count as changes."""
        self._told = told
        self._places = [place for place, _ in placed]
        self.places = frozenset(self._places)
        self._index = KillIndex(
            oracle, oracle.game(game), [case for _, case in placed], with_reasons=False, told=told
        )
        self._changes: dict[tuple[str, bool], _ChangeStream] = {}
        #: By the code of a mutant, its candidates as a bit mask.
        self._candidates: dict[str, int] = {}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The numbers of the cases in this index, by the digest of the question."""
        return {case.key: at for at, case in enumerate(self._index.cases)}

    @cached_property
    def _number_at(self) -> dict[int, int]:
        return {place: at for at, place in enumerate(self._places)}

    def numbers_at(self, places: Iterable[int]) -> int:
        """Return the numbers of the indexed cases at some places, as a bit mask."""
        return sum(1 << self._number_at[place] for place in places if place in self._number_at)

    def number_of(self, case: Case) -> int | None:
        """Return the number of a case in this index; nothing if it is not indexed."""
        return self._numbers.get(case.key)

    def candidates(self, mutant: Hypothesis) -> int:
        """Return the cases that a mutant may answer unlike the law, one bit for each number.

        A mutant that does not compile has none.
        """
        code = mutant.cause.code
        if code not in self._candidates:
            try:
                numbers = self._index.candidate_cases(mutant)  # type: ignore[arg-type]
            except ANSWER_ERRORS:
                numbers = set()
            bits = bytearray(1 + len(self._places) // 8)
            for at in numbers:
                bits[at >> 3] |= 1 << (at & 7)
            self._candidates[code] = int.from_bytes(bits, "little")
        return self._candidates[code]

    def changed_bets(self, mutant: Hypothesis | Mutant) -> Iterator[ChangedBet]:
        """Yield the bets that a mutant settles unlike the law, in a fixed order."""
        yield from self.changes_of(mutant, comparisons=True)
        yield from self.changes_of(mutant, comparisons=False)

    def changes_of(self, mutant: Hypothesis | Mutant, *, comparisons: bool) -> Iterator[ChangedBet]:
        """Yield the same of comparisons, or of settlements, alone."""
        key = mutant.cause.code, comparisons
        if key not in self._changes:
            self._changes[key] = _ChangeStream(self._search(mutant, comparisons=comparisons))
        return map(self._unpack, self._changes[key])

    def _search(self, mutant: Hypothesis | Mutant, *, comparisons: bool) -> Iterator[int]:
        index = self._index
        search = index.changed_comparisons if comparisons else index.changed_settlements
        try:
            for at, bet, parts, answered in search(mutant):  # type: ignore[arg-type]
                word = at << _BET_BITS | bet
                word = word << _PART_BITS | parts
                yield word << _FLAG_BITS | comparisons << 1 | answered
        except ANSWER_ERRORS:
            # Not every mutant compiles to a game.
            return

    def _unpack(self, word: int) -> ChangedBet:
        rest = word >> _FLAG_BITS
        parts, rest = rest & (1 << _PART_BITS) - 1, rest >> _PART_BITS
        bet, at = rest & (1 << _BET_BITS) - 1, rest >> _BET_BITS
        return ChangedBet(self._places[at], bet, bool(word & 2), bool(word & 1), parts)

    def changed_among(
        self, mutant: Hypothesis, numbers: int, *, comparisons: bool
    ) -> Iterator[ChangedBet]:
        """Yield the bets that a mutant changes in some cases, given by a bit mask of numbers."""
        wanted = self.candidates(mutant) & numbers
        while wanted:
            at = (wanted & -wanted).bit_length() - 1
            wanted &= wanted - 1
            if (self._index.cases[at].method == "compare") is comparisons:
                for _, bet, parts, answered in self._index.changes_in(mutant, at):  # type: ignore[arg-type]
                    yield ChangedBet(self._places[at], bet, comparisons, answered, parts)

    def cases(self) -> Iterator[tuple[int, Case]]:
        """Yield the cases, each with its place."""
        yield from zip(self._places, self._index.cases, strict=True)


class PlanIndex(CaseIndex):
    """The plan of one game, or an even sample of it, and what mutants change in it."""

    def __init__(self, law: Law, terms: Terms, game: str) -> None:
        self._law, self._terms, self._game = law, terms, game
        self.oracle = Oracle(law, terms.rulings)
        groups: dict[str, _EvenSample] = {}
        total: list[tuple[int, Case]] = []
        size = 0
        for place, case in self._planned():
            size += 1
            if size <= WHOLE:
                total.append((place, case))
            groups.setdefault(case.group, _EvenSample()).offer(place, case)
        self.is_whole = size <= WHOLE
        sampled = (item for group in groups.values() for item in group.kept)
        super().__init__(
            self.oracle,
            game,
            total if self.is_whole else sorted(sampled, key=_place_of),
            terms.told_by(game),
        )

    def _planned(self) -> Iterator[tuple[int, Case]]:
        for chunk in Plan(self._law, self._terms).chunks():
            if chunk.game == self._game:
                yield from enumerate(chunk.cases, chunk.first)

    @cached_property
    def comparison_provisions(self) -> dict[int, frozenset[str]]:
        """The provisions from which each comparison follows, by its place."""
        return {
            place: frozenset(reason.provision for reason in self.oracle.derivation_of(case))
            for place, case in self.cases()
            if case.method == "compare"
        }

    def planned(self) -> Iterator[tuple[int, Case]]:
        """Yield all cases of the plan, each with its place."""
        return self.cases() if self.is_whole else self._planned()

    def index_more(self, placed: Sequence[tuple[int, Case]]) -> CaseIndex:
        """Return an index of other cases of the plan."""
        return CaseIndex(self.oracle, self._game, placed, self._told)


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
    """A stream of machine words that can be read several times and is produced once."""

    def __init__(self, source: Iterable[int]) -> None:
        self._source, self._found = iter(source), array("Q")

    def __iter__(self) -> Iterator[int]:
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
    return _cached_index(PlanKey.of(law, terms), game)


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _cached_index(key: PlanKey, game: str) -> PlanIndex:
    return PlanIndex(key.law, key.terms, game)
