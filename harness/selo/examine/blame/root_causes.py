"""Root causes: which provisions wrong answers break, and how these may have been misread.

The two questions are separate.

*Which provision says otherwise than what was done?* The one that prescribes the part of the answer
that is wrong (`wrong_answer`), unless something else explains the answers exactly:

1. A reading against a ruling that allows everything that is wrong.
2. Mutants of single provisions that together give the wrong answers, and that right answers uphold
   (`cause_cover`). So one wrong value of a card is one cause, and not one for each bet.
3. A reading against a ruling that allows everything that rests on the same provisions.
4. For wrong comparisons that are left, the fewest lines of the order of which one stands in each.
5. For wrong results of several provisions that are left, one provision on which all of them depend
   (`common_cause`).

*How may it have been misread?* The mutants of 2. are the hint. They clear nobody: `exoneration`
says which other provisions stay in doubt.

Causes with the same effect on the prizes of several provisions are one finding that names them all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.examine.blame.cause_cover import CauseCover
from selo.examine.blame.cause_drafts import (
    CauseDraft,
    Misreading,
    assign_kinds,
    merge_same_effects,
    merge_same_provisions,
)
from selo.examine.blame.common_cause import find_common_cause
from selo.examine.blame.exoneration import find_hidden_provisions
from selo.examine.blame.fitted_values import fit_amounts, fit_rows
from selo.examine.blame.hypotheses import reproduces
from selo.examine.blame.mutant_trial import RightAnswerIndex, try_mutants
from selo.examine.blame.wrong_answer import (
    PartRules,
    prescribing_provisions,
    sample_wrong_answers,
)
from selo.rules.clauses import clause_models as c
from selo.rules.clauses.clause_models import WILDCARD
from selo.rules.mutants import ANSWER_ERRORS, cause_of_reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.examine.blame.hypotheses import Hypothesis, Sample
    from selo.examine.blame.mutant_trial import Trial
    from selo.examine.blame.plan_index import PlanIndex
    from selo.examine.blame.wrong_answer import WrongAnswer
    from selo.examine.tally import Difference, DifferenceKind, Tally

    Differences = Mapping[DifferenceKind, Difference]

#: Lines of an order that are tried at every other place.
_MAX_DISPLACED: Final = 4
_RESULTS: Final = frozenset({"result", "order"})


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


@dataclass(frozen=True, kw_only=True)
class Localisation:
    """The causes of what is wrong, and the provisions that stay in doubt behind it."""

    causes: list[RootCause] = field(default_factory=list)
    hidden: Mapping[str, AbstractSet[DifferenceKind]] = field(default_factory=dict)


def locate_faults(
    tally: Tally,
    hypotheses: Iterable[Hypothesis],
    index: PlanIndex,
    points: Mapping[str, Sequence[str]],
) -> Localisation:
    """Return the causes of all differences of one game that break the law under every reading.

    `points` holds the provisions of each open point; they are blamed for an answer that follows
    another reading of the point than the adopted one.
    """
    left = {
        kind: difference
        for kind, difference in tally.differences.items()
        if not difference.open and not difference.lawless
    }
    return _Search(tally, list(hypotheses), index, points, left).run() if left else Localisation()


class _Search:
    """The search for the causes of one game."""

    def __init__(
        self,
        tally: Tally,
        hypotheses: list[Hypothesis],
        index: PlanIndex,
        points: Mapping[str, Sequence[str]],
        left: Differences,
    ) -> None:
        self._tally, self._points, self._left = tally, points, left
        self._wrong = sample_wrong_answers(tally, left)
        self._lines = {one.provision for one in hypotheses if one.is_line}
        rules = _part_rules(hypotheses)
        self._prescribers = [prescribing_provisions(answer, rules) for answer in self._wrong]
        self._hypotheses = hypotheses
        moved = _displace_lines(self._shared_lines(range(len(self._wrong))), hypotheses)
        fitted = fit_amounts(self._wrong, self._prescribers, hypotheses)
        self._trials = list(try_mutants([*hypotheses, *moved, *fitted], self._wrong))
        self._right = RightAnswerIndex(tally=tally, index=index)
        self._cover = CauseCover(
            wrong=self._wrong, prescribers=self._prescribers, right=self._right
        )
        # What depends on a bet that is wrong itself is a consequence, and accuses nobody.
        self._consequences = {at for at, answer in enumerate(self._wrong) if answer.leans_on}
        self._cover.explained |= self._consequences
        self._causes: list[CauseDraft] = []
        self._explained: set[int] = set()

    def run(self) -> Localisation:
        """Return the causes, and what they leave in doubt."""
        whole = _blame_reading(self._left, self._points)
        if whole is not None:
            self._explained.update(range(len(self._wrong)))
            return self._conclude([whole])
        self._cover.extend(self._trials)
        self._cover.extend(self._fit_tables())
        self._cover.explain_meetings()
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
        ruled = self._blame_readings()
        self._attribute_rest()
        self._attribute_consequences()
        return self._conclude(ruled)

    def _fit_tables(self) -> list[Trial]:
        """Return trials of other values in tables on which unexplained results depend."""
        unexplained = {
            at
            for at, answer in enumerate(self._wrong)
            if at not in self._cover.explained and answer.differing & _RESULTS
        }
        provisions = {
            trial.provision for trial in self._trials if not trial.changed.isdisjoint(unexplained)
        }
        trials = list(try_mutants(fit_rows(self._hypotheses, provisions), self._wrong))
        self._trials += trials
        return trials

    def _blame_readings(self) -> list[RootCause]:
        """Return the readings against a ruling that allow kinds without any other explanation."""
        known = {self._wrong[at].kind for at in self._explained}
        ruled = []
        alike: dict[frozenset[str], dict[DifferenceKind, Difference]] = {}
        for answer, prescribers in zip(self._wrong, self._prescribers, strict=True):
            if answer.kind not in known:
                alike.setdefault(prescribers, {})[answer.kind] = self._left[answer.kind]
        for differences in alike.values():
            cause = _blame_reading(differences, self._points)
            if cause is not None:
                ruled.append(cause)
                self._explained.update(
                    at for at, answer in enumerate(self._wrong) if answer.kind in cause.kinds
                )
        return ruled

    def _attribute_rest(self) -> None:
        """Attribute what nothing explains to what prescribes it, or to what it all depends on."""
        rest = [at for at in range(len(self._wrong)) if at not in self._explained]
        rest = self._leave_to_causes(rest)
        comparisons = [at for at in rest if self._wrong[at].bet is None]
        for line in self._shared_lines(comparisons):
            shown = [at for at in comparisons if line in self._wrong[at].ranks(self._lines)]
            self._causes.append(CauseDraft(provisions={line: None}, answers=shown))
        rest = self._leave_to_causes(rest)
        results = [at for at in rest if self._wrong[at].differing & _RESULTS]
        if len({self._prescribers[at] for at in results}) > 1:
            shared = find_common_cause(
                self._wrong, results, self._prescribers, self._trials, self._right
            )
            if shared is not None:
                self._causes.append(CauseDraft(provisions={shared: None}, answers=results))
                rest = [at for at in rest if at not in results]
        groups: dict[frozenset[str], list[int]] = {}
        for at in rest:
            groups.setdefault(self._prescribers[at], []).append(at)
        for prescribers, answers in groups.items():
            self._causes.append(
                CauseDraft(provisions=dict.fromkeys(sorted(prescribers)), answers=answers)
            )

    def _attribute_consequences(self) -> None:
        """Add each consequence to the cause of the bet on which it depends."""
        for at in sorted(self._consequences):
            bases = self._wrong[at].leans_on
            draft = next(
                (
                    draft
                    for draft in self._causes
                    if any(self._wrong[other].name in bases for other in draft.answers)
                ),
                None,
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
        if provision in self._wrong[at].ranks(self._lines):
            return True
        for trial in self._trials:
            if trial.provision == provision and at in trial.changed:
                right, wrong = self._right.count(
                    trial.hypothesis, comparisons=self._wrong[at].bet is None
                )
                if wrong >= right:
                    return True
        return False

    def _shared_lines(self, answers: Iterable[int]) -> list[str]:
        """Return the fewest lines of an order, or nearly so, of which one stands in each answer."""
        left = [self._wrong[at].ranks(self._lines) for at in answers]
        left = [lines for lines in left if lines]
        chosen: list[str] = []
        while left:
            counts = Counter(line for lines in left for line in sorted(lines))
            best = max(counts, key=lambda line: (counts[line], line))
            chosen.append(best)
            left = [lines for lines in left if best not in lines]
        return chosen

    def _conclude(self, ruled: list[RootCause]) -> Localisation:
        drafts = merge_same_effects(merge_same_provisions(self._causes), self._wrong)
        owners = assign_kinds(drafts, self._wrong)
        causes = [
            *ruled,
            *(
                RootCause(
                    provisions=tuple(draft.provisions),
                    kinds=tuple(kinds),
                    misreadings=tuple(draft.misreadings),
                    examples=tuple(self._wrong[at] for at in draft.shown or draft.answers),
                )
                for draft, kinds in zip(drafts, owners, strict=True)
            ),
        ]
        causes = _join_open(self._tally, causes)
        blamed = {name for cause in causes for name in cause.provisions}
        self._right.taint(self._lines & blamed)
        hidden = find_hidden_provisions(
            self._wrong, self._trials, self._explained, blamed, self._right
        )
        return Localisation(causes=causes, hidden=hidden)


def _part_rules(hypotheses: Iterable[Hypothesis]) -> PartRules:
    """Return the provisions on stakes and commissions, from the clauses that mutants change."""
    stakes: dict[str, None] = {}
    commissions: dict[str, frozenset[str]] = {}
    for hypothesis in hypotheses:
        if hypothesis.is_stake_rule:
            stakes[hypothesis.provision] = None
        if isinstance(hypothesis.was, c.Commission):
            names = frozenset(c.list_names(hypothesis.was.commission)) - {WILDCARD}
            commissions[hypothesis.provision] = names | commissions.get(
                hypothesis.provision, frozenset()
            )
    return PartRules(stakes=tuple(stakes), commissions=commissions)


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


def _open_differences(tally: Tally) -> dict[DifferenceKind, Difference]:
    return {
        kind: difference
        for kind, difference in tally.differences.items()
        if difference.open and not difference.lawless
    }


def _join_open(tally: Tally, causes: Sequence[RootCause]) -> list[RootCause]:
    """Return the causes with the open differences that their mutants explain as well."""
    opened = _open_differences(tally)
    joined = []
    for cause in causes:
        explained = [
            kind
            for kind in opened
            if any(_explains(game, tally.samples[kind]) for game in cause.games)
        ]
        for kind in explained:
            del opened[kind]
        joined.append(
            RootCause(
                provisions=cause.provisions,
                kinds=(*cause.kinds, *explained),
                misreadings=cause.misreadings,
                examples=cause.examples,
            )
        )
    return joined


def _explains(game: Any, samples: Iterable[Sample]) -> bool:
    try:
        return reproduces(game, samples)
    except ANSWER_ERRORS:
        return False


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
