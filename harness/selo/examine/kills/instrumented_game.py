"""Instrumented games: record the questions that settlements ask, and by which cases.

1. The result of a bet depends on the outcome, its choice, its place and the bets around it. These
   make a question; many cases ask the same one.
2. In a game of throws, each throw that a bet is exposed to is a question.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from selo.rules.settlement import DeclaredGame, Game, TableGame, ThrowingGame
from selo.rules.settlement.settlement_models import REFUSED

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.settlement.settlement_models import BetResult, BetRules, OutcomeMemo
    from selo.table_values import Bet, Options, Outcome

    AnyGame = Game | ThrowingGame


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A bet and all facts on which its result depends."""

    bet: str
    outcome: Outcome
    facts: Mapping[str, Any]
    local: Mapping[str, Any]
    place: Any
    #: All facts that conditions may use; nothing if the bet is malformed.
    all_facts: Mapping[str, Any] | None
    verdict: BetResult


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowQuestion:
    """A bet, a throw, and the state of the bet before it."""

    bet: str
    throw: Mapping[str, Any]
    point: int
    choice: Any
    base: str
    #: All facts that conditions may use.
    all_facts: Mapping[str, Any]
    verdict: BetResult


@dataclass(kw_only=True, slots=True)
class QuestionLog:
    """The questions that a game was asked, and those of the current case."""

    questions: dict[Hashable, Question | ThrowQuestion] = field(default_factory=dict)
    #: Each question of the current case, with the bet that asked it.
    asked_by_case: list[tuple[Hashable, Bet | None]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)


@dataclass(kw_only=True)
class _InstrumentedGame(Game):
    log: QuestionLog = field(default_factory=QuestionLog)

    def _look_up_outcome(self, outcome: Outcome) -> OutcomeMemo:
        seen = super()._look_up_outcome(outcome)
        self.log.outcomes[id(seen[0])] = outcome
        return seen

    def _result_of(
        self,
        facts: Mapping[str, Any],
        table: dict[Hashable, BetResult],
        bet: Bet,
        bets: Sequence[Bet],
    ) -> BetResult:
        verdict = super()._result_of(facts, table, bet, bets)
        # The result is held with its question, so its id stays unique.
        if id(verdict) in self.log.questions:
            self.log.asked_by_case.append((id(verdict), bet))
        return verdict

    def _compute_result(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> BetResult:
        verdict = super()._compute_result(rules, facts, local, place)
        if verdict is REFUSED:
            verdict = replace(verdict)
        self.log.questions[id(verdict)] = Question(
            bet=rules.name, outcome=self.log.outcomes[id(facts)], facts=facts, local=local,
            place=place, all_facts=self._facts_of_bet(rules, facts, local, place), verdict=verdict,
        )  # fmt: skip
        return verdict

    def _facts_of_bet(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Mapping[str, Any] | None:
        if rules.domain is not None and local["choice"] not in rules.domain:
            return None
        added: Mapping[str, Any] | None = {}
        if rules.place is not None:
            added = self.kit.bind_place(facts, rules.place, place)
        return None if added is None else {**facts, **local, **added}


@dataclass(kw_only=True)
class _InstrumentedTableGame(_InstrumentedGame, TableGame):
    """An instrumented game whose bets are settled jointly."""


@dataclass(kw_only=True)
class _InstrumentedDeclaredGame(_InstrumentedGame, DeclaredGame):
    """An instrumented game whose table declares options."""


@dataclass(frozen=True, kw_only=True)
class _InstrumentedThrowingGame(ThrowingGame):
    log: QuestionLog = field(default_factory=QuestionLog)

    def _step(
        self, rules: BetRules, throw: Mapping[str, Any], point: int, choice: Any, base: str = ""
    ) -> BetResult:
        verdict = super()._step(rules, throw, point, choice, base)
        at = (
            rules.name, tuple(throw["dice"]), throw["round_point"], throw["round_over"],
            point, choice, base,
        )  # fmt: skip
        if at not in self.log.questions:
            self.log.questions[at] = ThrowQuestion(
                bet=rules.name, throw=throw, point=point, choice=choice, base=base,
                all_facts=self._facts_of_step(throw, point, choice, base), verdict=verdict,
            )  # fmt: skip
        self.log.asked_by_case.append((at, None))
        return verdict

    def settle(self, options: Options, outcome: Outcome, bets: Sequence[Bet]) -> Any:
        """Return the settlement of each bet, asking about every throw again."""
        self._round_memo.clear()
        return super().settle(options, outcome, bets)

    def settle_plain(self, options: Options, outcome: Outcome, bets: Sequence[Bet]) -> Any:
        """Return the same as plain values."""
        self._round_memo.clear()
        return super().settle_plain(options, outcome, bets)


def instrument_game(game: AnyGame, *, with_reasons: bool = True) -> tuple[AnyGame, QuestionLog]:
    """Return an instrumented copy of `game`, and the log of its questions.

    Without reasons it settles faster.
    """
    log = QuestionLog()
    if isinstance(game, ThrowingGame):
        inner = game.game if with_reasons else replace(game.game, provenance=None, _outcome_memo={})
        return _InstrumentedThrowingGame(game=inner, line=game.line, log=log), log
    kind: type[_InstrumentedGame] = _InstrumentedGame
    if isinstance(game, TableGame):
        kind = (
            _InstrumentedDeclaredGame if isinstance(game, DeclaredGame) else _InstrumentedTableGame
        )
    values = {field.name: getattr(game, field.name) for field in fields(game)}
    provenance = game.provenance if with_reasons else None
    return kind(**{**values, "provenance": provenance, "_outcome_memo": {}, "log": log}), log


def answer_question(
    game: AnyGame, question: Question | ThrowQuestion, facts: Mapping[str, Any]
) -> BetResult:
    """Return the answer of `game` to a question that was put to another game."""
    rules = game.bets[question.bet]
    # Both methods are private steps of a settlement.
    if isinstance(question, ThrowQuestion) and isinstance(game, ThrowingGame):
        return game._step(rules, facts, question.point, question.choice, question.base)  # noqa: SLF001
    if isinstance(question, Question) and isinstance(game, Game):
        return game._compute_result(rules, facts, question.local, question.place)  # noqa: SLF001
    msg = f"{game.name} cannot be asked that"
    raise TypeError(msg)
