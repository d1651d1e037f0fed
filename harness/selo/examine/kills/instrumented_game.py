"""Instrumented games: record the questions that settlements ask, and by which cases.

1. The result of a bet depends on the outcome, its choice, its place and the bets around it. These
   make a question; many cases ask the same one.
2. In a game of throws, each throw that a bet is exposed to is a question.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from selo.rules.settlement import Game, ThrowingGame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from selo.rules.settlement.settlement_models import Asked, BetResult, BetRules
    from selo.table_values import Bet, Outcome

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
    """The questions that a game was asked, and those of the current case; it observes the game."""

    questions: dict[Hashable, Question | ThrowQuestion] = field(default_factory=dict)
    #: Each question of the current case, with the bet that asked it.
    asked_by_case: list[tuple[Hashable, Bet | None]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def see_outcome(self, facts: Mapping[str, Any], outcome: Outcome) -> None:
        """Keep the outcome that has these facts."""
        self.outcomes[id(facts)] = outcome

    def see_bet(self, bet: Bet, bet_result: BetResult) -> None:
        """Record that a bet of the case asked a question."""
        # The result is held with its question, so its id stays unique.
        if id(bet_result) in self.questions:
            self.asked_by_case.append((id(bet_result), bet))

    def see_result(self, asked: Asked, bet_result: BetResult) -> BetResult:
        """Record a question; its result is an object of its own."""
        answer = replace(bet_result)
        self.questions[id(answer)] = Question(
            bet=asked.rules.name, outcome=self.outcomes[id(asked.facts)], facts=asked.facts,
            local=asked.local, place=asked.place, all_facts=asked.all_facts, verdict=answer,
        )  # fmt: skip
        return answer

    def see_throw(
        self,
        rules: BetRules,
        throw: Mapping[str, Any],
        state: tuple[int, Any, str],
        list_facts: Callable[[Mapping[str, Any], int, Any, str], Mapping[str, Any]],
        bet_result: BetResult,
    ) -> None:
        """Record a question about a throw."""
        at = (
            rules.name, tuple(throw["dice"]), throw["round_point"], throw["round_over"], *state,
        )  # fmt: skip
        if at not in self.questions:
            point, choice, base = state
            self.questions[at] = ThrowQuestion(
                bet=rules.name, throw=throw, point=point, choice=choice, base=base,
                all_facts=list_facts(throw, *state), verdict=bet_result,
            )  # fmt: skip
        self.asked_by_case.append((at, None))


def instrument_game(game: AnyGame, *, with_reasons: bool = True) -> tuple[AnyGame, QuestionLog]:
    """Return a copy of `game` that is observed, and the log of its questions.

    Without reasons it settles faster.
    """
    log = QuestionLog()
    if isinstance(game, ThrowingGame):
        inner = game.game if with_reasons else replace(game.game, provenance=None, _outcome_memo={})
        return ThrowingGame(game=inner, line=game.line, observer=log), log
    provenance = game.provenance if with_reasons else None
    return replace(game, provenance=provenance, _outcome_memo={}, observer=log), log


def answer_question(
    game: AnyGame, question: Question | ThrowQuestion, facts: Mapping[str, Any]
) -> BetResult:
    """Return the answer of `game` to a question that was put to another game."""
    rules = game.bets[question.bet]
    if isinstance(question, ThrowQuestion) and isinstance(game, ThrowingGame):
        return game.step(rules, facts, question.point, question.choice, question.base)
    if isinstance(question, Question) and isinstance(game, Game):
        return game.compute_result(rules, facts, question.local, question.place)
    msg = f"{game.name} cannot be asked that"
    raise TypeError(msg)
