"""Finds provisions whose coverage was lost because their decisive cases got no sound answer.

A case that was answered with an error shows nothing. A provision is lost if one of its mutants is
killed only by such cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING
from selo.examine.kills import KillIndex
from selo.rules.mutants import ANSWER_ERRORS, generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle.told_settlement import ToldAnswers
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
    lost = index_kills(law, rulings, without, _MAX_UNSOUND_CASES)
    kept = index_kills(law, rulings, with_answer, _MAX_SOUND_CASES)
    for mutant in generate_mutants(law, without[0].game, Readings(law, rulings)):
        killing = killing_cases(lost, mutant)
        if killing and not killing_cases(kept, mutant):
            yield mutant, killing


def index_kills(
    law: Law,
    rulings: Mapping[str, str],
    cases: Sequence[Case],
    most: int,
    told: ToldAnswers = TOLD_EVERYTHING,
) -> KillIndex | None:
    """Return which mutants at most `most` of the cases of one game kill, by what is told."""
    if not cases:
        return None
    oracle = Oracle(law, rulings)
    sample = _sample_cases(cases, most)
    return KillIndex(oracle, oracle.game(cases[0].game), sample, with_reasons=False, told=told)


def _sample_cases(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return about `most` cases, as many of each group, evenly spaced."""
    if len(cases) <= most:
        return cases
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    share = max(1, most // len(groups))
    return [case for group in groups.values() for case in group[:: max(1, -(-len(group) // share))]]


def killing_cases(index: KillIndex | None, mutant: Mutant) -> list[Case]:
    """Return a case that kills a mutant, if there is one."""
    if index is None:
        return []
    try:
        return [index.cases[at] for at in index.killing_cases(mutant, set(), 1)]
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return []
