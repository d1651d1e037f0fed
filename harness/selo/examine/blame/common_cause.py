"""One provision on which many wrong results depend that no mutant explains exactly.

A wrong result depends on a provision if a mutant of that provision changes it. Of the provisions on
which all of some wrong results depend, the one is blamed whose mutants change the most wrong
answers for each right one: a wrong provision on which everything depends, such as the value of a
card, would have spoilt those too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.examine.blame.mutant_trial import RightAnswerIndex, Trial
    from selo.examine.blame.wrong_answer import WrongAnswer

#: The share of wrong answers among those that some mutant of a common cause changes, at the least.
_LEAST_SHARE: Final = 0.5
#: The same for a premise of the provisions that prescribe the wrong part.
_PREMISE_SHARE: Final = 0.9
#: Unexplained answers from which on their premise is searched.
_LEAST_ANSWERS: Final = 3


def find_common_cause(
    wrong: Sequence[WrongAnswer],
    results: Sequence[int],
    prescribers: Sequence[frozenset[str]],
    trials: Sequence[Trial],
    right: RightAnswerIndex,
) -> str | None:
    """Return the provision on which all of some wrong results depend, if one stands out."""
    by_provision: dict[str, list[Trial]] = {}
    for trial in trials:
        by_provision.setdefault(trial.provision, []).append(trial)
    wanted = set(results)
    ranks: dict[str, tuple[float, int, int]] = {}
    for provision, own in by_provision.items():
        reached = {at for trial in own for at in trial.changed | trial.involved}
        if not wanted <= reached:
            continue
        likely = [trial for trial in own if 2 * len(wanted & trial.changed) >= len(wanted)]
        share = max((_wrong_share(trial, wrong, right) for trial in likely), default=0.0)
        if share >= _LEAST_SHARE:
            ranks[provision] = (
                share,
                sum(provision in prescribers[at] for at in results),
                sum(provision in wrong[at].provisions for at in results),
            )
    return max(ranks, key=lambda name: (ranks[name], name), default=None)


def find_premise(
    answers: Sequence[int],
    prescribers: frozenset[str],
    trials: Sequence[Trial],
    right: RightAnswerIndex,
) -> str | None:
    """Return the provision whose change nearly alone accounts for some unexplained answers.

    The provisions that prescribe the wrong part may be kept everywhere else. Then their premise is
    likelier wrong, such as the combination for which a prize is paid: a change of another provision
    that bears on all of these answers in wrong parts only, and on hardly any right answer.
    """
    wanted = frozenset(answers)
    if len(wanted) < _LEAST_ANSWERS:
        return None
    # Counting searches the whole plan: first the provisions that bear on all of these answers.
    shares: dict[str, tuple[float, int]] = {}
    for trial in trials:
        if wanted <= trial.involved and trial.provision not in prescribers:
            kept, spoilt = right.count(trial.hypothesis, comparisons=False)
            rank = (_share(kept, spoilt), spoilt)
            shares[trial.provision] = max(rank, shares.get(trial.provision, (0.0, 0)))
    best = max(shares, key=lambda name: (shares[name], name), default=None)
    if best is None or shares[best][0] < _PREMISE_SHARE:
        return None
    is_prescribed = any(
        _share(*right.count(trial.hypothesis, comparisons=False)) >= _LEAST_SHARE
        for trial in trials
        if trial.provision in prescribers and wanted & trial.involved
    )
    return None if is_prescribed else best


def _share(kept: int, spoilt: int) -> float:
    return spoilt / (kept + spoilt) if kept + spoilt else 0.0


def _wrong_share(trial: Trial, wrong: Sequence[WrongAnswer], right: RightAnswerIndex) -> float:
    """Return the share of wrong answers among those that a mutant changes."""
    totals = [
        right.count(trial.hypothesis, comparisons=comparisons)
        for comparisons in (False, True)
        if any((wrong[at].bet is None) is comparisons for at in trial.changed)
    ]
    return _share(*(sum(total[side] for total in totals) for side in (0, 1)))
