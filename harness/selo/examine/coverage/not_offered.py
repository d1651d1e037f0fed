"""Finds what a vendor would have to offer for each provision to be examined further.

1. A provision that no case of the plan decides is tried on the plan of a vendor that offers
   everything. What its decisive cases need and the vendor does not offer is why it is not examined.
   If one of them needs nothing more, the plan was only too small.
2. A provision about options of which none is offered, and from which no case of the plan follows,
   is inapplicable: cases without the option show nothing of it.
3. For any other provision, the missing bets, options and methods that could show more of it are
   reported beside its verdict.
4. The same is done for the rounds that are written about a provision.

Everything follows from the plan and the description in the first line of the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.examine.coverage.full_offer_plan import (
    COMPARE,
    SETTLE,
    FullOfferPlan,
    effective_options,
    missing_option,
    missing_options,
)
from selo.examine.kills import affects_hand_order
from selo.examine.plan import Plan, PlanKey
from selo.law.files.provision_file import Way
from selo.protocol.schema import game_words
from selo.rounds import find_lacking, missing_stakes
from selo.rounds.generate import read_written_scripts
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.coverage.plan_coverage import DecisiveCount
    from selo.examine.plan import PlannedGame, Terms
    from selo.law import Law
    from selo.protocol.messages import Description, Offer
    from selo.rules.mutants import Mutant

    Lacks = dict[str, tuple[MissingOffer, ...]]
    AllCovered = Mapping[tuple[str, Way], DecisiveCount]

TABLE: Final = "table"
_DEFINES: Final = "defines"
#: Cases of each group whose derivations are searched for provisions.
_CASES_PER_GROUP: Final = 24
_MAX_PLANS_CACHED: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferGaps:
    """What the vendor does not offer, by provision and way of verification."""

    lacking: Mapping[tuple[str, Way], tuple[MissingOffer, ...]]
    #: Provisions that apply to nothing that is offered.
    inapplicable: frozenset[str]

    def applicable(self, covered: AllCovered) -> dict[tuple[str, Way], DecisiveCount]:
        """Return the counts without those of inapplicable provisions."""
        return {
            (name, way): count
            for (name, way), count in covered.items()
            if way is not Way.EXAMINATION or name not in self.inapplicable
        }


def find_offer_gaps(
    law: Law, terms: Terms, description: Description, covered: AllCovered
) -> OfferGaps:
    """Return what the vendor does not offer and the provisions would need."""
    decided = frozenset(
        name for (name, way), count in covered.items() if way is Way.EXAMINATION and count.decisive
    )
    by_cases, inapplicable = _case_gaps(PlanKey.of(law, terms), decided)
    by_rounds = {
        name: missing
        for offer in description.games
        if offer.game in terms.game_names
        for name, missing in _round_gaps(law, offer, covered).items()
    }
    gaps = {
        **{(name, Way.EXAMINATION): missing for name, missing in by_cases.items()},
        **{(name, Way.PROCEDURE): missing for name, missing in by_rounds.items()},
    }
    lacking = {key: missing for key, missing in gaps.items() if missing}
    return OfferGaps(lacking=lacking, inapplicable=inapplicable)


@lru_cache(maxsize=_MAX_PLANS_CACHED)
def _case_gaps(key: PlanKey, decided: frozenset[str]) -> tuple[Lacks, frozenset[str]]:
    """Return what the cases need for each provision, and the inapplicable provisions."""
    law, terms = key.law, key.terms
    inapplicable = _inapplicable_provisions(law, terms)
    gaps: Lacks = {}
    for planned in terms.games:
        gaps |= _gaps_of_game(law, terms, planned, decided - inapplicable)
        missing = _missing_options_by_provision(law, terms, planned)
        gaps |= {name: missing[name] for name in inapplicable if name in missing}
    return gaps, inapplicable


def _inapplicable_provisions(law: Law, terms: Terms) -> frozenset[str]:
    """Return the provisions about options not offered from which no case of the plan follows."""
    inapplicable = {
        name
        for planned in terms.games
        for name, missing in _missing_options_by_provision(law, terms, planned).items()
        if len(missing) == len(_options_by_provision(law, terms, planned.game)[name])
    }
    if inapplicable:
        oracle, plan = Oracle(law, terms.rulings), Plan(law, terms)
        for game, group in plan.groups():
            for case in islice(plan.cases(game, group), _CASES_PER_GROUP):
                # A definition that was looked up may not have applied.
                inapplicable -= {
                    reason.provision
                    for reason in oracle.derivation_of(case)
                    if reason.role != _DEFINES
                }
    return frozenset(inapplicable)


def _missing_options_by_provision(law: Law, terms: Terms, planned: PlannedGame) -> Lacks:
    """Return the option values that each provision is about and the vendor does not offer."""
    missing = missing_options(law, planned)
    return {
        name: tuple(
            missing_option(option, value)
            for option, value in own
            if value in missing.get(option, ())
        )
        for name, own in _options_by_provision(law, terms, planned.game).items()
    }


def _options_by_provision(law: Law, terms: Terms, game: str) -> dict[str, list[tuple[str, str]]]:
    """Return the option values that each provision is about."""
    readings = Readings(law, terms.rulings)
    options: dict[str, list[tuple[str, str]]] = {}
    for read_clause in read_clauses(law, game):
        if isinstance(read_clause.clause, c.Option) and readings.allows(read_clause.clause.under):
            for value in read_clause.clause.values:
                options.setdefault(read_clause.held.id, []).append(
                    (read_clause.clause.option, value)
                )
    return options


def _gaps_of_game(law: Law, terms: Terms, planned: PlannedGame, decided: frozenset[str]) -> Lacks:
    words = game_words(law, planned.game)
    methods = [
        method
        for method in (SETTLE, COMPARE)
        if method in words.abilities and method not in planned.methods
    ]
    bets = [bet for bet in words.bets if bet not in planned.bets]
    limits = planned.stake_limits
    readings = Readings(law, terms.rulings)
    options = _missing_options_by_provision(law, terms, planned)
    if not (methods or bets or effective_options(law, planned, readings)) and limits.is_open:
        return {name: missing for name, missing in options.items() if name in decided}
    by_provision: dict[str, list[Mutant]] = {}
    for mutant in generate_mutants(law, planned.game, readings):
        if not terms.provisions or mutant.provision in terms.provisions:
            by_provision.setdefault(mutant.provision, []).append(mutant)
    undecided = [
        mutant
        for name, mutants in by_provision.items()
        if name not in decided
        for mutant in mutants
    ]
    gaps = FullOfferPlan(law, terms, planned).needs_by_provision(undecided)
    for name, mutants in by_provision.items():
        if name in decided:
            gaps[name] = (
                *_further_gaps(mutants, methods, bets),
                *options.get(name, ()),
                *(missing_stakes(limits) if any(mutant.bets() for mutant in mutants) else ()),
            )
    return gaps


def _further_gaps(
    mutants: Sequence[Mutant], methods: Sequence[str], bets: Iterable[str]
) -> Iterator[MissingOffer]:
    """Yield what could show more of a provision that some case decides already."""
    affected = frozenset[str]().union(*(mutant.bets() for mutant in mutants))
    if SETTLE in methods and affected:
        yield MissingOffer(kind=NotOffered.METHOD, name=SETTLE)
    if COMPARE in methods and any(map(affects_hand_order, mutants)):
        yield MissingOffer(kind=NotOffered.METHOD, name=COMPARE)
    for name in bets:
        if name in affected:
            yield MissingOffer(kind=NotOffered.BET, name=name)


def _round_gaps(law: Law, offer: Offer, covered: AllCovered) -> Lacks:
    """Return what the rounds about each provision need that is not offered."""
    words = game_words(law, offer.game)
    needs: dict[str, list[tuple[MissingOffer, ...]]] = {}
    for script in read_written_scripts(law, offer.game):
        missing = tuple(dict.fromkeys(find_lacking(script, offer, words)))
        for name in script.provisions:
            needs.setdefault(name, []).append(missing)
    if TABLE not in offer.methods:
        # Without tables no other need matters.
        table = (MissingOffer(kind=NotOffered.METHOD, name=TABLE),)
        procedural = {
            held.id
            for held in law.provisions.values()
            if held.instrument.game == offer.game
            and Way.PROCEDURE in (held.provision.verified_by, *held.provision.also)
        }
        return dict.fromkeys([*needs, *procedural], table)
    gaps: Lacks = {}
    for name, per_script in needs.items():
        count = covered.get((name, Way.PROCEDURE))
        if count is not None and count.decisive:
            gaps[name] = tuple(dict.fromkeys(need for missing in per_script for need in missing))
        else:
            gaps[name] = min(per_script, key=len)
    return gaps
