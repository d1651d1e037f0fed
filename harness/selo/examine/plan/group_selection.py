"""Chooses groups of cases: those that decide requested provisions, those to be examined in full."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from selo.cases import Scope
from selo.cases.generate.case_stream import list_groups
from selo.examine.kills import GroupCoverage
from selo.examine.plan.plan_terms import offered_game
from selo.law.files.provision_file import Way
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.plan.plan_terms import PlanKey, PlannedGame, Terms
    from selo.law import Law, LocatedProvision

    #: The provisions that each group of each game decides, by game and group.
    ProvisionsByGroup = dict[tuple[str, str], list[str]]

#: Cases of each group that are tried to find what the group decides.
_CASES_PER_GROUP: Final = 300
_MAX_PLANS_CACHED: Final = 8
#: The ways of verification by questions, of which there are more in a larger budget.
ASKED_WAYS: Final = frozenset({Way.EXAMINATION, Way.PROCEDURE})


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def provisions_by_group(key: PlanKey) -> ProvisionsByGroup:
    """Return which of the requested provisions each group of a plan decides."""
    return {
        (planned.game, name): provisions
        for planned in key.terms.games
        for name, provisions in _decided_by_group(key, planned, key.terms.provisions).items()
    }


def _decided_by_group(
    key: PlanKey, planned: PlannedGame, provisions: Sequence[str]
) -> dict[str, list[str]]:
    """Return which of some provisions each group of a game decides."""
    law, terms = key.law, key.terms
    scope = Scope(games=(offered_game(planned),))
    cases = {
        group.name: list(islice(group.cases(), _CASES_PER_GROUP))
        for _, group in list_groups(
            law, scope, budget=terms.budget, seed=terms.seed, rulings=terms.rulings
        )
    }
    coverage = GroupCoverage(law, planned.game, terms.rulings, cases)
    return coverage.decisive_provisions(provisions, every_mutant=True)


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def groups_examined_again(key: PlanKey) -> frozenset[tuple[str, str]]:
    """Return the groups of a plan that decide a provision which is not carried over.

    Of a game in which such a provision is decided by no group that is known, all are.
    """
    law, terms = key.law, key.terms
    again: set[tuple[str, str]] = set()
    for planned in terms.games:
        left = [
            name
            for name in examined_again(law, terms, planned.game)
            if Way.EXAMINATION in ways_of(law.find(name))
        ]
        if not left:
            continue
        decided = _decided_by_group(key, planned, left)
        has_all = {*left} <= {name for names in decided.values() for name in names}
        again |= {(planned.game, name) for name, names in decided.items() if names or not has_all}
    return frozenset(again)


def examined_again(law: Law, terms: Terms, game: str) -> list[str]:
    """Return the provisions of a game verified by cases or rounds that are not carried over.

    Those without effect under the adopted readings are left out: nothing decides them.
    """
    idle = Readings(law, terms.rulings).without_effect
    return [
        held.id
        for held in law.provisions.values()
        if held.instrument.game == game
        and held.id not in terms.carried
        and held.id not in idle
        and ways_of(held) & ASKED_WAYS
    ]


def ways_of(held: LocatedProvision) -> frozenset[Way]:
    """Return the ways in which a provision is verified."""
    return frozenset({held.provision.verified_by, *held.provision.also})
