"""What the listed deviations cover: each wrong answer of a run is compared with them.

1. A listed cause covers the answers that its mutant, or its reading, gives; parts that an entry
   states limit it. A cause that a right answer contradicts is not what the vendor does, and covers
   nothing.
2. Listed differences cover what differs so, in the listed cases of the same plan.
3. A finding is covered for a provision if entries on that provision cover all of its answers.
4. A wrong answer that belongs to no finding is beside everything that is listed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from selo.cases import AnswerPart
from selo.cases.case_numbers import CaseNumbers, parse_ranges
from selo.cases.oracle import Oracle, is_answer_of
from selo.cases.oracle.told_settlement import told_parts
from selo.examine.findings import parts_of_round
from selo.examine.live_rounds import ROUND, RoundTally
from selo.examine.tally import COMPARE, Difference
from selo.gate.run_answers import BesideAnswers
from selo.rounds.judge import Manner
from selo.rules.mutants import ANSWER_ERRORS, MUTANT_ERRORS, generate_mutants
from selo.rules.readings import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.cases import Case
    from selo.examine.findings import Finding
    from selo.examine.plan import Terms
    from selo.gate.run_answers import RunAnswers
    from selo.law import Law
    from selo.rounds import PlayedScript, Script
    from selo.rules.mutants import Mutant

#: What a listed difference says instead of numbers where these are too many: a digest of them.
DIGEST: Final = "sha256:"


@dataclass(frozen=True, kw_only=True)
class ListedScope:
    """What an entry states of the failures that it covers."""

    provisions: tuple[str, ...]
    parts: tuple[AnswerPart, ...] | None = None
    #: The codes of the cause, of which one may be meant.
    codes: frozenset[str] = frozenset()
    plan: str | None = None
    differences: dict[str, str] = field(default_factory=dict)

    def covers_difference(self, terms: Terms, description: str, cases: CaseNumbers) -> bool:
        """Return whether it lists what differs, in these cases of the same plan."""
        listed = self.differences.get(description)
        if listed is None:
            return False
        if not cases.count or description.startswith(ROUND):
            # Draws, declarations and rounds have no cases that come again with the plan.
            return True
        if self.plan != terms.digest:
            return False
        if listed.startswith(DIGEST):
            return listed.removeprefix(DIGEST) == cases.digest
        known = CaseNumbers(count=-1, ranges=listed, digest="")
        return parse_ranges(listed) is not None and cases.is_within(known)


@dataclass(kw_only=True)
class Cover:
    """What some scopes cover of the findings of a run."""

    #: For each provision and finding that is covered, the place of a scope that covers some of it.
    covered: dict[tuple[str, str], int] = field(default_factory=dict)
    #: The places of the scopes of which each covers all of it alone.
    whole: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    #: For each provision and finding that is not, what is beside, if something was covered.
    beside: dict[tuple[str, str], BesideAnswers] = field(default_factory=dict)
    #: Wrong answers that belong to no finding.
    unfound: BesideAnswers | None = None
    #: The places of scopes that cover something, and of those that right answers contradict.
    used: set[int] = field(default_factory=set)
    refuted: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _WrongAnswer:
    """One wrong answer, or one breach at a table."""

    n: int
    description: str
    parts: frozenset[AnswerPart]
    #: The case, the answers and the place of the bet; none of a breach that settles nothing.
    settled: tuple[Case, Any, int | None] | None


def cover_findings(
    run: RunAnswers, findings: Sequence[Finding], scopes: Sequence[ListedScope]
) -> Cover:
    """Return which findings the scopes cover, provision by provision, and what is beside them."""
    return _CoverSearch(run, findings, scopes).search()


class _CoverSearch:
    def __init__(
        self, run: RunAnswers, findings: Sequence[Finding], scopes: Sequence[ListedScope]
    ) -> None:
        self._run, self._scopes = run, scopes
        self._oracle = Oracle(run.law, run.terms.rulings)
        self._rounds = RoundTally(run.law, run.terms)
        self._violating = [finding for finding in findings if finding.verdict == "violates"]
        self._other = [finding for finding in findings if finding.verdict != "violates"]
        self._games = [self._compile_scope(scope) for scope in scopes]
        self._cover = Cover()
        #: What was covered, and what was not, of each provision and finding.
        self._hits: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._misses: dict[tuple[str, str], list[_WrongAnswer]] = defaultdict(list)
        self._numbers = {
            (finding.id, description): parse_ranges(cases.ranges)
            for finding in findings
            for description, cases in finding.differences.items()
        }

    def search(self) -> Cover:
        """Compare every wrong answer of the run with what is listed."""
        self._refute_causes()
        unfound: list[_WrongAnswer] = []
        for answer in self._wrong_answers():
            holders = [finding for finding in self._violating if self._holds(finding, answer)]
            if holders:
                self._attribute(holders, answer)
            # A finding of very many kinds does not name all: a listed cause decides then.
            elif not self._is_open(answer) and not self._explaining(answer):
                unfound.append(answer)
        for finding in self._violating:
            if not finding.cases or not finding.cases.count:
                self._attribute_unnumbered(finding)
        self._conclude()
        if unfound:
            self._cover.unfound = _summarise(unfound)
        return self._cover

    def _conclude(self) -> None:
        """Note what is covered whole, and what is beside of what is covered in part."""
        for finding in self._violating:
            for provision in finding.provisions:
                key = provision, finding.id
                hits, misses = self._hits[key], self._misses[key]
                self._cover.used |= hits
                if hits and misses:
                    self._cover.beside[key] = _summarise(misses)
                elif hits:
                    self._cover.covered[key] = min(hits)

    def _attribute(self, holders: Sequence[Finding], answer: _WrongAnswer) -> None:
        explaining = self._explaining(answer)
        for finding in holders:
            for provision in finding.provisions:
                key = provision, finding.id
                hits = {
                    at
                    for at, scope in enumerate(self._scopes)
                    if provision in scope.provisions
                    and (at in explaining or self._lists(scope, finding, answer.description))
                }
                self._hits[key] |= hits
                self._cover.whole[key] = self._cover.whole.get(key, hits) & hits
                if not hits:
                    self._misses[key].append(answer)

    def _attribute_unnumbered(self, finding: Finding) -> None:
        """Compare a finding of draws or declarations, which no case of the plan shows."""
        parts = frozenset(finding.parts)
        for description in finding.differences:
            answer = _WrongAnswer(finding.first, description, parts, None)
            self._attribute([finding], answer)

    def _lists(self, scope: ListedScope, finding: Finding, description: str) -> bool:
        cases = finding.differences.get(description)
        return cases is not None and scope.covers_difference(self._run.terms, description, cases)

    def _explaining(self, answer: _WrongAnswer) -> set[int]:
        """Return the places of the scopes whose cause gives an answer."""
        return {at for at, games in enumerate(self._games) if self._is_explained(at, games, answer)}

    def _is_explained(
        self, at: int, games: Sequence[tuple[str, Any]], answer: _WrongAnswer
    ) -> bool:
        """Return whether a listed cause gives an answer, in the parts that its entry states."""
        parts = self._scopes[at].parts
        if answer.settled is None or at in self._cover.refuted:
            return False
        if parts is not None and not answer.parts <= {*parts}:
            return False
        case = answer.settled[0]
        return any(_is_given(game, *answer.settled) for name, game in games if name == case.game)

    def _holds(self, finding: Finding, answer: _WrongAnswer) -> bool:
        """Return whether a finding is about an answer; where its numbers are cut, by its kind."""
        if answer.description not in finding.differences:
            return False
        ranges = self._numbers[finding.id, answer.description]
        return ranges is None or any(first <= answer.n <= last for first, last in ranges)

    def _is_open(self, answer: _WrongAnswer) -> bool:
        """Return whether an answer is open, or breaks the protocol alone."""
        if any(self._holds(finding, answer) for finding in self._other):
            return True
        if answer.settled is None:
            return False
        open_readings = {tuple(point) for finding in self._other for point in finding.readings}
        return not open_readings.isdisjoint(self._oracle.lawful_readings(*answer.settled))

    def _wrong_answers(self) -> Iterator[_WrongAnswer]:
        for n, case, answer in self._run.wrong_cases():
            if case.method == COMPARE:
                lawful, answer = self._oracle.compare(case), self._oracle.told_order(case, answer)  # noqa: PLW2901 - the same, in short
                parts = frozenset({AnswerPart.COMPARISON})
                yield _WrongAnswer(n, f"{COMPARE} {lawful}>{answer}", parts, (case, answer, None))
            # Another number of settlements is a fault of the adapter, which nobody can list.
            elif len(answer) == len(case.bets):
                yield from self._wrong_settlements(n, case, answer)
        for n, script, played in self._run.wrong_rounds():
            yield from self._wrong_acts(n, script, played)

    def _wrong_settlements(self, n: int, case: Case, answer: Any) -> Iterator[_WrongAnswer]:
        for at in self._oracle.wrong_bets(case, answer):
            observed = told_parts(answer[at])
            lawful = self._oracle.expected_parts(case, at, observed)
            yield _WrongAnswer(
                n,
                Difference.describe_settlement(case.bets[at], lawful, observed),
                frozenset(AnswerPart(part) for part in observed if lawful[part] != observed[part]),
                (case, answer, at),
            )

    def _wrong_acts(self, n: int, script: Script, played: PlayedScript) -> Iterator[_WrongAnswer]:
        judge = self._rounds.judge
        for difference in judge.judge(script, played):
            if difference.consequence or difference.lawless:
                continue
            settled = (
                judge.settlement_of(script, played, difference.ticket)
                if difference.manner is Manner.SETTLEMENT
                else None
            )
            description = self._rounds.describe_difference(script, played, difference)
            parts = frozenset(parts_of_round(difference))
            answer = _WrongAnswer(n, description, parts, settled)
            if not (difference.open and self._is_open(answer)):
                yield answer

    def _compile_scope(self, scope: ListedScope) -> list[tuple[str, Any]]:
        """Return the games, each with its name, that answer as the listed cause does."""
        names = {self._run.law.find(name).instrument.game for name in scope.provisions}
        readings = Readings(self._run.law, self._run.terms.rulings)
        compiled: list[tuple[str, Any]] = []
        for code in sorted(scope.codes):
            for name in sorted(names & {*self._run.terms.game_names}):
                compiled += [
                    (name, self._oracle.under((point,)).game(name))
                    for point in self._oracle.other_readings(name)
                    if code == ":".join(point)
                ]
            provision = code.partition(":")[0]
            if provision in self._run.law.provisions:
                mutant = find_mutant(self._run.law, provision, readings, code)
                if mutant is not None and mutant.game in names:
                    compiled += [(mutant.game, game) for game in _compile(mutant)]
        return compiled

    def _refute_causes(self) -> None:
        """Note the causes that would have spoiled a right answer of the plan."""
        for name in self._run.terms.game_names:
            left = {
                at: [game for own, game in games if own == name]
                for at, games in enumerate(self._games)
                if any(own == name for own, _ in games)
            }
            for case in self._run.right_cases(name) if left else ():
                lawful = self._oracle.answer(case)
                if lawful is None:
                    continue
                for at, games in [*left.items()]:
                    left[at] = [game for game in games if _is_given(game, case, lawful, None)]
                    if not left[at]:
                        self._cover.refuted.add(at)
                        del left[at]
                if not left:
                    break


def find_mutant(law: Law, provision: str, readings: Readings, code: str) -> Mutant | None:
    """Return the mutant of a provision whose cause has this code."""
    game = law.find(provision).instrument.game
    mutants = list(generate_mutants(law, game, readings, provision=provision))
    moved = (line for mutant in mutants if mutant.is_line for line in mutant.displaced())
    return next(
        (mutant for many in (mutants, moved) for mutant in many if mutant.cause.code == code), None
    )


def _compile(mutant: Mutant) -> list[Any]:
    try:
        return [mutant.compile().without_reasons()]
    except MUTANT_ERRORS:
        return []


def _is_given(game: Any, case: Case, answer: Any, bet: int | None) -> bool:
    try:
        return is_answer_of(game, case, answer, bet)
    except ANSWER_ERRORS:
        return False


def _summarise(answers: Sequence[_WrongAnswer]) -> BesideAnswers:
    first = min(answers, key=lambda answer: answer.n)
    return BesideAnswers(count=len(answers), first=first.n, description=first.description)
