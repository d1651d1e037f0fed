"""The plan of an examination: its terms, its groups of cases, and the chunks it is cut into.

The edition of the law files, the scope, the day of the law, the rulings, the budget and the seed
determine a plan, and nothing else does. A chunk is the unit of work: chunks are answered and
written down one after the other, so an interrupted run need not ask them again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from selo.cases import Case, OfferedGame, Scope
from selo.cases.generate.case_stream import drawn_case_count, list_groups, random_case_count
from selo.cases.group import Budget
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING, ToldAnswers
from selo.engine import ENGINE as ENGINE_NUMBER
from selo.engine import UNNUMBERED, can_judge
from selo.examine.kills import GroupCoverage
from selo.examine.plan.plan_cursor import PlanCursor
from selo.examine.plan.recorded_plan import RecordedPlan
from selo.law import compute_spec_digest
from selo.protocol.messages import ENGINE, FULL, RESULTS, VERSION, Level, Via, answer_form
from selo.table_values import StakeLimits
from selo.text import user_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selo.cases.group import CaseChunk, Group
    from selo.examine.plan.plan_cursor import CasePart
    from selo.law import Law

    #: The provisions that each group of each game decides, by game and group.
    ProvisionsByGroup = dict[tuple[str, str], list[str]]

SampleSize = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
#: Cases in a chunk at most: few enough to hold in memory, many enough to send at once.
CHUNK_SIZE: Final = 1024
#: Cases of each group that are tried to find what the group decides.
_CASES_PER_GROUP: Final = 300
_MAX_PLANS_CACHED: Final = 8
#: What determined a plan before engines had numbers.
_UNNUMBERED_FIELDS: Final = (
    "selo", "protocol", "spec_digest", "games", "as_of", "rulings", "budget", "seed", "provisions",
)  # fmt: skip


class PlannedGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of one game."""

    game: str
    methods: list[str]
    bets: list[str]
    #: The values of each option, or the ends of a range of them.
    options: dict[str, list[Any] | dict[str, int]]
    #: Circumstances in which the product cannot answer, as the vendor declares.
    cannot: list[str] = []
    #: What a settlement tells, as the vendor declares.
    level: Level = FULL
    #: Who works out bets and methods, where it is declared.
    via: dict[str, Via] = {}
    #: The stakes that the product takes, as the vendor declares.
    largest_stake: int | None = None
    stake_step: int = 1

    @property
    def stake_limits(self) -> StakeLimits:
        """The stakes that may be asked."""
        return StakeLimits(largest=self.largest_stake, step=self.stake_step)


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that determines a plan."""

    protocol: str
    spec_digest: str
    games: list[PlannedGame]
    as_of: str
    rulings: dict[str, str]
    budget: Budget
    seed: int
    #: Only groups that decide one of these; all where there is none.
    provisions: list[str] = []
    #: Whether the stored text is applied also where it was not the law on that day.
    text_as_stored: bool = False
    #: Outcomes drawn of each sample, and free rounds of each game, where it is more than by the
    #: budget.
    draws: SampleSize = 0
    rounds: SampleSize = 0
    #: The engine that makes the plan.
    engine: int | msgspec.UnsetType = msgspec.UNSET
    #: The version that made the plan, in documents from before engines had numbers.
    selo: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def engine_number(self) -> int:
        """The number of the engine that made the plan."""
        return UNNUMBERED if self.engine is msgspec.UNSET else self.engine

    @property
    def game_names(self) -> list[str]:
        """The games, by name."""
        return [game.game for game in self.games]

    @property
    def levels(self) -> dict[str, Level]:
        """What a settlement of each game tells."""
        return {game.game: game.level for game in self.games}

    def told_by(self, game: str) -> ToldAnswers:
        """Return what the answers of a game tell of the product."""
        planned = next((one for one in self.games if one.game == game), None)
        if planned is None:
            return TOLD_EVERYTHING
        foreign = frozenset(name for name, who in planned.via.items() if who != ENGINE)
        return ToldAnswers(
            level=planned.level,
            foreign_bets=foreign & {*planned.bets},
            foreign_order="compare" in foreign,
        )

    def answer_type(self, game: str, method: str) -> Any:
        """Return the type of the answers to a method of a game."""
        return RESULTS[answer_form(method, self.levels.get(game, FULL))]

    @property
    def digest(self) -> str:
        """The digest by which the plan is known.

        A field at its default is left out, so that a field of a later version changes no digest.
        """
        if self.engine_number == UNNUMBERED:
            plain = {name: getattr(self, name) for name in _UNNUMBERED_FIELDS}
        else:
            games = [_without_defaults(game) for game in self.games]
            plain = {**_without_defaults(self), "games": games}
        return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


def _without_defaults(struct: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a struct that are not at their defaults."""
    return {
        field.name: getattr(struct, field.name)
        for field in msgspec.structs.fields(struct)
        if getattr(struct, field.name)
        != (field.default_factory() if field.default is msgspec.NODEFAULT
            and field.default_factory is not msgspec.NODEFAULT else field.default)
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanKey:
    """A plan as the key of a cache: plans with the same digest are equal."""

    digest: str
    #: Whether it is made, or read from evidence.
    recorded: bool
    law: Law = field(compare=False, repr=False)
    terms: Terms = field(compare=False, repr=False)

    @classmethod
    def of(cls, law: Law, terms: Terms) -> PlanKey:
        """Return the key of a plan."""
        return cls(terms.digest, law.recorded is not None, law, terms)


def recorded_plan_of(law: Law, terms: Terms) -> RecordedPlan | None:
    """Return the plan that evidence records, if it is not made again.

    It stands for the plan of the same terms, and of one game of them.
    """
    recorded = law.recorded
    if not isinstance(recorded, RecordedPlan) or not isinstance(recorded.terms, Terms):
        return None
    whole = recorded.terms
    is_same = msgspec.structs.replace(terms, games=whole.games) == whole
    return recorded if is_same and all(game in whole.games for game in terms.games) else None


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
    text_as_stored: bool = False,
    draws: int = 0,
    rounds: int = 0,
) -> Terms:
    """Return the terms of a plan."""
    for name in provisions:
        law.find(name)
    return Terms(
        engine=ENGINE_NUMBER,
        protocol=VERSION,
        spec_digest=compute_spec_digest(law),
        games=[_planned_game(game) for game in scope.games],
        as_of=as_of,
        rulings=dict(sorted(rulings.items())),
        budget=budget,
        seed=seed,
        provisions=sorted(provisions),
        text_as_stored=text_as_stored,
        draws=draws,
        rounds=rounds,
    )


