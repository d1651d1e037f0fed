"""A plan as people read it: its groups of cases, its live rounds, and why each of them is there.

1. How many cases a group has is counted by making them, unless its spans say it.
2. What a group decides, and on which open points its cases part, is told by its first cases.
3. Rounds are those that would be played, in their order, and those that are left out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases.generate import SITUATIONS
from selo.examine.findings.declaration_findings import GROUP, asked_of
from selo.examine.kills import Telling
from selo.examine.plan import Plan
from selo.examine.plan.live_rounds import scripts_planned
from selo.parallel import TURN, in_turn
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.cases.group import Group
    from selo.examine.plan import Terms
    from selo.law.loader import Law
    from selo.protocol.messages import Offer
    from selo.rounds import Script

_DECLARED: Final = "what the vendor declares of its tables, held against every provision that asks"
#: So many cases of each group tell what it is about; of those of the register, all.
_OF_A_GROUP: Final = 24


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


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """All that a plan asks of a vendor, besides draws."""

    groups: list[PlannedGroup]
    #: What is asked of the declarations of each game; these are no cases.
    declarations: list[PlannedGroup]
    rounds: list[PlannedRound]
    #: Why some rounds are not played.
    rounds_left_out: list[str]


def listed(law: Law, terms: Terms, offers: Sequence[Offer]) -> Listed:
    """Return everything that a plan asks of what is offered, game by game side by side."""

    def worker(number: int, count: int) -> Iterator[Any]:
        for game in islice(terms.named, number, None, count):
            yield _listed(law, terms, offers, game)
            yield TURN

    parts: list[Listed] = list(
        in_turn(worker, min(len(os.sched_getaffinity(0)), len(terms.named) or 1))
    )
    return Listed(
        groups=[group for part in parts for group in part.groups],
        declarations=[declaration for part in parts for declaration in part.declarations],
        rounds=[one for part in parts for one in part.rounds],
        rounds_left_out=[one for part in parts for one in part.rounds_left_out],
    )


def _listed(law: Law, terms: Terms, offers: Sequence[Offer], game: str) -> Listed:
    played, left_out = scripts_planned(law, terms, offers, game)
    return Listed(
        groups=list(_groups(law, terms, game)),
        declarations=list(_declarations(law, terms, game)),
        rounds=list(map(_round, played)),
        rounds_left_out=left_out,
    )


def _round(script: Script) -> PlannedRound:
    return PlannedRound(
        game=script.game,
        group=script.group,
        name=script.name,
        reason=script.reason,
        acts=len(script.acts),
        provisions=list(script.provisions),
    )


def _declarations(law: Law, terms: Terms, game: str) -> Iterator[PlannedGroup]:
    asked = asked_of(law, game, Readings(law, terms.rulings))
    if asked:
        yield PlannedGroup(
            game=game,
            name=GROUP,
            reason=_DECLARED,
            size=asked.total(),
            complete=True,
            decides=[name for name in law.provisions if asked[name]],
        )


def _groups(law: Law, terms: Terms, game: str) -> Iterator[PlannedGroup]:
    planned = [one for one in terms.games if one.game == game]
    plan = Plan(law, msgspec.structs.replace(terms, games=planned))
    groups = [group for _, group in plan.asked()]
    first = {
        group.name: list(
            islice(plan.cases(game, group), None if group.name == SITUATIONS else _OF_A_GROUP)
        )
        for group in groups
    }
    told = Telling(law, game, terms.rulings, first)
    decides, reads = told.decides(), told.reads()
    for one in groups:
        found = _measured(plan, game, one)
        if found.size:
            yield PlannedGroup(
                game=game,
                name=one.name,
                reason=one.reason,
                size=found.size,
                complete=not one.endless,
                outcomes=len(found.outcomes) or found.size,
                bets=found.bets,
                decides=decides[one.name],
                readings=reads[one.name],
            )


@dataclass(slots=True)
class _Measured:
    """How large a group is."""

    size: int = 0
    bets: int = 0
    #: By their hashes: the outcomes themselves would take a lot of room.
    outcomes: set[int] = field(default_factory=set)


def _measured(plan: Plan, game: str, group: Group) -> _Measured:
    """Count the cases of a group, their outcomes and their bets."""
    found = _Measured()
    if group.spans is not None:
        for span in group.spans():
            found.size += span.size
            found.bets += span.bets
        return found
    last: Any = None
    for case in plan.cases(game, group):
        found.size += 1
        found.bets += len(case.bets)
        # Cases that share an outcome come one after the other.
        if last is None or case.outcome is not last or not case.outcome:
            last = case.outcome
            found.outcomes.add(hash(_shown(case)))
    return found


def _shown(case: Case) -> bytes:
    return msgspec.json.encode(case.outcome or [case.a, case.b])
