"""Finds provisions that were not fully examined because of what the vendor declares.

1. A skipped case shows nothing, and neither does a part of a settlement that is not told. A
   provision is withheld if one of its mutants is killed by the cases of the plan, and not by what
   the answers tell: the vendor may not hide a breach behind what it declares.
2. The circumstances named are those that are met in the cases that would have decided.
3. A round in which a declared circumstance would be forced is not played. A provision is withheld
   if one of its steps is decided only by written rounds that are not played for that reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle.told_settlement import TOLD_EVERYTHING
from selo.examine.coverage.lost_coverage import find_lost_mutants, index_kills, killing_cases
from selo.examine.coverage.not_offered import TABLE
from selo.examine.coverage.round_coverage import deciding_rounds
from selo.examine.vendor_description import DeclaredLimits
from selo.law.files.provision_file import Way
from selo.protocol.schema import game_words
from selo.rounds import find_lacking
from selo.rounds.generate import TABLE_MODELS, read_written_scripts
from selo.rules.mutants import generate_mutants
from selo.rules.readings import Readings
from selo.verdict.observations import MissingOffer, NotOffered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selo.cases import Case
    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.tally import Tally
    from selo.law import Law
    from selo.protocol.messages import Offer

#: Cases of a game on which mutants are tried.
_MAX_CASES: Final = 6_000


def withheld_provisions(
    law: Law, analysis: EvidenceAnalysis, offers: Iterable[Offer]
) -> dict[tuple[str, Way], tuple[MissingOffer, ...]]:
    """Return what is withheld of provisions that would have been decided, by way of looking."""
    withheld: dict[tuple[str, Way], dict[MissingOffer, None]] = {}
    for game, tally in analysis.tallies.items():
        if tally.skipped_places or analysis.terms.told_by(game) != TOLD_EVERYTHING:
            for provision, missing in _withheld_in_game(law, analysis, game, tally):
                withheld.setdefault((provision, Way.EXAMINATION), {})[missing] = None
    for offer in offers:
        if offer.cannot and offer.game in analysis.terms.game_names:
            for provision, missing in _unplayed_steps(law, offer, analysis.terms.rulings):
                withheld.setdefault((provision, Way.PROCEDURE), {})[missing] = None
    return {key: tuple(missing) for key, missing in withheld.items()}


def _unplayed_steps(
    law: Law, offer: Offer, rulings: Mapping[str, str]
) -> Iterator[tuple[str, MissingOffer]]:
    if offer.game not in TABLE_MODELS or TABLE not in offer.methods:
        return
    words = game_words(law, offer.game)
    impossible: dict[str, list[MissingOffer]] = {}
    for script in read_written_scripts(law, offer.game):
        for missing in find_lacking(script, offer, words):
            if missing.kind is NotOffered.CANNOT:
                impossible.setdefault(script.key, []).append(missing)
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
    limits, rulings = DeclaredLimits(law, analysis.terms.games), analysis.terms.rulings
    for mutant, cases in find_lost_mutants(law, analysis, skipped, answered):
        for name in tally.skipped:
            if any(limits.is_met(case, name) for case in cases):
                yield mutant.provision, MissingOffer(kind=NotOffered.CANNOT, name=name)
    told = analysis.terms.told_by(game)
    if told == TOLD_EVERYTHING:
        return
    asked = index_kills(law, rulings, answered, _MAX_CASES)
    heard = index_kills(law, rulings, answered, _MAX_CASES, told)
    for mutant in generate_mutants(law, game, Readings(law, rulings)):
        if killing_cases(asked, mutant) and not killing_cases(heard, mutant):
            yield mutant.provision, MissingOffer(kind=NotOffered.TOLD, name=told.level)
