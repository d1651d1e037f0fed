"""What a vendor does not offer of what would have to be asked about each provision.

1. A provision that no case of the plan decides is tried on the plan that there would be if
   everything were offered. What its deciding cases ask for and the vendor does not offer is why it
   is not examined. If one of them asks for nothing more, too little was seen, and nothing else.
2. A provision about options of which none is offered, and from which no case of the plan follows,
   applies to nothing that is offered. That it is not applied elsewhere shows nothing of it.
3. Of any other provision the bets, options and methods that could show more of it and are not
   offered are told beside its verdict.
4. The same holds of the rounds that are written about a provision.

Everything follows from the plan and the description in the first line of the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.examine.coverage.full_offer_plan import (
    COMPARE,
    SETTLE,
    FullOfferPlan,
    missing_option,
    missing_options,
)
from selo.examine.kills import affects_hand_order
from selo.examine.plan import Plan
from selo.law.files.provision_file import Way
from selo.protocol.schema import game_words
from selo.rounds import find_lacking
from selo.rounds.generate import TABLE_MODELS, read_written_scripts
from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from selo.examine.coverage.plan_coverage import DecisiveCount
    from selo.examine.plan import PlannedGame, Terms
    from selo.law.loader import Law, LocatedProvision
    from selo.protocol.messages import Description, Offer
    from selo.rules.mutants import Mutant

    Lacks = dict[str, tuple[MissingOffer, ...]]
    AllCovered = Mapping[tuple[str, Way], DecisiveCount]

TABLE: Final = "table"
_DEFINES: Final = "defines"
#: So many cases of each group are asked from which provisions they follow.
_CASES_PER_GROUP: Final = 24
#: What was found for the plans seen last: a plan and its law are named by their digest.
_KNOWN: Final[dict[str, tuple[Lacks, frozenset[str]]]] = {}
_MOST_KNOWN: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferGaps:
    """What is not offered of each provision, in each way in which it is looked at."""

    lacking: Mapping[tuple[str, Way], tuple[MissingOffer, ...]]
    #: Provisions that apply to nothing that is offered: no case shows anything of them.
    void: frozenset[str]

    def left(self, covered: AllCovered) -> dict[tuple[str, Way], DecisiveCount]:
        """Return what was covered, without what shows nothing."""
        return {
            (name, way): seen
            for (name, way), seen in covered.items()
            if way is not Way.EXAMINATION or name not in self.void
        }


def find_offer_gaps(
    law: Law, terms: Terms, description: Description, covered: AllCovered
) -> OfferGaps:
    """Return what the vendor does not offer of what would have to be asked."""
    if terms.digest not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[terms.digest] = _case_gaps(law, terms, covered)
    examined, void = _KNOWN[terms.digest]
    played = {
        name: missing
        for game in description.games
        if game.game in terms.named
        for name, missing in _round_gaps(law, game, covered).items()
    }
    found = {
        **{(name, Way.EXAMINATION): missing for name, missing in examined.items()},
        **{(name, Way.PROCEDURE): missing for name, missing in played.items()},
    }
    return OfferGaps(lacking={key: some for key, some in found.items() if some}, void=void)


def _case_gaps(law: Law, terms: Terms, covered: AllCovered) -> tuple[Lacks, frozenset[str]]:
    void = _inapplicable_provisions(law, terms)
    decided = {
        name for (name, way), seen in covered.items() if way is Way.EXAMINATION and seen.decisive
    }
    found: Lacks = {}
    for planned in terms.games:
        found |= _gaps_of_game(law, terms, planned, decided - void)
        missing = _missing_options_by_provision(law, terms, planned)
        found |= {name: missing[name] for name in void if name in missing}
    return found, void


def _inapplicable_provisions(law: Law, terms: Terms) -> frozenset[str]:
    """Return the provisions about options not offered from which no case of the plan follows."""
    found = {
        name
        for planned in terms.games
        for name, missing in _missing_options_by_provision(law, terms, planned).items()
        if len(missing) == len(_options_by_provision(law, terms, planned.game)[name])
    }
    if found:
        oracle = Oracle(law, terms.rulings)
        for _, _, _, _, cases in Plan(law, terms).groups():
            for case in islice(cases, _CASES_PER_GROUP):
                # A word that was asked for and did not fit decides nothing.
                found -= {one.provision for one in oracle.why(case) if one.role != _DEFINES}
    return frozenset(found)


def _missing_options_by_provision(law: Law, terms: Terms, planned: PlannedGame) -> Lacks:
    """Return the options that provisions are about and that are not offered."""
    missing = missing_options(law, planned)
    return {
        name: tuple(
            missing_option(one, value) for one, value in own if value in missing.get(one, ())
        )
        for name, own in _options_by_provision(law, terms, planned.game).items()
    }


def _options_by_provision(law: Law, terms: Terms, game: str) -> dict[str, list[tuple[str, str]]]:
    """Return the options that provisions are about, each with its values."""
    readings = Readings(law, terms.rulings)
    found: dict[str, list[tuple[str, str]]] = {}
    for read_clause in read_clauses(law, game):
        if isinstance(read_clause.clause, c.Option) and readings.allow(read_clause.clause.under):
            for value in read_clause.clause.values:
                found.setdefault(read_clause.held.id, []).append((read_clause.clause.option, value))
    return found


def _gaps_of_game(law: Law, terms: Terms, planned: PlannedGame, decided: set[str]) -> Lacks:
    words = game_words(law, planned.game)
    asked = [one for one in (SETTLE, COMPARE) if one in words.abilities]
    methods = [one for one in asked if one not in planned.methods]
    bets = [bet for bet in words.bets if bet not in planned.bets]
    if not methods and not bets and not missing_options(law, planned):
        return {}
    mine: dict[str, list[Mutant]] = {}
    for variant in generate_mutants(law, planned.game, Readings(law, terms.rulings)):
        if not terms.provisions or variant.provision in terms.provisions:
            mine.setdefault(variant.provision, []).append(variant)
    undecided = [one for name, some in mine.items() if name not in decided for one in some]
    found = FullOfferPlan(law, terms, planned).lacks(undecided)
    options = _missing_options_by_provision(law, terms, planned)
    for name, some in mine.items():
        if name in decided:
            found[name] = (*_further_gaps(some, methods, bets), *options.get(name, ()))
    return found


def _further_gaps(
    mine: Sequence[Mutant], methods: Sequence[str], bets: Iterable[str]
) -> Iterator[MissingOffer]:
    """Yield what could show more of a provision of which something was seen."""
    felt = frozenset[str]().union(*(one.bets() for one in mine))
    if SETTLE in methods and felt:
        yield MissingOffer(kind=NotOffered.METHOD, name=SETTLE)
    if COMPARE in methods and any(map(affects_hand_order, mine)):
        yield MissingOffer(kind=NotOffered.METHOD, name=COMPARE)
    for name in bets:
        if name in felt:
            yield MissingOffer(kind=NotOffered.BET, name=name)


def _round_gaps(law: Law, offer: Offer, covered: AllCovered) -> Lacks:
    """Return what the rounds about each provision need that is not offered."""
    if offer.game not in TABLE_MODELS:
        return {}
    words = game_words(law, offer.game)
    needs: dict[str, list[tuple[MissingOffer, ...]]] = {}
    for script in read_written_scripts(law, offer.game):
        missing = tuple(dict.fromkeys(find_lacking(script, offer, words)))
        for name in script.provisions:
            needs.setdefault(name, []).append(missing)
    if TABLE not in offer.methods:
        # Without a table nothing else of it needs to be named.
        table = (MissingOffer(kind=NotOffered.METHOD, name=TABLE),)
        held = [
            provision
            for provision in law.provisions.values()
            if provision.instrument.game == offer.game
        ]
        asked = {one.id for one in held if Way.PROCEDURE in _ways(one)}
        return dict.fromkeys([*needs, *asked], table)
    found: Lacks = {}
    for name, some in needs.items():
        seen = covered.get((name, Way.PROCEDURE))
        if seen is not None and seen.decisive:
            found[name] = tuple(dict.fromkeys(one for missing in some for one in missing))
        else:
            found[name] = min(some, key=len)
    return found


def _ways(held: LocatedProvision) -> tuple[str, ...]:
    return (held.provision.verified_by, *held.provision.also)
