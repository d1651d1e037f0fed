"""The plan of an examination: which cases are tried, in which order, and why.

A plan is determined by the edition of the law files, the scope, the day of the law, the rulings,
the budget and the seed, and by nothing else. It is cut into chunks, which are the units of work:
chunk after chunk is answered, written down and, after an interruption, not asked again.
"""

from __future__ import annotations

import hashlib
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases.case import Case
from selo.cases.group import BUDGETS, Budget
from selo.cases.scope import Offered, Scope
from selo.cases.spans import spans_cut
from selo.cases.stream import at_random_of, groups
from selo.examine.declared import GROUP, asked_of
from selo.examine.narrowed import deciding
from selo.law.digest import spec_digest
from selo.protocol.messages import VERSION
from selo.rules.readings import Readings
from selo.words.wrong import wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.cases.group import Group
    from selo.law.reader import Law

_DECLARED: Final = "what the vendor declares of its tables, held against every provision that asks"
#: So many cases make a chunk, at most: few enough to keep, many enough to send.
CHUNK: Final = 1024


class PlannedGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of one game."""

    game: str
    methods: list[str]
    bets: list[str]
    #: The values of each option, or the ends of a range of them.
    options: dict[str, list[Any] | dict[str, int]]


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that determines a plan."""

    selo: str
    protocol: str
    spec_digest: str
    games: list[PlannedGame]
    as_of: str
    rulings: dict[str, str]
    budget: Budget
    seed: int
    #: Only groups that decide one of these; all where there is none.
    provisions: list[str] = []

    @property
    def named(self) -> list[str]:
        """The games, by name."""
        return [one.game for one in self.games]

    @property
    def digest(self) -> str:
        """The digest by which the plan is known."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


class PlannedGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of a plan that belong together."""

    game: str
    name: str
    reason: str
    size: int
    #: Whether this is every case of its kind, or some drawn at random.
    complete: bool
    #: How many different outcomes are shown, and how many bets lie on them in all.
    outcomes: int = 0
    bets: int = 0
    #: Provisions that its first cases decide: their expectation would be another without them.
    decides: list[str] = []


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of one game and method that are put to a vendor together."""

    index: int
    #: The place of its first case in the plan.
    first: int
    game: str
    method: str
    cases: list[Case]


def terms_of(  # noqa: PLR0913 - each is a choice of its own
    law: Law,
    scope: Scope,
    *,
    as_of: str,
    rulings: dict[str, str],
    budget: Budget,
    seed: int,
    provisions: list[str],
) -> Terms:
    """Return the terms of a plan."""
    for name in provisions:
        law.find(name)
    return Terms(
        selo=__version__,
        protocol=VERSION,
        spec_digest=spec_digest(law),
        games=[_planned(one) for one in scope.games],
        as_of=as_of,
        rulings=dict(sorted(rulings.items())),
        budget=budget,
        seed=seed,
        provisions=sorted(provisions),
    )


def _planned(offered: Offered) -> PlannedGame:
    return PlannedGame(
        game=offered.game,
        methods=sorted(offered.methods),
        bets=list(offered.bets),
        options={
            name: {"from": values.start, "to": values.stop - 1}
            if isinstance(values, range)
            else list(values)
            for name, values in offered.options.items()
        },
    )


def _offered(planned: PlannedGame) -> Offered:
    return Offered(
        game=planned.game,
        methods=frozenset(planned.methods),
        bets=tuple(planned.bets),
        options={
            name: range(values["from"], values["to"] + 1) if isinstance(values, dict) else values
            for name, values in planned.options.items()
        },
    )


class Plan:
    """The cases that follow from some terms."""

    def __init__(self, law: Law, terms: Terms) -> None:
        if terms.spec_digest != spec_digest(law) or terms.selo != __version__:
            raise wrong("plan-other", selo=terms.selo)
        self._law = law
        self.terms = terms
        self.scope = Scope(games=tuple(map(_offered, terms.games)))

    def groups(self) -> Iterator[tuple[str, str, str, bool, Iterator[Case]]]:
        """Yield game, name, reason, completeness and the cases of each group, in order."""
        for game, group in self._groups():
            yield game, group.name, group.reason, not group.endless, self._cases(game, group)

    def _groups(self) -> Iterator[tuple[str, Group]]:
        terms = self.terms
        wanted = None
        if terms.provisions:
            wanted = deciding(self._law, terms, self.scope, wanted=terms.provisions)
        for game, group in groups(
            self._law, self.scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
        ):
            if wanted is None or wanted.get((game, group.name)):
                yield game, group

    def _cases(self, game: str, group: Group) -> Iterator[Case]:
        methods = next(one.methods for one in self.scope.games if one.game == game)
        cases = group.cases()
        if group.endless:
            cases = islice(cases, at_random_of(self.terms.budget))
        return (case for case in cases if case.method in methods)

    def listed(self) -> Iterator[PlannedGroup]:
        """Yield every group with its size, which means making all of its cases."""
        groups = groupby(self.groups(), key=lambda one: one[0])
        told = deciding(self._law, self.terms, self.scope)
        for game, some in groups:
            for _, name, reason, complete, cases in some:
                found = _measured(cases)
                if found.size:
                    yield PlannedGroup(
                        game=game,
                        name=name,
                        reason=reason,
                        size=found.size,
                        complete=complete,
                        outcomes=len(found.outcomes),
                        bets=found.bets,
                        decides=told.get((game, name), []),
                    )
            asked = asked_of(self._law, game, Readings(self._law, self.terms.rulings)).total()
            if asked:
                yield PlannedGroup(
                    game=game, name=GROUP, reason=_DECLARED, size=asked, complete=True
                )

    def chunks(self, start: int = 0, every: int = 1) -> Iterator[Chunk]:
        """Yield the cases chunk by chunk: all, or from one chunk on every so many of them.

        Chunks that are passed over are made only as far as their size is not known otherwise.
        """

        def wanted(index: int) -> bool:
            return index >= start and not (index - start) % every

        index = first = 0
        for game, group in self._groups():
            if group.spans is None:
                cut = _cut(self._cases(game, group))
            else:
                cut = spans_cut(group.spans(), partial(_later, wanted, index), CHUNK)
            for size, some in cut:
                if wanted(index):
                    yield Chunk(
                        index=index, first=first, game=game, method=some[0].method, cases=some
                    )
                index += 1
                first += size


def _later(wanted: Callable[[int], bool], first: int, number: int) -> bool:
    return wanted(first + number)


class _Measured(msgspec.Struct):
    """How large a group is."""

    size: int = 0
    bets: int = 0
    #: By their hashes: the outcomes themselves would take a lot of room.
    outcomes: set[int] = set()


def _measured(cases: Iterator[Case]) -> _Measured:
    """Count the cases of a group, their outcomes and their bets."""
    found = _Measured()
    for case in cases:
        found.size += 1
        found.bets += len(case.bets)
        found.outcomes.add(hash(msgspec.json.encode(case.outcome or [case.a, case.b])))
    return found


def _cut(cases: Iterator[Case]) -> Iterator[tuple[int, list[Case]]]:
    """Cut cases into lists of one method, none longer than a chunk."""
    some: list[Case] = []
    for case in cases:
        if some and (len(some) == CHUNK or case.method != some[0].method):
            yield len(some), some
            some = []
        some.append(case)
    if some:
        yield len(some), some


def budget_of(name: str) -> Budget:
    """Return a budget by its name."""
    return next(one for one in BUDGETS if one == name)
