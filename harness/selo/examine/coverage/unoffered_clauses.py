"""Finds decided provisions of which a part could only be shown by what the vendor does not offer.

1. The plan of a vendor that offers everything has cases that this vendor is not asked: they place a
   bet, name an option, use a method or state a history that it does not offer.
2. A mutant that such cases kill and no case of the plan does is a part of its provision that
   nobody tried: the provision was not fully examined, however much else of it was.
3. A mutant that such a case kills without what is missing was left out by the plan, and not by the
   vendor.
4. Of written rounds the same holds of the steps of a provision (`withheld_coverage`).

Everything follows from the plan alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from selo.cases.oracle import Oracle
from selo.examine.blame import CompiledMutant
from selo.examine.coverage.full_offer_plan import FullOfferPlan
from selo.examine.kills import KillIndex
from selo.examine.plan import Plan, PlanKey
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.cases import Case
    from selo.examine.plan import PlannedGame, Terms
    from selo.law import Law
    from selo.rules.mutants import Mutant
    from selo.verdict.observations import MissingOffer

    Untried = Mapping[str, tuple[MissingOffer, ...]]

#: Cases of each group that are not asked and are tried, and those of the plan, stage by stage.
_MAX_NOT_ASKED: Final = 200
_STAGES: Final = (24, 200, 2_000, 20_000)
_MAX_PLANS_CACHED: Final = 8


def untried_parts(law: Law, terms: Terms) -> Untried:
    """Return what would show the untried parts of each provision, by provision."""
    return _cached_parts(PlanKey.of(law, terms))


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _cached_parts(key: PlanKey) -> Untried:
    untried: dict[str, dict[MissingOffer, None]] = {}
    for planned in key.terms.games:
        for provision, missing in _untried_in_game(key.law, key.terms, planned):
            untried.setdefault(provision, {})[missing] = None
    return {provision: tuple(sorted(missing)) for provision, missing in untried.items()}


def _untried_in_game(
    law: Law, terms: Terms, planned: PlannedGame
) -> Iterator[tuple[str, MissingOffer]]:
    full = FullOfferPlan(law, terms, planned)
    if not full.has_gaps():
        return
    not_asked = [case for case in full.cases(0, _MAX_NOT_ASKED) if full.goes_beyond_offer(case)]
    if not not_asked:
        return
    mutants = [
        # Compiled once, for both plans.
        cast("Mutant", CompiledMutant(mutant))
        for mutant in generate_mutants(law, planned.game, Readings(law, terms.rulings))
        if not terms.provisions or mutant.provision in terms.provisions
    ]
    oracle = Oracle(law, terms.rulings)
    index = KillIndex(oracle, oracle.game(planned.game), not_asked, with_reasons=False)
    killed = [mutant for mutant in mutants if _is_killed(index, mutant)]
    for mutant in _survivors(law, terms, planned, killed):
        needs = full.needs_of(mutant, index)
        yield from ((mutant.provision, missing) for missing in needs)


def _survivors(law: Law, terms: Terms, planned: PlannedGame, mutants: list[Mutant]) -> list[Mutant]:
    """Return the mutants that no case of the plan kills."""
    oracle = Oracle(law, terms.rulings)
    plan = Plan(law, terms)
    groups = [plan.cases(game, group) for game, group in plan.groups() if game == planned.game]
    before = 0
    for upto in _STAGES:
        cases = [case for group in groups for case in _next_of(group, upto - before)]
        if mutants and cases:
            index = KillIndex(
                oracle,
                oracle.game(planned.game),
                cases,
                with_reasons=False,
                told=terms.told_by(planned.game),
                mutants=mutants,
            )
            mutants = [mutant for mutant in mutants if not _is_killed(index, mutant)]
        before = upto
    return mutants


def _next_of(cases: Iterator[Case], most: int) -> Iterator[Case]:
    for _, case in zip(range(most), cases, strict=False):
        yield case


def _is_killed(index: KillIndex, mutant: Mutant) -> bool:
    try:
        return bool(index.killing_cases(mutant, set(), 1))
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return False
