"""Finds provisions whose coverage was lost because their decisive cases got no sound answer.

A case that was answered with an error shows nothing. A provision is lost if one of its mutants is
killed only by such cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.examine.kills import KillIndex
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.examine.analysis import EvidenceAnalysis
    from selo.examine.tally import Tally
    from selo.law import Law
    from selo.rules.mutants import Mutant


#: Cases without and with a sound answer on which mutants are tried.
_MAX_UNSOUND_CASES: Final = 1_500
_MAX_SOUND_CASES: Final = 6_000


def lost_provisions(law: Law, analysis: EvidenceAnalysis) -> dict[str, tuple[str, ...]]:
    """Return the lost provisions, each with the kinds of faults in its game."""
    lost: dict[str, tuple[str, ...]] = {}
    for game, tally in analysis.tallies.items():
        if tally.faults:
            kinds = tuple(dict.fromkeys(str(fault.kind) for fault in tally.faults))
            lost |= dict.fromkeys(_lost_in_game(law, analysis, game, tally), kinds)
    return lost


def _lost_in_game(law: Law, analysis: EvidenceAnalysis, game: str, tally: Tally) -> set[str]:
    unsound: list[Case] = []
    sound: list[Case] = []
    for place, case in analysis.planned_cases(game):
        if place not in tally.unanswered_places:
            sound.append(case)
        elif place not in tally.skipped_places:
            unsound.append(case)
    return {mutant.provision for mutant, _ in find_lost_mutants(law, analysis, unsound, sound)}


def find_lost_mutants(
    law: Law, analysis: EvidenceAnalysis, without: Sequence[Case], with_answer: Sequence[Case]
) -> Iterator[tuple[Mutant, list[Case]]]:
    """Yield each mutant that only cases without an answer kill, with some of those cases.

    All cases are of one game.
    """
    if not without:
        return
    rulings = analysis.terms.rulings
    oracle, game = Oracle(law, rulings), without[0].game
    lost, kept = (
        KillIndex(oracle, oracle.game(game), _sample_cases(cases, most), with_reasons=False)
        for cases, most in ((without, _MAX_UNSOUND_CASES), (with_answer, _MAX_SOUND_CASES))
    )
    for mutant in generate_mutants(law, game, Readings(law, rulings)):
        killing = _killing_cases(lost, mutant)
        if killing and not _killing_cases(kept, mutant):
            yield mutant, killing


def _sample_cases(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return at most `most` cases, evenly spaced."""
    return cases[:: max(1, -(-len(cases) // most))]


def _killing_cases(index: KillIndex, mutant: Mutant) -> list[Case]:
    try:
        return [index.cases[at] for at in index.killing_cases(mutant, set(), 1)]
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return []
