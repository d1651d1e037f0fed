"""Exoneration: which provisions wrong answers leave in doubt, although no finding names them.

A better explanation elsewhere clears nobody. A provision that no finding names is *hidden* behind
the findings of wrong answers in which a change of it can have had a part, unless

1. those answers are explained, and
2. every such change is refuted by a right answer of the same method.

Where a wrong answer is unexplained, the fault may be narrower than every change that is known of a
provision, and then no right answer elsewhere refutes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.blame.mutant_trial import RightAnswerIndex, Trial
    from selo.examine.blame.wrong_answer import WrongAnswer
    from selo.examine.tally import DifferenceKind


def find_hidden_provisions(
    wrong: Sequence[WrongAnswer],
    trials: Iterable[Trial],
    explained: AbstractSet[int],
    blamed: AbstractSet[str],
    right: RightAnswerIndex,
) -> dict[str, set[DifferenceKind]]:
    """Return the hidden provisions, each with the kinds of differences that hide it."""
    hidden: dict[str, set[DifferenceKind]] = {}
    for trial in trials:
        if trial.provision in blamed or not trial.involved:
            continue
        for at in _doubtful(trial, wrong, explained, right):
            hidden.setdefault(trial.provision, set()).add(wrong[at].kind)
    return hidden


def _doubtful(
    trial: Trial,
    wrong: Sequence[WrongAnswer],
    explained: AbstractSet[int],
    right: RightAnswerIndex,
) -> Iterable[int]:
    """Yield the wrong answers in which the change may have had a part for all that is known."""
    unexplained = trial.involved - explained
    yield from unexplained
    for comparisons in (False, True):
        involved = [
            at for at in trial.involved & explained if (wrong[at].bet is None) is comparisons
        ]
        if involved and not right.refutes(trial.hypothesis, comparisons=comparisons):
            yield from involved
