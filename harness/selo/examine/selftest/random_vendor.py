"""Random vendors: any known faults of a game together, and faults of one single case.

1. Any subset of planted faults, mutants of the law and faults of a whole engine.
2. A *rare* fault: one planned case is answered as a mutant would answer it, and no other. It stands
   beside a common fault of another provision that spoils the same bet elsewhere, and so hides among
   its wrong answers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from selo.examine.selftest.fault_combination import encode_question
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from random import Random

    from selo.examine.kills import KillIndex
    from selo.examine.selftest.combination_selftest import CombinationScorer
    from selo.examine.selftest.fault_combination import KnownFault

#: Faults that one vendor has at most.
_MOST_FAULTS: Final = 5
_MAX_ATTEMPTS: Final = 60


def draw_faults(scorer: CombinationScorer, random: Random) -> list[KnownFault]:
    """Return any few faults of a game, of any kind."""
    pools = [pool for pool in (scorer.planted, scorer.generated, scorer.engine) if pool]
    chosen = [random.choice(random.choice(pools)) for _ in range(random.randint(1, _MOST_FAULTS))]
    return list({fault.name: fault for fault in chosen}.values())


def draw_rare_fault(
    scorer: CombinationScorer, random: Random
) -> tuple[KnownFault, KnownFault] | None:
    """Return a common fault, and one of a single case that it leaves right, about the same bet."""
    kills = scorer.kills
    for _ in range(_MAX_ATTEMPTS):
        common, rare = random.choice(scorer.generated), random.choice(scorer.generated)
        if common.breaks == rare.breaks or common.breaks & rare.blamable:
            continue
        spoilt, changed = _changes(kills, common), _changes(kills, rare)
        names = {_bet_name(kills, place, bet) for place, bet in spoilt}
        alone = [
            place
            for place, bet in sorted(changed - spoilt)
            if _bet_name(kills, place, bet) in names and not any(at == place for at, _ in spoilt)
        ]
        if len(spoilt) > 1 and alone:
            place = random.choice(alone)
            if not _is_given_elsewhere(scorer, rare, place):
                only = encode_question(kills.cases[place].params())
                return common, replace(rare, name=f"{rare.name} in one case", only=only)
    return None


def _changes(kills: KillIndex, fault: KnownFault) -> set[tuple[int, int]]:
    """Return the planned bets that a mutant changes."""
    try:
        return {(change.case, change.bet) for change in kills.changed_bets(_mutant(fault))}
    except ANSWER_ERRORS:
        return set()


def _mutant(fault: KnownFault) -> Any:
    return fault.mutant


def _bet_name(kills: KillIndex, place: int, bet: int) -> str | None:
    case = kills.cases[place]
    return None if case.method == "compare" else str(case.bets[bet].get("bet"))


def _is_given_elsewhere(scorer: CombinationScorer, rare: KnownFault, place: int) -> bool:
    """Return whether a mutant of another provision changes just this case, and no other.

    Nobody can tell such a vendor from one that misreads the other provision.
    """
    return any(
        fault.breaks != rare.breaks and {at for at, _ in _changes(scorer.kills, fault)} == {place}
        for fault in scorer.generated
    )
