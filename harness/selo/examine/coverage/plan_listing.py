"""Lists a plan for people: its groups of cases, its live rounds, and the reason for each.

1. The cases of a group are generated and counted, unless its spans state their number.
2. The first cases of a group show which provisions and open points it decides.
3. The rounds are listed in the order in which they would be played, and those left out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cases.generate import SITUATION_GROUP
from selo.examine.coverage.draw_forecast import DrawForecast, FreeRoundForecast, forecast_draws
from selo.examine.findings.declaration_findings import DECLARATIONS_GROUP, count_requirements
from selo.examine.kills import GroupCoverage
from selo.examine.live_rounds import plan_scripts
from selo.examine.plan import Plan
from selo.parallel import END_OF_CHUNK, run_workers
from selo.rules.readings import Readings
from selo.text.message_catalogue import group_reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.cases.group import Group
    from selo.examine.plan import Terms
    from selo.law import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script

__all__ = [
    "DrawForecast",
    "FreeRoundForecast",
    "PlanListing",
    "PlannedGroup",
    "PlannedRound",
    "list_plan",
]

#: Cases of each group on which mutants are tried; of the register's situations, all are.
_CASES_PER_GROUP: Final = 24


class PlannedGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of a plan that belong together."""

    game: str
    name: str
    reason: str
    size: int
    #: Whether this is every case of its kind.
    complete: bool
    #: How the cases are chosen: all of their kind, so that every two levels of the factors meet,
    #: so that every level occurs, or at random.
    design: Literal["complete", "pairs", "levels", "drawn"] = "complete"
    #: The factors that the cases combine, and how many levels each has.
    factors: dict[str, int] = {}
    #: How many different outcomes are shown, and how many bets lie on them in all.
    outcomes: int = 0
    bets: int = 0
    #: Provisions that its first cases decide: their expectation would be another without them.
    decides: list[str] = []
    #: Open points on which its first cases part: they tell which reading is followed.
    readings: list[str] = []


class PlannedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A live round of a plan."""

    game: str
    #: Whether it is written by hand or generated.
    group: str
    name: str
    reason: str
    acts: int
    #: The provisions it is about.
    provisions: list[str]


class PlanListing(msgspec.Struct, frozen=True, kw_only=True):
    """All that a plan asks of a vendor."""

    groups: list[PlannedGroup]
    #: What is asked of the declarations of each game; these are no cases.
    declarations: list[PlannedGroup]
    rounds: list[PlannedRound]
    #: Why some rounds are not played.
    rounds_left_out: list[str]
    draws: list[DrawForecast] = []
    free_rounds: list[FreeRoundForecast] = []


def list_plan(law: Law, terms: Terms, offers: Sequence[Offer]) -> PlanListing:
    """Return everything that a plan asks of the offers; the games are listed in parallel."""

    def worker(number: int, count: int) -> Iterator[Any]:
        for game in islice(terms.game_names, number, None, count):
            yield _list_game(law, terms, offers, game)
            yield END_OF_CHUNK

    parts: list[PlanListing] = list(
        run_workers(worker, min(len(os.sched_getaffinity(0)), len(terms.game_names) or 1))
    )
    chance = forecast_draws(law, terms, offers)
    return PlanListing(
        draws=chance.draws,
        free_rounds=chance.free_rounds,
        groups=[group for part in parts for group in part.groups],
        declarations=[declaration for part in parts for declaration in part.declarations],
        rounds=[planned for part in parts for planned in part.rounds],
        rounds_left_out=[reason for part in parts for reason in part.rounds_left_out],
    )


def _list_game(law: Law, terms: Terms, offers: Sequence[Offer], game: str) -> PlanListing:
    played, left_out = plan_scripts(law, terms, offers, game)
    return PlanListing(
        groups=list(_planned_groups(law, terms, game)),
        declarations=list(_declarations(law, terms, game)),
        rounds=list(map(_planned_round, played)),
        rounds_left_out=left_out,
    )


def _planned_round(script: Script) -> PlannedRound:
    return PlannedRound(
        game=script.game,
        group=script.group,
        name=script.name,
        reason=script.reason,
        acts=len(script.acts),
        provisions=list(script.provisions),
    )


def _declarations(law: Law, terms: Terms, game: str) -> Iterator[PlannedGroup]:
    requirements = count_requirements(law, game, Readings(law, terms.rulings))
    if requirements:
        yield PlannedGroup(
            game=game,
            name=DECLARATIONS_GROUP,
            reason=group_reason(game, DECLARATIONS_GROUP).en,
            size=requirements.total(),
            complete=True,
            decides=[name for name in law.provisions if requirements[name]],
        )


def _planned_groups(law: Law, terms: Terms, game: str) -> Iterator[PlannedGroup]:
    alone = [planned for planned in terms.games if planned.game == game]
    plan = Plan(law, msgspec.structs.replace(terms, games=alone))
    groups = [group for _, group in plan.groups()]
    first = {
        group.name: list(
            islice(
                plan.cases(game, group), None if group.name == SITUATION_GROUP else _CASES_PER_GROUP
            )
        )
        for group in groups
    }
    coverage = GroupCoverage(law, game, terms.rulings, first)
    provisions, open_points = coverage.decisive_provisions(), coverage.open_points()
    for group in groups:
        size = _measure_group(plan, game, group)
        if size.cases:
            yield PlannedGroup(
                game=game,
                name=group.name,
                reason=group_reason(game, group.name).en,
                size=size.cases,
                complete=group.is_complete,
                design="drawn" if group.endless else group.design,
                factors={} if group.factors is None else dict(group.factors()),
                outcomes=len(size.outcomes) or size.cases,
                bets=size.bets,
                decides=provisions[group.name],
                readings=open_points[group.name],
            )


@dataclass(slots=True)
class _GroupSize:
    """The size of a group."""

    cases: int = 0
    bets: int = 0
    #: Hashes, which need less memory than the outcomes.
    outcomes: set[int] = field(default_factory=set)


def _measure_group(plan: Plan, game: str, group: Group) -> _GroupSize:
    """Count the cases of a group, their outcomes and their bets."""
    size = _GroupSize()
    if group.chunks is not None:
        for span in group.chunks():
            size.cases += span.size
            size.bets += span.bets
        return size
    last: Any = None
    for case in plan.cases(game, group):
        size.cases += 1
        size.bets += len(case.bets)
        # Cases that share an outcome follow one another.
        if last is None or case.outcome is not last or not case.outcome:
            last = case.outcome
            size.outcomes.add(hash(_outcome_key(case)))
    return size


def _outcome_key(case: Case) -> bytes:
    return msgspec.json.encode(case.outcome or [case.a, case.b])


def with_certificate_draws(law: Law, terms: Terms, offers: Sequence[Offer]) -> Terms:
    """Return the terms with as many draws of each game as a certificate needs."""
    # Larger samples are drawn in more streams, which have tests of their own: the family grows with
    # them, and with it what is needed.
    while True:
        wanted: dict[str, int] = {}
        for draw in forecast_draws(law, terms, offers).draws:
            most = max((number for number in draw.needed.values() if number), default=0)
            if most > draw.sample.outcomes:
                wanted[draw.sample.game] = max(most, wanted.get(draw.sample.game, 0))
        if not wanted:
            return terms
        terms = msgspec.structs.replace(
            terms, game_draws=dict(sorted({**terms.game_draws, **wanted}.items()))
        )
