"""The plan of an examination: its groups of cases, and the chunks it is cut into.

The edition of the law files, the scope, the day of the law, the rulings, the budget and the seed
determine a plan, and nothing else does. A chunk is the unit of work: chunks are answered and
written down one after the other, so an interrupted run need not ask them again.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from selo.cases import Case, Scope
from selo.cases.generate.case_stream import drawn_case_count, list_groups, random_case_count
from selo.cases.group import BUDGETS
from selo.engine import can_judge
from selo.examine.plan.group_selection import groups_examined_again, provisions_by_group
from selo.examine.plan.plan_cursor import PlanCursor
from selo.examine.plan.plan_terms import PlanKey, offered_game
from selo.examine.plan.recorded_plan import recorded_plan_of
from selo.law import compute_spec_digest
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.cases.group import Budget, CaseChunk, Group
    from selo.examine.plan.plan_cursor import CasePart
    from selo.examine.plan.plan_terms import Terms
    from selo.law import Law

#: Cases in a chunk at most: few enough to hold in memory, many enough to send at once.
CHUNK_SIZE: Final = 1024


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of one game and method that are sent to a vendor together."""

    index: int
    #: The place of its first case in the plan.
    first: int
    game: str
    method: str
    cases: list[Case]


class Plan:
    """The cases that follow from some terms."""

    def __init__(self, law: Law, terms: Terms) -> None:
        if terms.spec_digest != compute_spec_digest(law) or not can_judge(terms.engine_number):
            raise user_error("plan-other", engine=terms.engine_number)
        self._law = law
        self.terms = terms
        self.scope = Scope(games=tuple(map(offered_game, terms.games)))

    def groups(self) -> Iterator[tuple[str, Group]]:
        """Yield each game with each of its groups, in order."""
        terms = self.terms
        wanted = None
        if terms.provisions:
            wanted = provisions_by_group(PlanKey.of(self._law, terms))
        made = list_groups(
            self._law, self.scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
        )
        recorded = recorded_plan_of(self._law, terms)
        if recorded is not None:
            yield from recorded.groups(terms.game_names, made)
            return
        for game, group in made:
            if BUDGETS.index(group.budget) <= BUDGETS.index(self._depth(game, group)) and (
                wanted is None or wanted.get((game, group.name))
            ):
                yield game, group

    def _depth(self, game: str, group: Group) -> Budget:
        """Return the budget of a group: the smallest if it decides only what is carried over."""
        if not self.terms.carried:
            return self.terms.budget
        again = groups_examined_again(PlanKey.of(self._law, self.terms))
        return self.terms.budget if (game, group.name) in again else BUDGETS[0]

    def cases(self, game: str, group: Group) -> Iterator[Case]:
        """Yield the cases of a group within the budget."""
        methods = next(offered.methods for offered in self.scope.games if offered.game == game)
        cases = group.cases()
        if group.endless and recorded_plan_of(self._law, self.terms) is None:
            most = random_case_count(self._depth(game, group))
            cases = islice(cases, drawn_case_count(group, most))
        return (case for case in cases if case.method in methods)

    def size(self) -> int:
        """Return the number of cases, without generating those whose spans state it."""
        return sum(
            sum(1 for _ in self.cases(game, group))
            if group.chunks is None
            else sum(span.size for span in group.chunks())
            for game, group in self.groups()
        )

    def cursor(self) -> PlanCursor:
        """Return what reads the cases by their numbers, from the first to the last."""
        return PlanCursor(self._parts())

    def _parts(self) -> Iterator[CasePart]:
        """Yield the cases in parts; those of a known size are not generated here."""
        for game, group in self.groups():
            if group.chunks is not None:
                yield from ((size, make) for size, _, make in group.chunks())
                continue
            cases = self.cases(game, group)
            while part := list(islice(cases, CHUNK_SIZE)):
                yield len(part), partial(list, part)

    def chunks(self, start: int = 0, every: int = 1) -> Iterator[Chunk]:
        """Yield every chunk from `start` on whose distance from it is a multiple of `every`.

        The cases of other chunks are generated only where no span states their number.
        """
        return self.wanted_chunks(lambda index: index >= start and not (index - start) % every)

    def wanted_chunks(self, wanted: Callable[[int], bool]) -> Iterator[Chunk]:
        """Yield every chunk whose number is wanted, which is asked just before it is generated."""
        index = first = 0
        for game, group in self.groups():
            if group.chunks is None:
                cut = _cut_cases(self.cases(game, group))
            else:
                cut = cut_spans(group.chunks(), partial(_later, wanted, index), CHUNK_SIZE)
            for size, cases in cut:
                if wanted(index):
                    yield Chunk(
                        index=index, first=first, game=game, method=cases[0].method, cases=cases
                    )
                index += 1
                first += size


def _later(wanted: Callable[[int], bool], first: int, number: int) -> bool:
    return wanted(first + number)


def _cut_cases(cases: Iterator[Case]) -> Iterator[tuple[int, list[Case]]]:
    """Cut cases into lists of one method, none longer than a chunk."""
    chunk: list[Case] = []
    for case in cases:
        if chunk and (len(chunk) == CHUNK_SIZE or case.method != chunk[0].method):
            yield len(chunk), chunk
            chunk = []
        chunk.append(case)
    if chunk:
        yield len(chunk), chunk


def cut_spans(
    spans: Iterator[CaseChunk], wanted: Callable[[int], bool], length: int
) -> Iterator[tuple[int, list[Case]]]:
    """Yield the size of each list of `length` cases, and its cases if its number is wanted.

    Lists are numbered from zero; only the last may be shorter than `length`.
    """
    number = filled = 0
    cases: list[Case] = []
    for size, _, make in spans:
        generated: list[Case] | None = None
        at = 0
        while at < size:
            more = min(size - at, length - filled)
            if wanted(number):
                generated = list(make()) if generated is None else generated
                cases += generated[at : at + more]
            at += more
            filled += more
            if filled == length:
                yield filled, cases
                number, filled, cases = number + 1, 0, []
    if filled:
        yield filled, cases
