"""Self-test by mutants of the law: every clause changed in every way of its kind, one at a time.

1. A mutant that does not compile, contradicts another provision, or leaves a bet without a result
   is not a playable game. It is set aside, and counted.
2. A mutant that no case of the plan kills has survived, unless it is listed as equivalent, with
   the reason why no case can kill it.
3. Any other mutant is examined. Only the cases that kill it are asked, in the order of the plan;
   all others count as right answers.
4. Mutants of two provisions may be the same game. Either provision is then rightly blamed.
5. A mutant that another reading of an open point would allow violates the provisions of the point.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec.structs import replace

from selo import data_files
from selo.cases.oracle import compare_hands
from selo.cases.oracle.told_settlement import returned_stake
from selo.examine.selftest.planted_selftest import FaultState, Score, score_fault
from selo.protocol import messages as m
from selo.rules.clauses import read_clauses
from selo.rules.mutants import ANSWER_ERRORS
from selo.vendors.reply_reader import Reply
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases import Case
    from selo.examine.blame import CompiledMutant
    from selo.examine.findings import Finding
    from selo.examine.selftest.in_process_examiner import Answers, Examiner


_EQUIVALENTS_FILE: Final = "equivalents.yaml"

#: Why no case kills a mutant: another provision says the same; its subject never occurs; no rule
#: in force uses it; it needs an amount that no table declares; it decides what is judged, which no
#: answer shows.
EquivalenceKind = Literal["elsewhere", "never-comes", "unasked", "undeclared", "not-an-answer"]


class EquivalentMutants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Equivalent mutants of one provision, and why no case can kill them."""

    provision: str
    kind: EquivalenceKind
    why: str
    changes: list[str]
    #: The provisions that say the same, if any.
    elsewhere: list[str] = []


def read_equivalents(game: str) -> list[EquivalentMutants]:
    """Return the equivalent mutants of a game's rules."""
    path = data_files.data_folder("fixtures") / "planted" / _EQUIVALENTS_FILE
    return read_yaml(path).convert(dict[str, list[EquivalentMutants]]).get(game, [])


_VIOLATES: Final = "violates"


def score_mutants(examiner: Examiner, every: int = 1) -> Iterator[Score]:
    """Yield the score of every mutant of a game's rules, or of one in `every`."""
    return _MutantScorer(examiner).scores(every)


class _MutantScorer:
    """Scores the mutants of one game."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self._equivalent = {
            code for equivalent in read_equivalents(examiner.game) for code in equivalent.changes
        }
        #: The cases that kill each mutant; none for a mutant that is not a playable game.
        self._killed_by: dict[int, tuple[int, ...] | None] = {}

    def scores(self, every: int) -> Iterator[Score]:
        """Yield the score of each mutant."""
        for mutant in islice(self._examiner.mutants, 0, None, every):
            yield self._score(mutant)

    def _score(self, mutant: CompiledMutant) -> Score:
        killing = self._killing_cases(mutant)
        if killing is None:
            return _set_aside(self._examiner.game, mutant, FaultState.NO_RULE)
        if not killing and mutant.cause.code in self._equivalent:
            return _set_aside(self._examiner.game, mutant, FaultState.EQUIVALENT)
        answers = _answers_of_game(mutant.compile())
        verdicts = self._examiner.examine_answers(answers, killing, mutant.bets())
        score = score_fault(self._examiner.game, mutant.cause.sentence, mutant.provision, verdicts)
        right = all(self._is_rightly_blamed(mutant, finding) for finding in verdicts.findings)
        if score.state is FaultState.MISJUDGED and verdicts.broken and right:
            return replace(score, state=FaultState.KILLED)
        return score

    def _is_rightly_blamed(self, mutant: CompiledMutant, finding: Finding) -> bool:
        """Return whether a finding blames the mutant's provision, or one with the same mutant."""
        if finding.verdict != _VIOLATES:
            return False
        if {point for point, _ in finding.against} & self._points_by_provision.get(
            mutant.provision, set()
        ):
            return True
        return all(
            name == mutant.provision or self._has_same_game(name, mutant)
            for name in finding.provisions
        )

    def _has_same_game(self, provision: str, mutant: CompiledMutant) -> bool:
        """Return whether a mutant of `provision` is the same game as `mutant`."""
        killing = self._killing_cases(mutant)
        return any(
            other.provision == provision
            and self._killing_cases(other) == killing
            and self._wrong_answers(other) == self._wrong_answers(mutant)
            for other in self._examiner.mutants
        )

    def _wrong_answers(self, mutant: CompiledMutant) -> list[Any]:
        """Return the answers of a mutant to the cases that kill it."""
        game, cases = mutant.compile(), self._examiner.kill_matrix.cases
        return [_answer_as_game(game, cases[at]) for at in self._killing_cases(mutant) or ()]

    @cached_property
    def _points_by_provision(self) -> dict[str, set[str]]:
        """The open points on which each provision depends."""
        points: dict[str, set[str]] = {}
        for read_clause in read_clauses(self._examiner.law, self._examiner.game):
            points.setdefault(read_clause.held.id, set()).update(read_clause.clause.under)
        for point in self._examiner.law.divergences:
            for provision in point.provisions:
                points.setdefault(provision, set()).add(point.id)
        return points

    def _killing_cases(self, mutant: CompiledMutant) -> tuple[int, ...] | None:
        """Return the cases that kill a mutant."""
        if id(mutant) not in self._killed_by:
            try:
                cases = tuple(
                    sorted(self._examiner.kill_matrix.killing_cases(mutant.variant, set()))
                )
            except ANSWER_ERRORS:
                self._killed_by[id(mutant)] = None
            else:
                self._killed_by[id(mutant)] = cases
        return self._killed_by[id(mutant)]


def _set_aside(game: str, mutant: CompiledMutant, state: FaultState) -> Score:
    """Return the score of a mutant that is not examined."""
    return Score(
        game=game,
        fault=mutant.cause.sentence,
        provision=mutant.provision,
        state=state,
        seen=0,
        blamed=[],
    )


def _answer_as_game(game: Any, case: Case) -> Any:
    if case.method == "compare":
        return compare_hands(game, case)
    return game.settle_plain(case.options, case.outcome, case.bets)


def _answers_of_game(game: Any) -> Answers:
    """Return the answers of a vendor that plays by a compiled game."""

    def answer(case: Case) -> Reply:
        if case.method == "compare":
            order = game.compare(sorted(case.a), sorted(case.b))
            return Reply(id="", result=m.Compared(order=order))
        settlements = [
            m.Settlement(**{**settlement, "stake": returned_stake(settlement, bet["stake"])})
            for settlement, bet in zip(_answer_as_game(game, case), case.bets, strict=True)
        ]
        return Reply(id="", result=m.Settled(settlements=settlements))

    return answer
