"""Drafts of causes: provisions that are blamed for the same wrong answers, and their merging."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.examine.blame.fitted_values import as_fraction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from selo.examine.blame.wrong_answer import WrongAnswer
    from selo.examine.tally import DifferenceKind
    from selo.rules.mutants import Cause

#: Provisions with the same effect on prizes from which on they are one finding.
_SAME_EFFECT: Final = 3
_PRIZE: Final = frozenset({"prize"})


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """A cause, with the mutant that answers so or the reading that allows it."""

    cause: Cause
    game: Any = field(default=None, compare=False, repr=False)
    point: tuple[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class RootCause:
    """What lies behind one or more kinds of differences."""

    provisions: tuple[str, ...]
    kinds: tuple[DifferenceKind, ...]
    #: Each misreading that explains some of the kinds; none where the cause is not known.
    misreadings: tuple[Misreading, ...] = ()
    #: Wrong answers that show it, where not every answer of its kinds does.
    examples: tuple[WrongAnswer, ...] = ()

    @property
    def games(self) -> tuple[Any, ...]:
        """The mutants that answer so."""
        return tuple(
            misreading.game for misreading in self.misreadings if misreading.game is not None
        )


@dataclass(kw_only=True, slots=True)
class CauseDraft:
    """Provisions that are blamed for the same wrong answers."""

    provisions: dict[str, None]
    answers: list[int]
    #: Those of the answers that its misreadings explain.
    shown: list[int] = field(default_factory=list)
    misreadings: list[Misreading] = field(default_factory=list)

    def add(self, other: CauseDraft) -> None:
        """Take over everything of another draft."""
        self.provisions |= other.provisions
        self.answers += other.answers
        self.shown += other.shown
        self.misreadings += other.misreadings


def merge_same_provisions(drafts: Iterable[CauseDraft]) -> list[CauseDraft]:
    """Return the causes, those that blame the same provisions as one."""
    merged: dict[tuple[str, ...], CauseDraft] = {}
    for draft in drafts:
        key = tuple(draft.provisions)
        if key in merged:
            merged[key].add(draft)
        else:
            merged[key] = draft
    return list(merged.values())


def merge_same_effects(
    drafts: Sequence[CauseDraft], wrong: Sequence[WrongAnswer]
) -> list[CauseDraft]:
    """Return the causes, those with the same effect on the prizes of several provisions as one."""
    by_effect: dict[Any, list[CauseDraft]] = {}
    for number, draft in enumerate(drafts):
        effect = _prize_effect([wrong[at] for at in draft.answers])
        by_effect.setdefault(number if effect is None else effect, []).append(draft)
    merged = []
    for alike in by_effect.values():
        if len({name for draft in alike for name in draft.provisions}) < _SAME_EFFECT:
            merged += alike
        else:
            first, *others = alike
            for draft in others:
                first.add(draft)
            merged.append(first)
    return merged


def _prize_effect(answers: Sequence[WrongAnswer]) -> tuple[str, Fraction] | None:
    """Return what some wrong prizes have in common: this many stakes, or times, too much."""
    if not answers or any(answer.differing != _PRIZE for answer in answers):
        return None
    changes, ratios = set(), set()
    for answer in answers:
        if answer.bet is None:
            return None
        paid, due = (as_fraction(side["prize"]) for side in (answer.observed, answer.lawful))
        stake = answer.case.bets[answer.bet]["stake"]
        changes.add((paid - due) / stake if stake else None)
        ratios.add(paid / due if due else None)
    for name, values in (("stakes", changes), ("times", ratios)):
        value = next(iter(values))
        if len(values) == 1 and value is not None:
            return name, value
    return None


def assign_kinds(
    drafts: Sequence[CauseDraft], wrong: Sequence[WrongAnswer]
) -> list[list[DifferenceKind]]:
    """Return the kinds of each cause: those of which it shows the most answers, or else all."""
    counts: dict[DifferenceKind, Counter[int]] = {}
    for number, draft in enumerate(drafts):
        for at in draft.answers:
            counts.setdefault(wrong[at].kind, Counter())[number] += 1
    owned: list[list[DifferenceKind]] = [[] for _ in drafts]
    for kind, count in counts.items():
        owned[count.most_common(1)[0][0]].append(kind)
    return [
        kinds or list(dict.fromkeys(wrong[at].kind for at in draft.answers))
        for draft, kinds in zip(drafts, owned, strict=True)
    ]
