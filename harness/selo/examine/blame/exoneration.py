"""Exoneration: which provisions wrong answers leave in doubt, although no finding names them.

A better explanation elsewhere clears nobody. A provision that no finding names is *hidden* behind
the findings of wrong answers in which a change of it can have had a part, unless

1. those answers are explained (`explanation`), and
2. every such change is refuted by a right answer of the same method.

Where a wrong answer is unexplained, the fault may be narrower than every change that is known of a
provision, and then no right answer elsewhere refutes it. So whatever prescribes a wrong part of it
is hidden too, whether or not any change is known that bears on that part.

Every wrong answer of the plan counts. Cases with wrong answers are indexed by themselves, up to a
number of cases. Beyond it explained answers are looked up in the index of the plan; where that is a
sample, and for unexplained answers, every provision is hidden of which a change can bear on such a
bet at all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Self

from selo.examine.blame.wrong_answer import list_prescribers
from selo.examine.kills import EVERY_PART, affects_hand_order, mask_of_parts, may_have_part

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.blame.mutant_trial import RightAnswerIndex
    from selo.examine.blame.plan_index import CaseIndex, ChangedBet, PlanIndex
    from selo.examine.blame.wrong_answer import ComparedAnswer, PartRules
    from selo.examine.kills import PartMask

#: Cases with explained and with unexplained answers that are indexed by themselves.
_MAX_MORE: Final = {True: 1_024, False: 1_024}
#: Unexplained answers beyond that of a bet, with the same result, whose prescribers are hidden.
_MAX_ALIKE: Final = 16
#: The name of a bet; nothing for a comparison.
BetName = str | None


@dataclass(kw_only=True, slots=True)
class WrongAnswerMap:
    """The wrong answers of a game: which parts are wrong, and whether they are explained."""

    #: The wrong parts by place and bet, of explained and of unexplained answers.
    explained: dict[tuple[int, int], PartMask] = field(default_factory=dict)
    unexplained: dict[tuple[int, int], PartMask] = field(default_factory=dict)
    #: The bets of wrong answers, and of those that are unexplained.
    names: set[BetName] = field(default_factory=set)
    unexplained_names: set[BetName] = field(default_factory=set)
    count_unexplained: int = 0
    #: The provisions that prescribe wrong parts of unexplained answers, each with such a bet.
    prescribers: dict[str, BetName] = field(default_factory=dict)
    #: The cases with wrong answers that are looked up: indexes, each with a mask of its cases.
    looked_up: list[tuple[CaseIndex, int]] = field(default_factory=list)
    #: The bets of explained answers beyond that, which the index of the plan has anyway, and
    #: of those that no index has.
    not_indexed: set[BetName] = field(default_factory=set)
    beyond: set[BetName] = field(default_factory=set)
    unexplained_beyond: set[BetName] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        answers: Iterable[ComparedAnswer],
        oracle: Oracle,
        index: PlanIndex,
        rules: PartRules,
    ) -> Self:
        """Return the doubt that all wrong answers of a plan leave."""
        doubt = cls()
        outside: dict[bool, dict[int, Case]] = {True: {}, False: {}}
        beyond: Counter[Hashable] = Counter()
        for answer in answers:
            name, key = _name_of(answer), (answer.place, answer.bet)
            explained = answer.is_explained
            doubt.names.add(name)
            if not explained:
                doubt.count_unexplained += 1
                doubt.unexplained_names.add(name)
            kept = outside[explained]
            within = answer.place in kept or len(kept) < _MAX_MORE[explained]
            if not explained and (within or _is_seldom(answer, name, beyond)):
                for provision in list_prescribers(oracle, answer, rules):
                    doubt.prescribers.setdefault(provision, name)
            if within:
                kept[answer.place] = answer.case
            elif explained and answer.place in index.places:
                doubt.not_indexed.add(name)
            else:
                (doubt.beyond if explained else doubt.unexplained_beyond).add(name)
                continue
            parts = doubt.explained if explained else doubt.unexplained
            parts[key] = _wrong_parts(answer, oracle)
        doubt.look_up({**outside[True], **outside[False]}, index)
        return doubt

    def look_up(self, cases: Mapping[int, Case], index: PlanIndex) -> None:
        """Let wrong answers to some cases be looked up, in the index of the plan if it has them."""
        others = [(place, cases[place]) for place in sorted(cases) if place not in index.places]
        self.looked_up = [(index, index.numbers_at(cases))] if len(others) < len(cases) else []
        if others:
            more = index.index_more(others)
            self.looked_up.append((more, more.numbers_at(cases)))

    def find_reason(
        self, hypothesis: Hypothesis, right: RightAnswerIndex
    ) -> BetName | Literal[False]:
        """Return the bet of a wrong answer behind which a change may hide; false if none."""
        if not _reaches(hypothesis, self.names):
            return False
        if _reaches(hypothesis, self.unexplained_beyond):
            # The first by name, so that the same answers give the same report.
            return min(hypothesis.bets() & self.unexplained_beyond, default=None)
        for comparisons in (False, True):
            found = self._find_reason(hypothesis, right, comparisons=comparisons)
            if found is not False:
                return found
        return False

    def _find_reason(
        self, hypothesis: Hypothesis, right: RightAnswerIndex, *, comparisons: bool
    ) -> BetName | Literal[False]:
        """Return the same of the settlements, or of the comparisons."""
        touched = _reaches(hypothesis, self.beyond)
        for changed in self._changed_wrong(hypothesis, comparisons=comparisons):
            if self._may_hide(self.unexplained, changed):
                return _bet_name(hypothesis, self.unexplained_names, comparisons=comparisons)
            touched = touched or self._may_hide(self.explained, changed)
            if touched and not self.unexplained:
                break
        if not touched and not _reaches(hypothesis, self.not_indexed):
            return False
        for changed in right.changed(hypothesis, comparisons=comparisons):
            if right.tally.wrong_bets.has(changed.place, changed.bet):
                touched = touched or self._may_hide(self.explained, changed)
            elif not (comparisons and changed.place in right.tainted):
                return False
        return _bet_name(hypothesis, self.names, comparisons=comparisons) if touched else False

    def _changed_wrong(self, hypothesis: Hypothesis, *, comparisons: bool) -> Iterator[ChangedBet]:
        """Yield the wrong answers that a mutant changes, of the cases indexed for it."""
        for index, numbers in self.looked_up:
            yield from index.changed_among(hypothesis, numbers, comparisons=comparisons)

    @staticmethod
    def _may_hide(wrong: Mapping[tuple[int, int], PartMask], changed: ChangedBet) -> bool:
        parts = wrong.get((changed.place, changed.bet))
        return parts is not None and may_have_part(changed.parts, parts)


def find_hidden_provisions(
    hypotheses: Iterable[Hypothesis],
    blamed: AbstractSet[str],
    doubt: WrongAnswerMap,
    right: RightAnswerIndex,
) -> dict[str, BetName]:
    """Return the hidden provisions, each with the bet of a wrong answer that hides it."""
    hidden = {name: bet for name, bet in doubt.prescribers.items() if name not in blamed}
    for hypothesis in hypotheses:
        name = hypothesis.provision
        if name not in blamed and name not in hidden:
            reason = doubt.find_reason(hypothesis, right)
            if reason is not False:
                hidden[name] = reason
    return hidden


def _is_seldom(answer: ComparedAnswer, name: BetName, times: Counter[Hashable]) -> bool:
    """Count an answer beyond the bound, and return whether few of its bet were like it."""
    told = answer.observed or {}
    kind = name, *(told.get(part) for part in ("result", "order"))
    times[kind] += 1
    return times[kind] <= _MAX_ALIKE


def _name_of(answer: ComparedAnswer) -> BetName:
    return None if answer.case.method == "compare" else str(answer.case.bets[answer.bet].get("bet"))


def _wrong_parts(answer: ComparedAnswer, oracle: Oracle) -> PartMask:
    """Return the parts of an answer that are wrong; all if it was not kept."""
    if answer.observed is None or answer.case.method == "compare":
        return EVERY_PART
    lawful = oracle.expected_parts(answer.case, answer.bet, answer.observed)
    return mask_of_parts(part for part, value in answer.observed.items() if value != lawful[part])


def _reaches(hypothesis: Hypothesis, names: AbstractSet[BetName]) -> bool:
    """Return whether a change can bear on one of some bets, or on a comparison."""
    return not hypothesis.bets().isdisjoint(names) or (
        None in names and affects_hand_order(hypothesis)
    )


def _bet_name(hypothesis: Hypothesis, names: AbstractSet[BetName], *, comparisons: bool) -> BetName:
    """Return one of some bets on which a change can bear."""
    if comparisons:
        return None
    return next(name for name in sorted(hypothesis.bets()) if name in names)
