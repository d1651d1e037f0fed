"""Provisions of which something was asked only in cases that were not soundly answered.

A case that was answered with an error shows nothing. A provision is lost if it could be misread in
a way that only such cases would have shown.
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
    from selo.examine.replay import EvidenceAnalysis
    from selo.examine.tally import Tally
    from selo.law.loader import Law
    from selo.rules.mutants import Mutant

#: So many cases without an answer, and so many with one, are looked at.
_MAX_UNSOUND_CASES: Final = 1_500
_MAX_SOUND_CASES: Final = 6_000


def lost_provisions(law: Law, found: EvidenceAnalysis) -> dict[str, tuple[str, ...]]:
    """Return the provisions that are lost, each with the kinds of faults there were."""
    lost: dict[str, tuple[str, ...]] = {}
    for game, tally in found.tallies.items():
        if tally.unanswered_places:
            kinds = tuple(dict.fromkeys(str(fault.kind) for fault in tally.faults))
            lost |= dict.fromkeys(_lost_in_game(law, found, game, tally), kinds)
    return lost


def _lost_in_game(law: Law, found: EvidenceAnalysis, game: str, tally: Tally) -> set[str]:
    unsound: list[Case] = []
    sound: list[Case] = []
    for place, case in found.planned_cases(game):
        (unsound if place in tally.unanswered_places else sound).append(case)
    oracle = Oracle(law, found.terms.rulings)
    without, with_answer = (
        KillIndex(oracle, oracle.game(game), _sample_cases(cases, most), tells=False)
        for cases, most in ((unsound, _MAX_UNSOUND_CASES), (sound, _MAX_SOUND_CASES))
    )
    lost: set[str] = set()
    for variant in generate_mutants(law, game, Readings(law, found.terms.rulings)):
        if (
            variant.provision not in lost
            and _is_killed_by(without, variant)
            and not _is_killed_by(with_answer, variant)
        ):
            lost.add(variant.provision)
    return lost


def _sample_cases(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return some cases, from the first to the last."""
    return cases[:: max(1, -(-len(cases) // most))]


def _is_killed_by(cases: KillIndex, variant: Mutant) -> bool:
    try:
        return bool(cases.decided(variant, set(), 1))
    except ANSWER_ERRORS:
        # Not every change of a rule makes a game.
        return False
