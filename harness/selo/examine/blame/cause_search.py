"""The search for the causes of the wrong answers of one game.

1. Samples of every kind of difference are tried on all mutants, and causes are accepted that
   together explain them (`cause_cover`).
2. Every wrong answer of the plan is compared with these causes (`explanation`). Of what is
   unexplained, some answers of each description join the samples, and the search begins again.
3. What stays unexplained is attributed to what prescribes it, or to what it all depends on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from selo.examine.blame.cause_cover import CauseCover
from selo.examine.blame.cause_drafts import (
    CauseDraft,
    Misreading,
    RootCause,
    merge_same_effects,
    merge_same_provisions,
)
from selo.examine.blame.common_cause import find_common_cause, find_premise
from selo.examine.blame.exoneration import WrongAnswerMap
from selo.examine.blame.explanation import Explanation
from selo.examine.blame.fitted_values import fit_amounts, fit_rows
from selo.examine.blame.mutant_trial import RightAnswerIndex, join_trials, try_mutants
from selo.examine.blame.wrong_answer import (
    find_part_rules,
    prescribing_provisions,
    sample_unexplained,
    sample_wrong_answers,
)
from selo.rules.mutants import cause_of_reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases.oracle import Oracle
    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.blame.mutant_trial import Trial
    from selo.examine.blame.plan_index import PlanIndex
    from selo.examine.blame.wrong_answer import ComparedAnswer, WrongAnswer
    from selo.examine.tally import Difference, DifferenceKind, Tally

    Differences = Mapping[DifferenceKind, Difference]

#: Lines of an order that are tried at every other place.
_MAX_DISPLACED: Final = 4
_RESULTS: Final = frozenset({"result", "order"})
#: Groups of unexplained answers, by what prescribes them, up to which their premise is searched.
_MAX_PREMISES: Final = 12
#: How often unexplained answers join the samples.
_MAX_ROUNDS: Final = 3


class CauseSearch:
    """The search for the causes of one game."""

    def __init__(
        self,
        tally: Tally,
        hypotheses: list[Hypothesis],
        index: PlanIndex,
        points: Mapping[str, Sequence[str]],
        left: Differences,
    ) -> None:
        self.tally, self.left = tally, left
        self._index, self._points = index, points
        #: All mutants that were tried: those generated, and those fitted to the answers.
        self.hypotheses = hypotheses
        self.lines = {hypothesis.provision for hypothesis in hypotheses if hypothesis.is_line}
        self.right = RightAnswerIndex(tally=tally, index=index)
        self._generated = [*hypotheses]
        self._part_rules = find_part_rules(hypotheses)
        self.wrong: list[WrongAnswer] = []
        self._prescribers: list[frozenset[str]] = []
        self._trials: list[Trial] = []
        self._consequences: set[int] = set()
        self._cover = CauseCover(wrong=[], prescribers=[], right=self.right)
        self._ruled: list[RootCause] = []
        self._causes: list[CauseDraft] = []
        self._explained: set[int] = set()

    def run(self) -> tuple[list[RootCause], list[CauseDraft]]:
        """Return the readings against rulings and the provisions that are blamed."""
        self._add_samples(sample_wrong_answers(self.tally, self.left))
        whole = _blame_reading(self.left, self._points)
        if whole is not None:
            self._ruled = [whole]
            if all(answer.is_explained for answer in self._compare_answers()):
                return self._ruled, []
            self._ruled = []
        codes: set[str] | None = None
        for _ in range(_MAX_ROUNDS):
            self._search_causes()
            before, codes = codes, self._accepted_causes()
            if codes == before:
                # More samples led to no other cause.
                break
            more = sample_unexplained(self.tally, self._compare_answers(), self.left, self.wrong)
            if not more:
                break
            self._add_samples(more)
        else:
            self._search_causes()
        self._explained |= self._cover.explained
        for accepted in self._cover.causes:
            self._causes.append(
                CauseDraft(
                    provisions={accepted.trial.provision: None},
                    answers=sorted(accepted.explained),
                    shown=sorted(accepted.explained),
                    misreadings=[
                        Misreading(cause=trial.hypothesis.cause, game=trial.game)
                        for trial in accepted.alike
                    ],
                )
            )
        self._ruled = self._blame_readings()
        self._attribute_rest()
        self._attribute_consequences()
        drafts = merge_same_effects(merge_same_provisions(self._causes), self.wrong)
        return self._ruled, drafts

    def _accepted_causes(self) -> set[str]:
        return {accepted.trial.hypothesis.cause.code for accepted in self._cover.causes}

    def map_wrong_answers(self) -> WrongAnswerMap:
        """Return what all wrong answers of the plan leave in doubt."""
        return WrongAnswerMap.of(
            self._compare_answers(), self.tally.oracle, self._index, self._part_rules
        )

    def displace_touched_lines(self, blamed: AbstractSet[str]) -> Iterator[Hypothesis]:
        """Yield the lines of an order that wrong answers touch, each at every other place.

        Two lines that moved may look like a third one that did: none of them is cleared by its
        nearest places alone.
        """
        touched = {name for answer in self.wrong for name in answer.ranks(self.lines)}
        for place, named in self._index.comparison_provisions.items():
            if place in self.tally.wrong_places:
                touched |= named & self.lines
        for hypothesis in self._generated:
            if hypothesis.is_line and hypothesis.provision in touched - blamed:
                touched.discard(hypothesis.provision)
                yield from hypothesis.displaced()

    def _compare_answers(self) -> Iterator[ComparedAnswer]:
        """Yield every wrong answer of the plan, and whether what was accepted explains it."""
        explanation = Explanation(self.tally.oracle, self._cover.causes, [*self._readings()])
        explanation.contradict(self.right, self._index)
        return explanation.compare_answers(self.tally, self._index)

    def _readings(self) -> Iterator[Oracle]:
        """Yield the law under every combination of readings that allows some difference."""
        together = {
            points
            for difference in self.tally.differences.values()
            if difference.open
            for points in (*((point,) for point in difference.readings), difference.together)
        }
        together.add(self.tally.search.followed)
        together.update(
            (misreading.point,)
            for cause in self._ruled
            for misreading in cause.misreadings
            if misreading.point is not None
        )
        yield from (self.tally.oracle.under(points) for points in sorted(together) if points)

    def _add_samples(self, samples: Sequence[WrongAnswer]) -> None:
        """Add wrong answers, and try every mutant on them."""
        before = len(self.wrong)
        self.wrong += samples
        self._prescribers += [
            prescribing_provisions(answer, self._part_rules) for answer in samples
        ]
        # What depends on a bet that is wrong itself is a consequence, and accuses nobody.
        self._consequences |= {
            at for at in range(before, len(self.wrong)) if self.wrong[at].leans_on
        }
        known = {hypothesis.cause.code for hypothesis in self.hypotheses}
        moved = _displace_lines(self._shared_lines(range(len(self.wrong))), self._generated)
        fitted = fit_amounts(self.wrong, self._prescribers, self._generated)
        fresh = [
            hypothesis for hypothesis in (*moved, *fitted) if hypothesis.cause.code not in known
        ]
        tried = try_mutants(self.hypotheses, self.wrong, self._index, before)
        more = try_mutants(fresh, self.wrong, self._index)
        self._trials = join_trials(self._trials, [*tried, *more])
        self.hypotheses = [*self.hypotheses, *fresh]

    def _search_causes(self) -> None:
        """Accept causes that explain the samples."""
        self.right.excused.clear()
        self._cover = CauseCover(
            wrong=self.wrong, prescribers=self._prescribers, right=self.right,
            explained={*self._consequences},
        )  # fmt: skip
        self._cover.extend(self._trials)
        self._cover.extend(self._fit_tables())
        self._cover.extend(self._fit_lines())
        self._cover.explain_meetings()
        self._cover.extend_jointly(self._trials)
        self._cover.explain_meetings()

    def _fit_tables(self) -> list[Trial]:
        """Return trials of other values in tables on which unexplained results depend."""
        unexplained = {
            at
            for at, answer in enumerate(self.wrong)
            if at not in self._cover.explained and answer.differing & _RESULTS
        }
        provisions = {
            trial.provision for trial in self._trials if not trial.changed.isdisjoint(unexplained)
        }
        return self._try_more(fit_rows(self._generated, provisions))

    def _fit_lines(self) -> list[Trial]:
        """Return trials of other places of the lines that stand in most unexplained answers."""
        counts = Counter(
            line
            for at, answer in enumerate(self.wrong)
            if at not in self._cover.explained
            for line in answer.ranks(self.lines)
        )
        most = max(counts.values(), default=0)
        lines = sorted(line for line in counts if counts[line] == most)
        return self._try_more(_displace_lines(lines, self._generated))

    def _try_more(self, hypotheses: Iterable[Hypothesis]) -> list[Trial]:
        """Return the trials of those mutants that were not tried before."""
        known = {hypothesis.cause.code for hypothesis in self.hypotheses}
        fresh = [hypothesis for hypothesis in hypotheses if hypothesis.cause.code not in known]
        trials = list(try_mutants(fresh, self.wrong, self._index))
        self._trials += trials
        self.hypotheses = [*self.hypotheses, *fresh]
        return trials

    def _blame_readings(self) -> list[RootCause]:
        """Return the readings against a ruling that allow kinds without any other explanation."""
        known = {self.wrong[at].kind for at in self._explained}
        ruled = []
        alike: dict[frozenset[str], dict[DifferenceKind, Difference]] = {}
        for answer, prescribers in zip(self.wrong, self._prescribers, strict=True):
            if answer.kind not in known:
                alike.setdefault(prescribers, {})[answer.kind] = self.left[answer.kind]
        for differences in alike.values():
            cause = _blame_reading(differences, self._points)
            if cause is not None:
                ruled.append(cause)
                self._explained.update(
                    at for at, answer in enumerate(self.wrong) if answer.kind in cause.kinds
                )
        return ruled

    def _attribute_rest(self) -> None:
        """Attribute what nothing explains to what prescribes it, or to what it all depends on."""
        rest = [at for at in range(len(self.wrong)) if at not in self._explained]
        self._consequences |= self._find_consequences(rest)
        rest = self._leave_to_causes([at for at in rest if at not in self._consequences])
        comparisons = [at for at in rest if self.wrong[at].bet is None]
        for line in self._shared_lines(comparisons):
            shown = [at for at in comparisons if line in self.wrong[at].ranks(self.lines)]
            self._causes.append(CauseDraft(provisions={line: None}, answers=shown))
        rest = self._leave_to_causes(rest)
        results = [at for at in rest if self.wrong[at].differing & _RESULTS]
        if len({self._prescribers[at] for at in results}) > 1:
            shared = find_common_cause(
                self.wrong, results, self._prescribers, self._trials, self.right
            )
            if shared is not None:
                self._causes.append(CauseDraft(provisions={shared: None}, answers=results))
                rest = [at for at in rest if at not in results]
        groups: dict[frozenset[str], list[int]] = {}
        for at in rest:
            groups.setdefault(self._prescribers[at], []).append(at)
        for prescribers, answers in groups.items():
            # Provisions that are broken by the dozen have no premise in common.
            premise = (
                find_premise(answers, prescribers, self._trials, self.right)
                if len(groups) <= _MAX_PREMISES
                else None
            )
            provisions = prescribers if premise is None else [premise]
            self._causes.append(
                CauseDraft(provisions=dict.fromkeys(sorted(provisions)), answers=answers)
            )

    def _find_consequences(self, rest: Iterable[int]) -> set[int]:
        """Return the unexplained results of bets that depend on a bet whose results are wrong."""
        spoilt = {answer.name for answer in self.wrong if answer.differing & _RESULTS}
        return {
            at
            for at in rest
            if self.wrong[at].differing & _RESULTS and self.wrong[at].bases & spoilt
        }

    def _attribute_consequences(self) -> None:
        """Add each consequence to the cause of a bet on which it depends, or to any cause.

        It accuses its own provision only if there is no other.
        """
        for at in sorted(self._consequences):
            bases = self.wrong[at].bases
            draft = next(
                (
                    draft
                    for draft in self._causes
                    if any(self.wrong[other].name in bases for other in draft.answers)
                ),
                next(iter(self._causes), None),
            )
            if draft is None:
                draft = CauseDraft(
                    provisions=dict.fromkeys(sorted(self._prescribers[at])), answers=[]
                )
                self._causes.append(draft)
            draft.answers.append(at)

    def _leave_to_causes(self, rest: list[int]) -> list[int]:
        """Return what is left after each broken provision has taken what it can have spoilt."""
        left = []
        for at in rest:
            draft = next(
                (
                    draft
                    for draft in self._causes
                    if any(self._can_have_spoilt(name, at) for name in draft.provisions)
                ),
                None,
            )
            if draft is None:
                left.append(at)
            else:
                draft.answers.append(at)
        return left

    def _can_have_spoilt(self, provision: str, at: int) -> bool:
        """Return whether a change of a provision that mostly changes wrong answers changes this.

        A line of an order can have spoilt whatever depends on a hand that stands on it.
        """
        if provision in self.wrong[at].ranks(self.lines):
            return True
        for trial in self._trials:
            if trial.provision == provision and at in trial.changed:
                right, wrong = self.right.count(
                    trial.hypothesis, comparisons=self.wrong[at].bet is None
                )
                if wrong >= right:
                    return True
        return False

    def _shared_lines(self, answers: Iterable[int]) -> list[str]:
        """Return the fewest lines of an order, or nearly so, of which one stands in each answer."""
        left = [self.wrong[at].ranks(self.lines) for at in answers]
        left = [lines for lines in left if lines]
        chosen: list[str] = []
        while left:
            counts = Counter(line for lines in left for line in sorted(lines))
            best = max(counts, key=lambda line: (counts[line], line))
            chosen.append(best)
            left = [lines for lines in left if best not in lines]
        return chosen


def _displace_lines(lines: Sequence[str], hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    """Return some lines of an order, each at every other place of the order."""
    if len(lines) > _MAX_DISPLACED:
        return []
    displaced: dict[str, list[Hypothesis]] = {}
    for hypothesis in hypotheses:
        name = hypothesis.provision
        if hypothesis.is_line and name in lines and not displaced.get(name):
            displaced[name] = list(hypothesis.displaced())
    return [moved for line in displaced.values() for moved in line]


def _blame_reading(left: Differences, points: Mapping[str, Sequence[str]]) -> RootCause | None:
    """Return one reading against a ruling that allows everything that is left, if there is one."""
    allowing = [set(difference.against) for difference in left.values()]
    for point, reading in left[next(iter(left))].against if left else ():
        if all((point, reading) in readings for readings in allowing) and points.get(point):
            named = {name for difference in left.values() for name in difference.provisions}
            both = tuple(name for name in points[point] if name in named)
            provisions = both or tuple(points[point])
            cause = cause_of_reading(provisions[0], point, reading)
            return RootCause(
                provisions=provisions,
                kinds=tuple(left),
                misreadings=(Misreading(cause=cause, point=(point, reading)),),
            )
    return None
