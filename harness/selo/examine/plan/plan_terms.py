"""The terms of a plan: everything that determines it, and the digest by which it is known."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from selo.cases import OfferedGame, Scope
from selo.cases.group import Budget
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING, ToldAnswers
from selo.engine import ENGINE as ENGINE_NUMBER
from selo.engine import UNNUMBERED
from selo.law import compute_spec_digest
from selo.protocol.messages import ENGINE, FULL, RESULTS, VERSION, Level, Via, answer_form
from selo.table_values import StakeLimits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.law import Law

SampleSize = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
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
    #: Who computes bets and methods, where it is declared.
    via: dict[str, Via] = {}
    #: Whether cases may state what lies behind them.
    history: bool = False
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
    #: Outcomes drawn of each sample of a game, where it is still more.
    game_draws: dict[str, SampleSize] = {}
    #: Provisions carried over from a certificate: groups that decide no other provision are only
    #: sampled, as in the smallest budget.
    carried: list[str] = []
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
    carried: Sequence[str] = (),
    draws: int = 0,
    rounds: int = 0,
    game_draws: Mapping[str, int] = MappingProxyType({}),
) -> Terms:
    """Return the terms of a plan."""
    for name in (*provisions, *carried):
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
        carried=sorted(carried),
        draws=draws,
        rounds=rounds,
        game_draws=dict(sorted(game_draws.items())),
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
        history=offered.history,
        largest_stake=offered.stake_limits.largest,
        stake_step=offered.stake_limits.step,
    )


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


def offered_game(planned: PlannedGame) -> OfferedGame:
    """Return the offer of a planned game."""
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
        history=planned.history,
        stake_limits=planned.stake_limits,
    )