def _planned_game(offered: OfferedGame) -> PlannedGame:
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
        cannot=list(offered.cannot),
        level=offered.level,
        via=dict(sorted(offered.via.items())),
        largest_stake=offered.stake_limits.largest,
        stake_step=offered.stake_limits.step,
    )


def _offered_game(planned: PlannedGame) -> OfferedGame:
    return OfferedGame(
        game=planned.game,
        methods=frozenset(planned.methods),
        bets=tuple(planned.bets),
        options={
            name: range(values["from"], values["to"] + 1) if isinstance(values, dict) else values
            for name, values in planned.options.items()
        },
        cannot=tuple(planned.cannot),
        level=planned.level,
        via=planned.via,
        stake_limits=planned.stake_limits,
    )


class Plan:
    """The cases that follow from some terms."""

    def __init__(self, law: Law, terms: Terms) -> None:
        if terms.spec_digest != compute_spec_digest(law) or not can_judge(terms.engine_number):
            raise user_error("plan-other", engine=terms.engine_number)
        self._law = law
        self.terms = terms
        self.scope = Scope(games=tuple(map(_offered_game, terms.games)))

    def groups(self) -> Iterator[tuple[str, Group]]:
        """Yield each game with each of its groups, in order."""
        terms = self.terms
        wanted = None
        if terms.provisions:
            wanted = _provisions_by_group(PlanKey.of(self._law, terms))
        made = list_groups(
            self._law, self.scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
        )
        recorded = recorded_plan_of(self._law, terms)
        if recorded is not None:
            yield from recorded.groups(terms.game_names, made)
            return
        for game, group in made:
            if wanted is None or wanted.get((game, group.name)):
                yield game, group

    def cases(self, game: str, group: Group) -> Iterator[Case]:
        """Yield the cases of a group within the budget."""
        methods = next(offered.methods for offered in self.scope.games if offered.game == game)
        cases = group.cases()
        if group.endless and recorded_plan_of(self._law, self.terms) is None:
            cases = islice(cases, drawn_case_count(group, random_case_count(self.terms.budget)))
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


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _provisions_by_group(key: PlanKey) -> ProvisionsByGroup:
    """Return which of the requested provisions each group of a plan decides."""
    law, terms = key.law, key.terms
    provisions_by_group: ProvisionsByGroup = {}
    for planned in terms.games:
        scope = Scope(games=(_offered_game(planned),))
        cases = {
            group.name: list(islice(group.cases(), _CASES_PER_GROUP))
            for _, group in list_groups(
                law, scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
            )
        }
        coverage = GroupCoverage(law, planned.game, terms.rulings, cases)
        decided = coverage.decisive_provisions(terms.provisions, every_mutant=True)
        provisions_by_group |= {(planned.game, name): ids for name, ids in decided.items()}
    return provisions_by_group


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
