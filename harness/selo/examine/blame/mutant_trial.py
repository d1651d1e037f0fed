"""Trials of mutants: which wrong answers a mutant gives as well, and which right ones refute it.

1. A mutant *reproduces* a wrong answer if it gives just that answer.
2. It *changes* a wrong answer if it gives another than the lawful one. It can have a part in the
   answer if it changes nothing but parts that are wrong: two faults may meet in one answer.
3. It is *refuted* by each right answer that it would have given otherwise. Comparisons and
   settlements are counted apart: a vendor may have separate code for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from selo.cases.oracle import compare_hands
from selo.cases.oracle.bet_dependence import settles_alone
from selo.cases.oracle.told_settlement import lawful_parts
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from selo.cases import Case
    from selo.examine.blame.hypotheses import Hypothesis
    from selo.examine.blame.plan_index import CaseIndex, ChangedBet, PlanIndex
    from selo.examine.blame.wrong_answer import WrongAnswer
    from selo.examine.tally import Tally

_RESULTS: Final = frozenset({"result", "order"})
#: A mutant may be refuted by one answer in this many: another fault may have mended it by chance.
_REFUTED_PER: Final = 10
#: Samples from which on they have an index of their own.
_OWN_INDEX_FROM: Final = 240
#: Right answers after which a mutant is refuted, whatever follows.
_SURELY_REFUTED: Final = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """What a mutant does with the samples of wrong answers, by their places in the list."""

    hypothesis: Hypothesis
    game: Any
    reproduced: frozenset[int]
    changed: frozenset[int]
    #: Those that it changes in wrong parts only, or that it cannot answer.
    involved: frozenset[int]

    @property
    def provision(self) -> str:
        """The provision that the mutant changes."""
        return self.hypothesis.provision


@dataclass(kw_only=True, slots=True)
class RightAnswerIndex:
    """The right answers of a vendor, as far as mutants would have changed them."""

    tally: Tally
    index: PlanIndex
    #: Bets that an accepted cause changes: that they are right shows another fault, if anything.
    excused: set[tuple[int, int]] = field(default_factory=set)
    #: Comparisons of hands on broken lines of the order: two lines may have moved together.
    tainted: set[int] = field(default_factory=set)

    def count(self, hypothesis: Hypothesis, *, comparisons: bool) -> tuple[int, int]:
        """Return how many right and how many wrong answers a mutant would have changed."""
        right = wrong = 0
        for changed in self.changed(hypothesis, comparisons=comparisons):
            if not changed.is_answered:
                continue
            if self.tally.wrong_bets.has(changed.place, changed.bet):
                wrong += 1
            elif (changed.place, changed.bet) not in self.excused:
                right += 1
                if right > _SURELY_REFUTED:
                    break
        return right, wrong

    def changed(self, hypothesis: Hypothesis, *, comparisons: bool) -> Iterator[ChangedBet]:
        """Yield the answered bets that a mutant changes."""
        for changed in self.index.changes_of(hypothesis, comparisons=comparisons):
            if changed.place not in self.tally.unanswered_places:
                yield changed

    def contradictions(self, hypothesis: Hypothesis) -> Iterator[tuple[int, int]]:
        """Yield the bets that a mutant changes although they were answered rightly."""
        for changed in self.index.changed_bets(hypothesis):
            if (
                changed.is_answered
                and changed.place not in self.tally.unanswered_places
                and not self.tally.wrong_bets.has(changed.place, changed.bet)
            ):
                yield changed.place, changed.bet

    def upholds(self, hypothesis: Hypothesis, *, comparisons: bool) -> int | None:
        """Return how many wrong answers a mutant changes; nothing if right answers refute it."""
        right, wrong = self.count(hypothesis, comparisons=comparisons)
        return None if right * _REFUTED_PER > right + wrong else wrong

    def taint(self, lines: AbstractSet[str]) -> None:
        """Let comparisons in which a hand stands on one of some lines clear nobody."""
        if lines:
            self.tainted.update(
                place
                for place, named in self.index.comparison_provisions.items()
                if not named.isdisjoint(lines)
            )

    def excuse(self, hypothesis: Hypothesis) -> None:
        """Let what an accepted cause changes refute no other mutant."""
        for comparisons in (False, True):
            self.excused.update(
                (changed.place, changed.bet)
                for changed in self.changed(hypothesis, comparisons=comparisons)
            )


def join_trials(trials: Iterable[Trial], more: Iterable[Trial]) -> list[Trial]:
    """Return trials with more wrong answers, those of the same mutant as one."""
    joined = {id(trial.hypothesis): trial for trial in trials}
    for trial in more:
        former = joined.get(id(trial.hypothesis))
        joined[id(trial.hypothesis)] = (
            trial
            if former is None
            else replace(
                former,
                reproduced=former.reproduced | trial.reproduced,
                changed=former.changed | trial.changed,
                involved=former.involved | trial.involved,
            )
        )
    return [*joined.values()]


def try_mutants(
    hypotheses: Iterable[Hypothesis],
    wrong: Sequence[WrongAnswer],
    index: PlanIndex,
    first: int = 0,
) -> Iterator[Trial]:
    """Yield the trial of each mutant that changes a wrong answer from the `first` on."""
    by_bet: dict[str | None, list[tuple[int, CaseIndex, int]]] = {}
    for at, (indexed, number) in enumerate(_locate_cases(wrong[first:], index), first):
        by_bet.setdefault(wrong[at].name, []).append((at, indexed, number))
    for hypothesis in hypotheses:
        names = hypothesis.bets()
        places = [
            at
            for name in by_bet
            if name is None or name in names
            for at, indexed, number in by_bet[name]
            if indexed.candidates(hypothesis) >> number & 1
        ]
        trial = _try(hypothesis, wrong, places) if places else None
        if trial is not None and (trial.changed or trial.involved):
            yield trial


def _locate_cases(
    wrong: Iterable[WrongAnswer], index: PlanIndex
) -> Iterator[tuple[CaseIndex, int]]:
    """Yield the index and the number of the case of each wrong answer."""
    answers = [*wrong]
    # Of very many samples the mutants are asked by themselves, not of every case of the plan.
    own = len(answers) > _OWN_INDEX_FROM
    numbers = [(answer.case, None if own else index.number_of(answer.case)) for answer in answers]
    others = {case.key: case for case, number in numbers if number is None}
    more = index.index_more([*enumerate(others.values())]) if others else index
    at_more = {key: at for at, key in enumerate(others)}
    for case, number in numbers:
        yield (more, at_more[case.key]) if number is None else (index, number)


def _try(
    hypothesis: Hypothesis, wrong: Sequence[WrongAnswer], places: Iterable[int]
) -> Trial | None:
    try:
        game = hypothesis.compile()
    except ANSWER_ERRORS:
        # Not every mutant compiles to a game.
        return None
    reproduced, changed, involved = set(), set(), set()
    settled: dict[int, Any] = {}
    for at in places:
        answer = wrong[at]
        try:
            given = _answer(game, answer, settled)
        except ANSWER_ERRORS:
            # A mutant without an answer gives another result than the law, and not which.
            if answer.differing & _RESULTS:
                involved.add(at)
            continue
        differing = _differing(given, answer.lawful)
        if differing:
            changed.add(at)
            if differing <= answer.differing:
                involved.add(at)
            if not _differing(given, answer.observed):
                reproduced.add(at)
    game.forget_outcomes()
    return Trial(
        hypothesis=hypothesis, game=game, reproduced=frozenset(reproduced),
        changed=frozenset(changed), involved=frozenset(involved),
    )  # fmt: skip


def gives_answer(game: Any, wrong: WrongAnswer) -> bool:
    """Return whether a game gives a wrong answer."""
    try:
        return not _differing(_answer(game, wrong, {}), wrong.observed)
    except ANSWER_ERRORS:
        return False


def _answer(game: Any, wrong: WrongAnswer, settled: dict[int, Any]) -> Mapping[str, Any]:
    """Return the answer of a game to the case of a sample."""
    own = settled.setdefault(id(wrong.case), {})
    return give_parts(game, wrong.case, wrong.bet or 0, wrong.lawful, own)


def give_parts(
    game: Any, case: Case, bet: int, parts: Iterable[str], settled: dict[int, Any]
) -> Mapping[str, Any]:
    """Return some parts of the answer of a game to one bet, or to a comparison.

    `settled` keeps the settlements of the case by this game.
    """
    if case.method == "compare":
        return {"order": compare_hands(game, case)}
    placed = case.bets[bet]
    if bet not in settled:
        if settles_alone(game, placed):
            (settled[bet],) = game.settle_plain(case.options, case.outcome, [placed])
        else:
            settled.update(enumerate(game.settle_plain(case.options, case.outcome, case.bets)))
    return lawful_parts(settled[bet], placed, parts)


def _differing(given: Mapping[str, Any], answer: Mapping[str, Any]) -> AbstractSet[str]:
    """Return the parts in which two answers differ."""
    return {part for part, value in given.items() if value != answer[part]}
