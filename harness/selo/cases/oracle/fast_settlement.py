"""Fast variants of games that settle bets without giving reasons.

The settlement of a bet depends only on which of its conditions hold. Each set of conditions that
hold together is settled once by the rules, and cached.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from selo.rules.settlement import (
    DeclaredGame,
    Game,
    TableGame,
    ThrowingGame,
    TileGame,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from selo.rules.language import Expression
    from selo.rules.settlement.settlement_models import BetResult, BetRules

_WIN = "win"


@dataclass(frozen=True, kw_only=True, slots=True)
class _ConditionBatch:
    """Conditions compiled into one function, and the names of the facts it takes."""

    names: tuple[str, ...]
    run: Callable[..., tuple[Any, ...]]

    @classmethod
    def compile(cls, conditions: Iterable[Expression | None]) -> _ConditionBatch:
        """Compile `conditions` into one function: separate calls take three times as long."""
        present = [condition for condition in conditions if condition is not None]
        names = tuple(sorted({name for condition in present for name in condition.names}))
        calls = [
            f"f_{at}({_argument_list(condition.names)}), " for at, condition in enumerate(present)
        ]
        functions = {f"f_{at}": condition.function for at, condition in enumerate(present)}
        # The source contains only prefixed names of the vocabulary.
        source = f"lambda {_argument_list(names)}: ({''.join(calls)})"
        run = eval(source, {"__builtins__": {}, **functions})  # noqa: S307 - see above
        return cls(names=names, run=run)

    def evaluate(self, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the values of all conditions."""
        return self.run(*[facts[name] for name in self.names])


def _argument_list(names: Iterable[str]) -> str:
    return ", ".join(f"v_{name}" for name in names)


@dataclass(frozen=True, kw_only=True, slots=True)
class _BetConditions:
    """The conditions of one bet: on its result and, where it may have won, on the amounts."""

    results: _ConditionBatch
    money: _ConditionBatch
    #: Indices of the conditional results that win.
    wins: tuple[int, ...]
    #: Whether an unconditional result wins.
    wins_by_default: bool

    @classmethod
    def compile(cls, rules: BetRules) -> _BetConditions:
        conditional = [rule for rule in rules.results if rule.condition is not None]
        return cls(
            results=_ConditionBatch.compile(rule.condition for rule in conditional),
            money=_ConditionBatch.compile(
                [rule.condition for rule in rules.prizes]
                + [rule.condition for rule in rules.commissions]
            ),
            wins=tuple(at for at, rule in enumerate(conditional) if rule.result == _WIN),
            wins_by_default=any(
                rule.condition is None and rule.result == _WIN for rule in rules.results
            ),
        )

    def holding_conditions(self, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the value of every condition that can matter."""
        held = self.results.evaluate(facts)
        for at in self.wins:
            if held[at]:
                return held + self.money.evaluate(facts)
        return held + self.money.evaluate(facts) if self.wins_by_default else held


@dataclass(kw_only=True)
class _FastGame(Game):
    #: Verdicts by the conditions that hold, valid for all outcomes.
    verdicts: dict[Hashable, BetResult] = field(default_factory=dict)
    conditions: dict[str, _BetConditions] = field(default_factory=dict)

    def _compute_result(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> BetResult:
        key = self._decision_key(rules, facts, local, place)
        verdict = self.verdicts.get(key)
        if verdict is None:
            verdict = super()._compute_result(rules, facts, local, place)
            if key is not None:
                self.verdicts[key] = verdict
        return verdict

    def _decision_key(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Hashable:
        """Return the key of everything that decides a bet, or None for a malformed bet."""
        if rules.domain is not None and local["choice"] not in rules.domain:
            return None
        bet_facts = {**facts, **local}
        if rules.place is not None:
            place_facts = self.kit.bind_place(facts, rules.place, place)
            if place_facts is None:
                return None
            bet_facts.update(place_facts)
        conditions = self.conditions.get(rules.name)
        if conditions is None:
            conditions = self.conditions[rules.name] = _BetConditions.compile(rules)
        return rules.name, conditions.holding_conditions(bet_facts)


@dataclass(kw_only=True)
class _FastTableGame(_FastGame, TableGame):
    """A fast game whose bets are settled together."""


@dataclass(kw_only=True)
class _FastDeclaredGame(_FastGame, DeclaredGame):
    """A fast game whose table declares its options."""


def make_fast_game(game: Game | ThrowingGame) -> Game | ThrowingGame:
    """Return a copy of `game` with empty caches that gives no complete reasons."""
    if isinstance(game, ThrowingGame):
        return make_fast_throwing_game(game)
    if isinstance(game, TileGame):
        return game
    kind: type[Game] = _FastGame
    fresh: dict[str, Any] = {"provenance": None, "_outcome_memo": {}}
    if isinstance(game, TableGame):
        kind = _FastDeclaredGame if isinstance(game, DeclaredGame) else _FastTableGame
        # Without reasons, dependence on reconstructed statements need not be tracked.
        fresh["basis"] = game.basis.without_words()
    return kind(**{**{field.name: getattr(game, field.name) for field in fields(game)}, **fresh})


def make_fast_throwing_game(game: ThrowingGame) -> ThrowingGame:
    """Return a fast copy of a throwing game."""
    inner = replace(game.game, provenance=None, _outcome_memo={})
    return replace(game, game=inner, gives_reasons=False, _round_memo={}, _bet_definitions=[])


def forget_outcomes(game: Game | ThrowingGame) -> Game | ThrowingGame:
    """Return `game` with its cache of outcomes emptied; verdicts by condition are kept."""
    if isinstance(game, ThrowingGame):
        return replace(game, _round_memo={}, _bet_definitions=[])
    return replace(game, _outcome_memo={})
