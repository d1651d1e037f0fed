"""Finds provisions that were not fully examined because of what the vendor declares.

1. A skipped case shows nothing, and neither does a part of a settlement that is not told. A
   provision is withheld if one of its mutants is killed by the cases of the plan, and not by what
   the answers tell: the vendor may not hide a breach behind what it declares.
2. The circumstances named are those that are met in the cases that would have decided.
3. What the adapter computes itself, or copies, shows nothing of the product either.
4. A part of a provision that only cases beyond the offer would have shown was not tried, whatever
   else of it was (`unoffered_clauses`).
5. An exact amount where the law followed makes it whole, which is right where no text says how,
   shows nothing of the rounding.
6. A round that needs what the vendor does not offer, or in which a declared circumstance would be
   forced, is not played. A provision is withheld if one of its steps is decided only by written
   rounds that are not played for that reason.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING, ToldAnswers
from selo.examine.blame.plan_index import CaseIndex
from selo.examine.coverage.lost_coverage import find_lost_mutants, index_kills, killing_cases
from selo.examine.coverage.not_offered import TABLE
from selo.examine.coverage.round_coverage import deciding_rounds
from selo.examine.coverage.unoffered_clauses import untried_parts
from selo.examine.vendor_description import DeclaredLimits
from selo.law.files.provision_file import Way
from selo.protocol.messages import DRAW, ENGINE, FULL
from selo.protocol.schema import game_words
from selo.rounds import find_lacking
from selo.rounds.generate import read_written_scripts
from selo.rules.clauses import clause_models as c
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from selo.cases import Case
    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.coverage.plan_coverage import DecisiveCount
    from selo.examine.tally import Tally
    from selo.law import Law
    from selo.protocol.messages import Offer

#: Cases of a game on which mutants are tried.
_MAX_CASES: Final = 6_000


def withheld_provisions(
    law: Law,
    analysis: EvidenceAnalysis,
    offers: Iterable[Offer],
    covered: Mapping[tuple[str, Way], DecisiveCount],
) -> dict[tuple[str, Way], tuple[MissingOffer, ...]]:
    """Return what is withheld of provisions that would have been decided, by way of looking.

    Of what the vendor does not offer it is told of provisions that are decided otherwise; the
    others are not examined at all.
    """
    withheld: dict[tuple[str, Way], dict[MissingOffer, None]] = {}
    decided = {key for key, count in covered.items() if count.decisive}
    for provision, needs in untried_parts(law, analysis.terms).items():
        if (provision, Way.EXAMINATION) in decided:
            withheld[provision, Way.EXAMINATION] = dict.fromkeys(needs)
    for key, missing in chain(
        _withheld_by_cases(law, analysis), _withheld_by_tables(law, analysis, offers, decided)
    ):
        withheld.setdefault(key, {})[missing] = None
    return {key: tuple(missing) for key, missing in withheld.items()}


def _withheld_by_cases(
    law: Law, analysis: EvidenceAnalysis
) -> Iterator[tuple[tuple[str, Way], MissingOffer]]:
    for game, tally in analysis.tallies.items():
        if tally.skipped_places or analysis.terms.told_by(game) != TOLD_EVERYTHING:
            for provision, missing in _withheld_in_game(law, analysis, game, tally):
                yield (provision, Way.EXAMINATION), missing
        if tally.unrounded_bets:
            for provision in _unrounded_in_game(law, analysis, game, tally):
                missing = MissingOffer(kind=NotOffered.ROUNDING, name=FULL)
                yield (provision, Way.EXAMINATION), missing


def _withheld_by_tables(
    law: Law,
    analysis: EvidenceAnalysis,
    offers: Iterable[Offer],
    decided: Collection[tuple[str, Way]],
) -> Iterator[tuple[tuple[str, Way], MissingOffer]]:
    for offer in offers:
        if offer.game not in analysis.terms.game_names:
            continue
        for way, missing in _foreign_methods(offer):
            for provision in _provisions_of(law, offer.game):
                yield (provision, way), missing
        for provision, missing in _unplayed_steps(law, offer, analysis.terms.rulings):
            key = provision, Way.PROCEDURE
            if missing.kind is NotOffered.CANNOT or key in decided:
                yield key, missing


def _foreign_methods(offer: Offer) -> Iterator[tuple[Way, MissingOffer]]:
    """Yield the ways of looking in which another than the product answers."""
    for name, way in ((TABLE, Way.PROCEDURE), (DRAW, Way.STATISTICS)):
        if offer.via.get(name, ENGINE) != ENGINE:
            yield way, MissingOffer(kind=NotOffered.VIA, name=name, value=offer.via[name])


def _provisions_of(law: Law, game: str) -> Iterator[str]:
    return (held.id for held in law.provisions.values() if held.instrument.game == game)


def _unplayed_steps(
    law: Law, offer: Offer, rulings: Mapping[str, str]
) -> Iterator[tuple[str, MissingOffer]]:
    if TABLE not in offer.methods:
        return
    words = game_words(law, offer.game)
    impossible: dict[str, tuple[MissingOffer, ...]] = {}
    for script in read_written_scripts(law, offer.game):
        if missing := tuple(find_lacking(script, offer, words)):
            impossible[script.key] = missing
    if not impossible:
        return
    for step in deciding_rounds(law, offer.game, Readings(law, rulings)):
        if step.scripts and impossible.keys() >= set(step.scripts):
            yield from ((step.provision, one) for key in step.scripts for one in impossible[key])


def _withheld_in_game(
    law: Law, analysis: EvidenceAnalysis, game: str, tally: Tally
) -> Iterator[tuple[str, MissingOffer]]:
    skipped: list[Case] = []
    answered: list[Case] = []
    for place, case in analysis.planned_cases(game):
        if place in tally.skipped_places:
            skipped.append(case)
        elif place not in tally.unanswered_places:
            answered.append(case)
    limits = DeclaredLimits(law, analysis.terms.games)
    for mutant, cases in find_lost_mutants(law, analysis, skipped, answered):
        for name in tally.skipped:
            if any(limits.is_met(case, name) for case in cases):
                yield mutant.provision, MissingOffer(kind=NotOffered.CANNOT, name=name)
    yield from _untold_in_game(law, analysis, game, answered)


def _unrounded_in_game(
    law: Law, analysis: EvidenceAnalysis, game: str, tally: Tally
) -> Iterator[str]:
    """Yield the provisions of which a rounding would have shown where nothing was rounded."""
    placed = [
        (place, case)
        for place, case in analysis.planned_cases(game)
        if tally.unrounded_bets.has_any(place)
    ]
    sample = placed[:: 1 + len(placed) // _MAX_CASES]
    told = ToldAnswers(level=analysis.terms.told_by(game).level)
    index = CaseIndex(Oracle(law, analysis.terms.rulings), game, sample, told)
    for mutant in generate_mutants(law, game, Readings(law, analysis.terms.rulings)):
        if isinstance(mutant.was, c.Rounding) and any(
            tally.unrounded_bets.has(changed.place, changed.bet)
            for changed in index.changed_bets(mutant)
        ):
            yield mutant.provision


def _untold_in_game(
    law: Law, analysis: EvidenceAnalysis, game: str, answered: list[Case]
) -> Iterator[tuple[str, MissingOffer]]:
    """Yield what given answers do not tell, or do not tell of the product."""
    told, rulings = analysis.terms.told_by(game), analysis.terms.rulings
    if told == TOLD_EVERYTHING:
        return
    asked = index_kills(law, rulings, answered, _MAX_CASES)
    heard = index_kills(law, rulings, answered, _MAX_CASES, ToldAnswers(level=told.level))
    own = index_kills(law, rulings, answered, _MAX_CASES, told)
    for mutant in generate_mutants(law, game, Readings(law, rulings)):
        if not killing_cases(asked, mutant) or killing_cases(own, mutant):
            continue
        if killing := killing_cases(heard, mutant):
            yield from ((mutant.provision, one) for one in _foreign_parts(analysis, killing[0]))
        else:
            yield mutant.provision, MissingOffer(kind=NotOffered.TOLD, name=told.level)


def _foreign_parts(analysis: EvidenceAnalysis, case: Case) -> Iterator[MissingOffer]:
    """Yield the parts of a case that the product does not compute."""
    via = next(planned.via for planned in analysis.terms.games if planned.game == case.game)
    for name in dict.fromkeys([case.method, *(str(bet.get("bet")) for bet in case.bets)]):
        if via.get(name, ENGINE) != ENGINE:
            yield MissingOffer(kind=NotOffered.VIA, name=name, value=via[name])
