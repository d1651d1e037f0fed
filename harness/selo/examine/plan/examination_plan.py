"""The plan of an examination: which cases are tried, in which order, and why.

A plan is determined by the edition of the law files, the scope, the day of the law, the rulings,
the budget and the seed, and by nothing else. It is cut into chunks, which are the units of work:
chunk after chunk is answered, written down and, after an interruption, not asked again.
"""

from __future__ import annotations

import hashlib
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases import Case, Offered, Scope
from selo.cases.generate.case_stream import at_random_of, drawn_of, groups
from selo.cases.group import BUDGETS, Budget
from selo.examine.kills import GroupCoverage
from selo.law.spec_digest import compute_spec_digest
from selo.protocol.messages import VERSION
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.cases.group import Group
    from selo.law.loader import Law

    #: The provisions that each group of each game decides.
    Deciding = dict[tuple[str, str], list[str]]

    from selo.cases.group import Span


def cut_spans(
    spans: Iterator[Span], wanted: Callable[[int], bool], length: int
) -> Iterator[tuple[int, list[Case]]]:
    """Yield for each list how many cases it has, and those cases if the list is wanted.

    Lists are counted from nought; none but the last is shorter than `length`.
    """
    number = filled = 0
    some: list[Case] = []
    for size, _, make in spans:
        made: list[Case] | None = None
        at = 0
        while at < size:
            more = min(size - at, length - filled)
            if wanted(number):
                made = list(make()) if made is None else made
                some += made[at : at + more]
            at += more
            filled += more
            if filled == length:
                yield filled, some
                number, filled, some = number + 1, 0, []
    if filled:
        yield filled, some


#: So many cases of each group are looked at.
_CASES_PER_GROUP: Final = 300
#: What was found out for the plans seen last.
_KNOWN: Final[dict[str, Deciding]] = {}
_MOST_KNOWN: Final = 8


def decisive_groups(law: Law, terms: Terms, scope: Scope) -> Deciding:
    """Return the provisions, of those to which a plan is narrowed, that each group decides."""
    if terms.digest not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[terms.digest] = _found(law, terms, scope)
    return _KNOWN[terms.digest]


def _found(law: Law, terms: Terms, scope: Scope) -> Deciding:
    found: Deciding = {}
    for game in scope.games:
        some = {
            group.name: list(islice(group.cases(), _CASES_PER_GROUP))
            for _, group in groups(
                law,
                Scope(games=(game,)),
                budget=terms.budget,
                seed=terms.seed,
                rulings=terms.rulings,
            )
        }
        told = GroupCoverage(law, game.game, terms.rulings, some).decides(
            terms.provisions, whole=True
        )
        found |= {(game.game, name): provisions for name, provisions in told.items()}
    return found


#: So many cases make a chunk, at most: few enough to keep, many enough to send.
CHUNK_SIZE: Final = 1024


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
        return [game.game for game in self.games]

    @property
    def digest(self) -> str:
        """The digest by which the plan is known."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


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
        spec_digest=compute_spec_digest(law),
        games=[_planned_game(game) for game in scope.games],
        as_of=as_of,
        rulings=dict(sorted(rulings.items())),
        budget=budget,
        seed=seed,
        provisions=sorted(provisions),
    )


def _planned_game(offered: Offered) -> PlannedGame:
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


def _offered_game(planned: PlannedGame) -> Offered:
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
        if terms.spec_digest != compute_spec_digest(law) or terms.selo != __version__:
            raise user_error("plan-other", selo=terms.selo)
        self._law = law
        self.terms = terms
        self.scope = Scope(games=tuple(map(_offered_game, terms.games)))

    def groups(self) -> Iterator[tuple[str, str, str, bool, Iterator[Case]]]:
        """Yield game, name, reason, completeness and the cases of each group, in order."""
        for game, group in self.asked():
            yield game, group.name, group.reason, not group.endless, self.cases(game, group)

    def asked(self) -> Iterator[tuple[str, Group]]:
        """Yield each game with each group of which cases are asked."""
        terms = self.terms
        wanted = None
        if terms.provisions:
            wanted = decisive_groups(self._law, terms, self.scope)
        for game, group in groups(
            self._law, self.scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
        ):
            if wanted is None or wanted.get((game, group.name)):
                yield game, group

    def cases(self, game: str, group: Group) -> Iterator[Case]:
        """Yield the cases of a group as far as the budget goes."""
        methods = next(one.methods for one in self.scope.games if one.game == game)
        cases = group.cases()
        if group.endless:
            cases = islice(cases, drawn_of(group, at_random_of(self.terms.budget)))
        return (case for case in cases if case.method in methods)

    def size(self) -> int:
        """Return how many cases there are; where that is known otherwise, none is made."""
        return sum(
            sum(1 for _ in self.cases(game, group))
            if group.spans is None
            else sum(span.size for span in group.spans())
            for game, group in self.asked()
        )

    def chunks(self, start: int = 0, every: int = 1) -> Iterator[Chunk]:
        """Yield the cases chunk by chunk: all, or from one chunk on every so many of them.

        Chunks that are passed over are made only as far as their size is not known otherwise.
        """

        def wanted(index: int) -> bool:
            return index >= start and not (index - start) % every

        index = first = 0
        for game, group in self.asked():
            if group.spans is None:
                cut = _cut_cases(self.cases(game, group))
            else:
                cut = cut_spans(group.spans(), partial(_later, wanted, index), CHUNK_SIZE)
            for size, some in cut:
                if wanted(index):
                    yield Chunk(
                        index=index, first=first, game=game, method=some[0].method, cases=some
                    )
                index += 1
                first += size


def _later(wanted: Callable[[int], bool], first: int, number: int) -> bool:
    return wanted(first + number)


def _cut_cases(cases: Iterator[Case]) -> Iterator[tuple[int, list[Case]]]:
    """Cut cases into lists of one method, none longer than a chunk."""
    some: list[Case] = []
    for case in cases:
        if some and (len(some) == CHUNK_SIZE or case.method != some[0].method):
            yield len(some), some
            some = []
        some.append(case)
    if some:
        yield len(some), some


def budget_of(name: str) -> Budget:
    """Return a budget by its name."""
    return next(one for one in BUDGETS if one == name)
