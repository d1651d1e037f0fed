"""Provisions of which something was asked only in cases that were not soundly answered.

A case that was answered with an error shows nothing. A provision is lost if it could be misread in
a way that only such cases would have shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle import Oracle
from selo.examine.kills import Cases
from selo.rules.mutants import UNRULY, variants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases import Case
    from selo.examine.replay import Conclusion
    from selo.examine.tally import Tally
    from selo.law.loader import Law
    from selo.rules.mutants import Variant

#: So many cases without an answer, and so many with one, are looked at.
_UNSOUND: Final = 1_500
_SOUND: Final = 6_000


def unanswered(law: Law, found: Conclusion) -> dict[str, tuple[str, ...]]:
    """Return the provisions that are lost, each with the kinds of faults there were."""
    lost: dict[str, tuple[str, ...]] = {}
    for game, tally in found.tallies.items():
        if tally.unsound:
            kinds = tuple(dict.fromkeys(str(fault.kind) for fault in tally.faults))
            lost |= dict.fromkeys(_lost(law, found, game, tally), kinds)
    return lost


def _lost(law: Law, found: Conclusion, game: str, tally: Tally) -> set[str]:
    unsound: list[Case] = []
    sound: list[Case] = []
    for place, case in found.planned(game):
        (unsound if place in tally.unsound else sound).append(case)
    oracle = Oracle(law, found.terms.rulings)
    without, with_answer = (
        Cases(oracle, oracle.game(game), _some(cases, most), tells=False)
        for cases, most in ((unsound, _UNSOUND), (sound, _SOUND))
    )
    lost: set[str] = set()
    for variant in variants(law, game, Readings(law, found.terms.rulings)):
        if (
            variant.provision not in lost
            and _decides(without, variant)
            and not _decides(with_answer, variant)
        ):
            lost.add(variant.provision)
    return lost


def _some(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return some cases, from the first to the last."""
    return cases[:: max(1, -(-len(cases) // most))]


def _decides(cases: Cases, variant: Variant) -> bool:
    try:
        return bool(cases.decided(variant, set(), 1))
    except UNRULY:
        # Not every change of a rule makes a game.
        return False
