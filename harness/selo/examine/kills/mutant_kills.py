"""Kill index: which cases kill a mutant of the law, without settling every case again.

1. An instrumented lawful game settles all cases once and records the questions that each asks.
2. A mutant is asked only the questions of bets that it affects. Where no answer differs, no case
   does: cases settle by nothing but those answers.
3. Cases that asked a question whose answer changes are settled for their stakes under both laws.
4. Cases are settled as a whole for mutants that change no single answer (rounding, limits, bets
   that must be placed beside others).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from selo.cases.oracle import Oracle, compare_hands
from selo.cases.oracle.bet_dependence import settles_alone, settles_bets_jointly
from selo.cases.oracle.told_settlement import TOLD_EVERYTHING
from selo.examine.kills.answer_parts import EVERY_PART, differing_parts, result_key
from selo.examine.kills.instrumented_game import Question, answer_question, instrument_game
from selo.examine.kills.kill_prefilter import (
    QuestionGroups,
    affects_hand_order,
    forgets_refusal,
    make_case_filter,
    make_prefilter,
    only_at_throws,
    refuses_bets,
)
from selo.rules.clauses import clause_models as c
from selo.rules.equipment.kits import BadOutcome
from selo.rules.mutants import ANSWER_ERRORS
from selo.rules.settlement import Game, ThrowingGame
from selo.rules.settlement.settlement_models import SharedResult

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from selo.cases import Case
    from selo.cases.oracle.told_settlement import ToldAnswers
    from selo.examine.kills.answer_parts import PartMask
    from selo.examine.kills.instrumented_game import ThrowQuestion
    from selo.rules.mutants import Mutant
    from selo.rules.settlement.settlement_models import BetResult
    from selo.table_values import Bet

    AnyGame = Game | ThrowingGame

#: Clauses that can change the answer to a question.
_CLAUSES_OF_QUESTIONS: Final = (
    c.On, c.Prize, c.Commission, c.Combination, c.BetClause, c.Define, c.TableClause, c.FaceClause,
    c.FacesClause, c.Rank,
)  # fmt: skip
#: Clauses that define words: outcomes must be interpreted again.
_CLAUSES_OF_MEANING: Final = (c.Define, c.TableClause, c.FaceClause, c.FacesClause, c.Rank)
#: Questions of a mutant about a bet that are remembered.
_MAX_CHANGING: Final = 500
_WIN: Final = "win"


class BetChange(NamedTuple):
    """A bet that a mutant settles unlike the law, and in which parts."""

    case: int
    bet: int
    parts: PartMask
    #: Whether the mutant settles it at all; if not, nobody knows what it would say.
    is_answered: bool = True


class KillIndex:
    """Cases of one game, settled lawfully, indexed by the questions they ask."""

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        oracle: Oracle,
        game: AnyGame,
        cases: Sequence[Case],
        *,
        with_reasons: bool = True,
        told: ToldAnswers = TOLD_EVERYTHING,
        mutants: Iterable[Mutant] | None = None,
    ) -> None:
        """Settle `cases`; only differences in what is `told` kill a mutant.

        If the `mutants` that will be tried are known, cases that none of them affects are not
        settled: settlements if none changes a bet, comparisons if none changes the order of hands.
        """
        self.cases = cases
        self._told = told
        self._game = game
        self._is_needed = make_case_filter(game, mutants)
        #: The lawful settlements, or the order of two hands, of each case.
        self.expected: list[Any] = []
        #: The provisions from which each case follows, if reasons are recorded.
        self.provisions_by_case: list[frozenset[str]] = []
        self._with_reasons = with_reasons
        self._cases_by_question: dict[Hashable, list[tuple[int, Bet | None]]] = {}
        #: The same without bets, for each question that was asked for.
        self._places: dict[Hashable, frozenset[int]] = {}
        self._cases_by_bet: dict[str, list[int]] = {}
        self._result_keys: dict[Hashable, tuple[Any, ...]] = {}
        self._questions = QuestionGroups()
        #: By mutant and bet, the questions that it may answer differently, if these are not many.
        self._changing: dict[tuple[str, str], list[tuple[Hashable, Question | ThrowQuestion]]] = {}
        self._comparing = [at for at, case in enumerate(cases) if case.method == "compare"]
        self._settle_lawfully(oracle)

    def _settle_lawfully(self, oracle: Oracle) -> None:
        game, log = None, None
        if self._game.bets:
            game, log = instrument_game(self._game, with_reasons=self._with_reasons)
        for at, case in enumerate(self.cases):
            if not self._is_needed(case):
                self.expected.append(None)
                continue
            if case.method == "compare" or game is None or log is None:
                self.expected.append(compare_hands(self._game, case))
                if self._with_reasons:
                    self.provisions_by_case.append(
                        frozenset(reason.provision for reason in oracle.derivation_of(case))
                    )
                continue
            log.asked_by_case = []
            if self._with_reasons:
                settlements = game.settle(case.options, case.outcome, case.bets)
                self.expected.append([settlement.plain() for settlement in settlements])
                self.provisions_by_case.append(
                    frozenset(
                        reason.provision
                        for settlement in settlements
                        for reason in settlement.reasons
                    )
                )
            else:
                plain = game.settle_plain(case.options, case.outcome, case.bets)
                self.expected.append(plain)
            for question, bet in log.asked_by_case:
                self._cases_by_question.setdefault(question, []).append((at, bet))
            for name in {bet.get("bet") for bet in case.bets}:
                self._cases_by_bet.setdefault(str(name), []).append(at)
        for key, question in log.questions.items() if log is not None else ():
            self._questions.add(key, question)
            self._result_keys[key] = result_key(question.verdict)

    def killing_cases(self, mutant: Mutant, skip: set[int], most: int | None = None) -> list[int]:
        """Return the cases that kill `mutant`, up to `most` of them.

        Of the cases to `skip` at most one is among them: it shows that the mutant can be killed.
        """
        game = mutant.compile()
        killing: list[int] = []
        for at in self._find_killing_cases(mutant, game, skip, killing):
            killing.append(at)
            if most is not None and len(killing) >= most:
                break
        return killing

    def _find_killing_cases(
        self, mutant: Mutant, game: AnyGame, skip: set[int], killing: list[int]
    ) -> Iterator[int]:
        tried: set[int] = set()

        def wanted(at: int) -> bool:
            return at not in tried and (at not in skip or not killing)

        if affects_hand_order(mutant):
            for at in self._comparing:
                if wanted(at) and self._compares_differently(game, at):
                    tried.add(at)
                    yield at
        fast = game.without_reasons()
        changed: Iterable[tuple[int, Any]]
        if self._affects_questions_only(mutant):
            changed = self._changed_answers(mutant, fast)
        else:
            changed = [(at, None) for at in self._cases_touched(mutant)]
        for at, paid in changed:
            if wanted(at) and self._settles_differently(fast, at, paid):
                tried.add(at)
                yield at

    def _cases_touched(self, mutant: Mutant) -> list[int]:
        """Return the cases with a bet of `mutant` that it may settle otherwise, if any is."""
        touched = {at for name in mutant.bets() for at in self._cases_by_bet.get(name, ())}
        if forgets_refusal(mutant):
            touched = {at for at in touched if refuses_bets(self._game, self.cases[at])}
        return sorted(touched)

    def changed_bets(self, mutant: Mutant) -> Iterator[BetChange]:
        """Yield each case and bet that `mutant` settles unlike the law, as they are found.

        The bet of a comparison is 0.
        """
        yield from self.changed_comparisons(mutant)
        yield from self.changed_settlements(mutant)

    def changed_settlements(self, mutant: Mutant) -> Iterator[BetChange]:
        """Yield the same of settlements alone."""
        fast = mutant.compile().without_reasons()
        settled: set[int] = set()
        if self._affects_questions_only(mutant):
            try:
                yield from self._bets_with_changed_answers(mutant, fast, settled)
            except ANSWER_ERRORS:
                # The mutant cannot answer some question: cases are settled as a whole.
                pass
            else:
                return
        for at in self._cases_touched(mutant):
            if at not in settled:
                yield from self._bets_settled_differently(mutant, fast, at)

    def changed_comparisons(self, mutant: Mutant) -> Iterator[BetChange]:
        """Yield the same of comparisons alone."""
        game = mutant.compile()
        for at in self._comparing if affects_hand_order(mutant) else ():
            yield from self._changed_comparison(game, at)

    def _changed_comparison(self, game: AnyGame, at: int) -> Iterator[BetChange]:
        try:
            differs = self._compares_differently(game, at)
        except ANSWER_ERRORS:
            yield BetChange(at, 0, EVERY_PART, is_answered=False)
        else:
            if differs:
                yield BetChange(at, 0, EVERY_PART)

    def _bets_with_changed_answers(
        self, mutant: Mutant, game: AnyGame, settled: set[int]
    ) -> Iterator[BetChange]:
        """Yield the bets that asked a question whose answer changes; note cases settled whole."""
        for at, paid in self._changed_answers(mutant, game):
            if paid is None:
                if at not in settled:
                    settled.add(at)
                    yield from self._bets_settled_differently(mutant, game, at)
            elif parts := self._parts_settled_differently(game, paid):
                bets = self.cases[at].bets
                yield from (
                    BetChange(at, place, parts) for place, bet in enumerate(bets) if bet is paid[0]
                )

    def _bets_settled_differently(
        self, mutant: Mutant, game: AnyGame, at: int
    ) -> Iterator[BetChange]:
        case = self.cases[at]
        named = mutant.bets()
        # Only these can change; where each of them settles alone, the others are left out.
        places = [place for place, bet in enumerate(case.bets) if bet.get("bet") in named]
        if not all(settles_alone(game, case.bets[place]) for place in places):
            places = list(range(len(case.bets)))
        try:
            plain = game.settle_plain(
                case.options, case.outcome, [case.bets[place] for place in places]
            )
        except BadOutcome:
            # The case is not valid under the mutant: it may need an option that is not named.
            return
        except ANSWER_ERRORS:
            yield from self._bets_without_answer(mutant, game, at)
            return
        for place, settled in zip(places, plain, strict=True):
            lawful = self.expected[at][place]
            if self._told.differ(case.bets[place], lawful, settled):
                yield BetChange(at, place, differing_parts(case.bets[place], lawful, settled))

    def _bets_without_answer(self, mutant: Mutant, game: AnyGame, at: int) -> Iterator[BetChange]:
        """Yield the bets that a mutant cannot settle, each put by itself."""
        case, named = self.cases[at], mutant.bets()
        for place, bet in enumerate(case.bets):
            if bet.get("bet") not in named:
                continue
            try:
                plain = game.settle_plain(case.options, case.outcome, [bet])
            except ANSWER_ERRORS:
                yield BetChange(at, place, EVERY_PART, is_answered=False)
            else:
                # By itself, a bet may be refused that is taken beside others.
                lawful = self._game.settle_plain(case.options, case.outcome, [bet])
                if plain != lawful:
                    yield BetChange(at, place, differing_parts(bet, lawful[0], plain[0]))

    def _compares_differently(self, game: AnyGame, at: int) -> bool:
        """Return whether two hands compare differently, where neither law is silent."""
        was, now = self.expected[at], compare_hands(game, self.cases[at])
        return None not in {was, now} and was != now and not self._told.foreign_order

    def _affects_questions_only(self, mutant: Mutant) -> bool:
        """Return whether a mutant affects cases only through the answers to their questions."""
        clauses = (mutant.was, *mutant.now)
        if not all(isinstance(clause, _CLAUSES_OF_QUESTIONS) for clause in clauses):
            return False
        if not isinstance(self._game, ThrowingGame):
            return True
        limits = [limit for rules in self._game.bets.values() for limit in rules.limits]
        if self._game.refuses_fractions or any(limit.means != "prize" for limit in limits):
            # The possible prize decides whether a bet is accepted at all.
            return False
        return all(only_at_throws(clause, mutant.was) for clause in clauses)

    def _changed_answers(
        self, mutant: Mutant, game: AnyGame
    ) -> Iterator[tuple[int, tuple[Bet, BetResult, BetResult] | None]]:
        """Yield the cases that asked a question whose answer changes, with both answers."""
        reinterprets = isinstance(mutant.was, _CLAUSES_OF_MEANING)
        facts_by_id: dict[int, Mapping[str, Any]] = {}
        # Few different answers cover many questions; holding them keeps their ids unique.
        keys: dict[int, tuple[BetResult, tuple[Any, ...]]] = {}
        is_joint = settles_bets_jointly(self._game)
        for name in sorted(mutant.bets()):
            for key, question in self._changing_questions(mutant, game, name):
                was: BetResult = question.verdict
                facts = question.facts if isinstance(question, Question) else question.throw
                if reinterprets and isinstance(question, Question) and isinstance(game, Game):
                    if id(facts) not in facts_by_id:
                        facts_by_id[id(facts)] = game.facts(question.outcome)
                    facts = facts_by_id[id(facts)]
                now = answer_question(game, question, facts)
                if id(now) not in keys:
                    keys[id(now)] = (now, result_key(now))
                if keys[id(now)][1] != self._result_keys[key]:
                    settle_whole_case = (
                        is_joint or isinstance(was, SharedResult) or isinstance(now, SharedResult)
                    )
                    for at, bet in self._cases_by_question.get(key, []):
                        yield at, None if settle_whole_case or bet is None else (bet, was, now)

    def _changing_questions(
        self, mutant: Mutant, game: AnyGame, bet: str
    ) -> Iterator[tuple[Hashable, Question | ThrowQuestion]]:
        """Yield the questions about a bet that a mutant may answer differently."""
        at = mutant.cause.code, bet
        if at in self._changing:
            yield from self._changing[at]
            return
        only_wins, changing = isinstance(mutant.was, c.Prize | c.Commission), []
        for _, key, question in make_prefilter(mutant, self._game, game, self._questions)(bet):
            if not only_wins or question.verdict.result == _WIN:
                changing.append((key, question))
                yield key, question
        if len(changing) <= _MAX_CHANGING:
            self._changing[at] = changing

    def candidate_cases(self, mutant: Mutant) -> set[int]:
        """Return the cases that a mutant may answer unlike the law; it answers all others alike."""
        game, named = mutant.compile(), sorted(mutant.bets())
        candidates = {*self._comparing} if affects_hand_order(mutant) else set()
        if not self._affects_questions_only(mutant):
            return candidates.union(self._cases_touched(mutant))
        for name in named:
            for key, _ in self._changing_questions(mutant, game, name):
                candidates |= self._places_of(key)
        return candidates

    def _places_of(self, key: Hashable) -> frozenset[int]:
        """Return the cases that asked a question."""
        if key not in self._places:
            self._places[key] = frozenset(at for at, _ in self._cases_by_question.get(key, ()))
        return self._places[key]

    def changes_in(self, mutant: Mutant, at: int) -> Iterator[BetChange]:
        """Yield the bets of one candidate case that a mutant settles unlike the law."""
        if self.cases[at].method == "compare":
            yield from self._changed_comparison(mutant.compile(), at)
        else:
            yield from self._bets_settled_differently(mutant, mutant.compile(), at)

    def _parts_settled_differently(
        self, game: AnyGame, paid: tuple[Bet, BetResult, BetResult]
    ) -> PartMask:
        """Return the parts in which two results of a bet differ; both games settle bets alone."""
        bet, was, now = paid
        if not isinstance(game, Game) or not isinstance(self._game, Game):
            return EVERY_PART
        lawful, other = self._game.settle_stake_plain(bet, was), game.settle_stake_plain(bet, now)
        return differing_parts(bet, lawful, other) if self._told.differ(bet, lawful, other) else 0

    def _settles_differently(
        self, game: AnyGame, at: int, paid: tuple[Bet, BetResult, BetResult] | None
    ) -> bool:
        """Return whether a case is settled differently: the given bet, or any of its bets."""
        case = self.cases[at]
        if paid is None or not isinstance(game, Game) or not isinstance(self._game, Game):
            try:
                plain = game.settle_plain(case.options, case.outcome, case.bets)
            except BadOutcome:
                # The case is not valid under the mutant: it may need an option that is not named.
                return False
            return any(map(self._told.differ, case.bets, self.expected[at], plain))
        bet, was, now = paid
        return self._told.differ(
            bet, self._game.settle_stake_plain(bet, was), game.settle_stake_plain(bet, now)
        )
