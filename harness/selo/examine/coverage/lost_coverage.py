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
    from collections.abc import Sequence

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
        if tally.unanswered_places:
            kinds = tuple(dict.fromkeys(str(fault.kind) for fault in tally.faults))
            lost |= dict.fromkeys(_lost_in_game(law, analysis, game, tally), kinds)
    return lost


def _lost_in_game(law: Law, analysis: EvidenceAnalysis, game: str, tally: Tally) -> set[str]:
    unsound: list[Case] = []
    sound: list[Case] = []
    for place, case in analysis.planned_cases(game):
        (unsound if place in tally.unanswered_places else sound).append(case)
    oracle = Oracle(law, analysis.terms.rulings)
    without, with_answer = (
        KillIndex(oracle, oracle.game(game), _sample_cases(cases, most), with_reasons=False)
        for cases, most in ((unsound, _MAX_UNSOUND_CASES), (sound, _MAX_SOUND_CASES))
    )
    lost: set[str] = set()
    for mutant in generate_mutants(law, game, Readings(law, analysis.terms.rulings)):
        if (
            mutant.provision not in lost
            and _is_killed_by(without, mutant)
            and not _is_killed_by(with_answer, mutant)
        ):
            lost.add(mutant.provision)
    return lost


def _sample_cases(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return at most `most` cases, evenly spaced."""
    return cases[:: max(1, -(-len(cases) // most))]


def _is_killed_by(index: KillIndex, mutant: Mutant) -> bool:
    try:
        return bool(index.killing_cases(mutant, set(), 1))
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return False
