"""Decisive answers that are sound: given, and right.

1. The plan says how many cases decide a provision (`plan_coverage`). An answer that is missing,
   skipped or wrong shows nothing of it: where a game has such answers, the decisive cases are
   counted again among the others.
2. A case counts for a provision if a change of it would have changed a bet, or a comparison, that
   was answered rightly.
3. A provision needs as many of them as the plan requires: enough for any, or half of those that the
   plan has if these are fewer than twice as many.
4. Of a large plan an even sample is counted (`selo.examine.blame.plan_index`), which then is what
   has to be reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selo.examine.blame import Hypothesis
    from selo.examine.blame.plan_index import CaseIndex
    from selo.examine.tally import Tally


class SoundCount(NamedTuple):
    """The decisive cases that were answered rightly, and how many are required."""

    right: int
    required: int


def count_sound_answers(
    mutants: Iterable[Hypothesis], index: CaseIndex, tally: Tally, enough: int
) -> SoundCount | None:
    """Return how many right answers decide a provision; nothing if no indexed case does.

    Counting stops at `enough`.
    """
    right: set[int] = set()
    other: set[int] = set()
    for mutant in mutants:
        for changed in index.changed_bets(mutant):
            place = changed.place
            is_sound = place not in tally.unanswered_places and not tally.wrong_bets.has(
                place, changed.bet
            )
            (right if is_sound else other).add(place)
            if len(right) >= enough:
                return SoundCount(enough, enough)
    known = len(right | other)
    return SoundCount(len(right), min(enough, -(-known // 2))) if known else None
