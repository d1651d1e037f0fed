"""Cause cover: the fewest mutants that together give the wrong answers of a vendor.

1. A mutant is a cause of the wrong answers that it reproduces if right answers uphold it: at most
   one in ten of the answers that it changes is right.
2. A cause in a provision that prescribes the wrong part needs nothing else. One in another
   provision, such as the value of a card, must explain whole kinds of differences, or what several
   provisions prescribe, and stand in most of the derivations unless it explains everything; or
   reproduce everything that it changes and stand in each derivation.
3. The mutant that explains most is accepted first, then the one that explains most of the rest.
   Among equals the prescribing provision comes first, then the one that derivations name.
4. What an accepted cause changes refutes no other: two faults may mend each other by chance.
   Causes that explain amounts alone come first, since their provisions are certain.
5. Where several causes meet in one answer, their mutants together must give it. A mutant that
   explains answers only together with an accepted cause is accepted too, if right answers uphold
   it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from selo.examine.blame.mutant_trial import gives_answer
from selo.rules.mutants import ANSWER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from selo.examine.blame.mutant_trial import RightAnswerIndex, Trial
    from selo.examine.blame.wrong_answer import WrongAnswer

_RESULTS: Final = frozenset({"result", "order"})
#: Causes that may meet in one answer.
_MAX_MEETING: Final = 3
#: Causes that are accepted because they explain answers together with another.
_MAX_JOINT: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptedCause:
    """A mutant that explains some wrong answers, and others of its provision that do as well."""

    trial: Trial
    #: The wrong answers that it explains, and no cause before it.
    explained: frozenset[int]
    #: Mutants of the same provision that explain the same, the likeliest first.
    alike: tuple[Trial, ...]


@dataclass(kw_only=True, slots=True)
class CauseCover:
    """The causes that were accepted, and what they leave unexplained."""

    wrong: Sequence[WrongAnswer]
    prescribers: Sequence[frozenset[str]]
    right: RightAnswerIndex
    causes: list[AcceptedCause] = field(default_factory=list)
    explained: set[int] = field(default_factory=set)
    #: Wrong answers in which an accepted cause has a part, explained or not.
    touched: set[int] = field(default_factory=set)

    def extend(self, trials: Iterable[Trial]) -> None:
        """Accept causes among some mutants until none explains anything more."""
        candidates = [trial for trial in trials if trial.reproduced and _is_consistent(trial)]
        upheld: dict[int, int] = {}
        while candidates:
            candidates = [trial for trial in candidates if trial.reproduced - self.explained]
            best = self._best(candidates, upheld)
            if best is None:
                return
            self._accept(best, candidates, upheld)

    def _best(self, candidates: list[Trial], upheld: dict[int, int]) -> Trial | None:
        """Return the best upheld mutant; those that explain more are tried first."""
        ranked = sorted(candidates, key=self._rank, reverse=True)
        best: Trial | None = None
        for trial in ranked:
            if best is not None and self._rank(trial) < self._rank(best):
                break
            if id(trial) not in upheld:
                upheld[id(trial)] = self._count_wrong(trial)
            wrong = upheld[id(trial)]
            if wrong > (0 if best is None else upheld[id(best)]) and self._is_eligible(trial):
                best = trial
        return best

    def _rank(self, trial: Trial) -> tuple[bool, int, int, int]:
        """Return whether a cause is certain, and how many answers it explains and prescribes."""
        fresh = trial.reproduced - self.explained
        certain = all(
            trial.provision in self.prescribers[at] and not self.wrong[at].differing & _RESULTS
            for at in fresh
        )
        return (
            certain,
            len(fresh),
            sum(trial.provision in self.prescribers[at] for at in fresh),
            sum(trial.provision in self.wrong[at].provisions for at in fresh),
        )

    def _count_wrong(self, trial: Trial) -> int:
        """Return how many wrong answers of the plan a mutant changes, 0 if it is refuted."""
        total = 0
        for comparisons in (False, True):
            if any((self.wrong[at].bet is None) is comparisons for at in trial.reproduced):
                wrong = self.right.upholds(trial.hypothesis, comparisons=comparisons)
                if wrong is None:
                    return 0
                total += wrong
        return total

    def _is_eligible(self, trial: Trial) -> bool:
        """Return whether a mutant may be a cause of what it explains anew."""
        fresh = trial.reproduced - self.explained
        if all(trial.provision in self.prescribers[at] for at in fresh):
            return True
        kinds = {self.wrong[at].kind for at in fresh}
        whole = all(
            at in trial.reproduced or at in self.explained
            for at, answer in enumerate(self.wrong)
            if answer.kind in kinds
        )
        several = len({self.prescribers[at] for at in fresh}) > 1
        if not any(self.wrong[at].differing & _RESULTS for at in fresh):
            # The result is right: only a rule about amounts as such can be wrong beside its own.
            return whole and several
        named = sum(trial.provision in self.wrong[at].provisions for at in fresh)
        if whole or several:
            # What explains only a part stands in most of its derivations.
            everything = len(self.explained | fresh) == len(self.wrong)
            return everything or 2 * named >= len(fresh)
        return named == len(fresh) and trial.reproduced == trial.changed

    def _accept(self, best: Trial, candidates: list[Trial], upheld: dict[int, int]) -> None:
        fresh = best.reproduced - self.explained
        alike = [
            trial
            for trial in candidates
            if trial.provision == best.provision
            and trial.reproduced >= fresh
            and upheld.get(id(trial)) is not None
        ]
        alike.sort(key=lambda trial: (trial is not best, -upheld[id(trial)]))
        self.causes.append(
            AcceptedCause(
                trial=best,
                explained=frozenset(fresh),
                alike=tuple(trial for trial in alike if upheld[id(trial)]),
            )
        )
        self.explained |= best.reproduced
        self.touched |= best.changed
        self.right.excuse(best.hypothesis)
        # What was refuted only by answers that are excused now may be upheld.
        for key, wrong in list(upheld.items()):
            if not wrong:
                del upheld[key]

    def extend_jointly(self, trials: Iterable[Trial]) -> None:
        """Accept mutants that explain answers only together with a cause that was accepted."""
        candidates = [trial for trial in trials if trial.provision not in self._provisions()]
        for _ in range(_MAX_JOINT):
            best: tuple[tuple[int, int, int], Trial, frozenset[int]] | None = None
            left = frozenset(range(len(self.wrong))) - self.explained
            for trial in candidates:
                given = self._given_jointly(trial, left) if trial.changed & left else frozenset()
                upheld = self._count_wrong(replace(trial, reproduced=given)) if given else 0
                rank = (
                    len(given),
                    sum(trial.provision in self.prescribers[at] for at in given),
                    upheld,
                )
                if upheld and (best is None or rank > best[0]):
                    best = rank, trial, given
            if best is None:
                return
            _, trial, given = best
            self.causes.append(AcceptedCause(trial=trial, explained=given, alike=(trial,)))
            self.explained |= given
            self.touched |= trial.changed
            self.right.excuse(trial.hypothesis)

    def _provisions(self) -> set[str]:
        return {cause.trial.provision for cause in self.causes}

    def _given_jointly(self, trial: Trial, left: frozenset[int]) -> frozenset[int]:
        """Return the answers that a mutant gives together with an accepted cause."""
        given: set[int] = set()
        for cause in self.causes[:_MAX_MEETING]:
            other = cause.trial.hypothesis
            wanted = [
                at
                for at in left
                if self.wrong[at].name is None
                or self.wrong[at].name in trial.hypothesis.bets() & other.bets()
            ]
            if not wanted:
                continue
            try:
                game = trial.hypothesis.compile_with([other])
            except ANSWER_ERRORS:
                # Not everything that is changed together is a game.
                continue
            given.update(at for at in wanted if gives_answer(game, self.wrong[at]))
        return frozenset(given)

    def explain_meetings(self) -> None:
        """Add the answers in which several accepted causes meet, and which they give together."""
        by_causes: dict[tuple[int, ...], list[int]] = {}
        for at in range(len(self.wrong)):
            if at not in self.explained:
                meeting = self._meeting_causes(at)
                if 1 < len(meeting) <= _MAX_MEETING:
                    by_causes.setdefault(meeting, []).append(at)
        for meeting, answers in by_causes.items():
            trials = [self.causes[number].trial for number in meeting]
            for first in trials:
                others = [trial.hypothesis for trial in trials if trial is not first]
                try:
                    game = first.hypothesis.compile_with(others)
                except ANSWER_ERRORS:
                    continue
                self.explained.update(at for at in answers if gives_answer(game, self.wrong[at]))

    def _meeting_causes(self, at: int) -> tuple[int, ...]:
        """Return the causes that can meet in an answer, if one of them changes it.

        One may bear only on what another has made of the answer: the prize of a bet that should
        have lost.
        """
        name = self.wrong[at].name
        if not any(at in cause.trial.changed for cause in self.causes):
            return ()
        return tuple(
            number
            for number, cause in enumerate(self.causes)
            if name is None or name in cause.trial.hypothesis.bets()
        )


def _is_consistent(trial: Trial) -> bool:
    """Return whether a mutant gives most of the wrong answers that it changes just so."""
    return 2 * len(trial.reproduced) >= len(trial.changed)
