"""Games that say what becomes of bets and not why: the fast way to expect many cases.

What becomes of a bet depends on which of its conditions hold, and on nothing else. A verdict is
worked out once for each set of conditions that hold together, by the rules themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from selo.rules.settlement import Basis
from selo.rules.settlement.game import Game
from selo.rules.settlement.joint_settlement import TableGame
from selo.rules.settlement.table_options import DeclaredGame
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.rules.settlement.tile_game import TileGame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from selo.rules.language import Expression
    from selo.rules.settlement.game import Verdict
    from selo.rules.settlement.settlement_models import BetRules

_WIN = "win"


@dataclass(frozen=True, kw_only=True, slots=True)
class _ConditionBatch:
    """Conditions that are asked all at once, and the names of what they are asked about."""

    names: tuple[str, ...]
    run: Callable[..., tuple[Any, ...]]

    @classmethod
    def compile(cls, conditions: Iterable[Expression | None]) -> _ConditionBatch:
        """Return `conditions` as one function: to call one by one takes three times as long."""
        given = [condition for condition in conditions if condition is not None]
        names = tuple(sorted({name for one in given for name in one.names}))
        calls = [f"f_{at}({_argument_list(one.names)}), " for at, one in enumerate(given)]
        functions = {f"f_{at}": one.function for at, one in enumerate(given)}
        # The code holds only names of the vocabulary, with a prefix.
        source = f"lambda {_argument_list(names)}: ({''.join(calls)})"
        run = eval(source, {"__builtins__": {}, **functions})  # noqa: S307 - see above
        return cls(names=names, run=run)

    def evaluate(self, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the answers of all conditions."""
        return self.run(*[known[name] for name in self.names])


def _argument_list(names: Iterable[str]) -> str:
    return ", ".join(f"v_{name}" for name in names)


@dataclass(frozen=True, kw_only=True, slots=True)
class _BetConditions:
    """The conditions of one bet: on its result, and, if it can have won, on the money."""

    results: _ConditionBatch
    money: _ConditionBatch
    #: Where among the results those stand that win.
    wins: tuple[int, ...]
    #: Whether a result without a condition wins.
    wins_otherwise: bool

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
            wins_otherwise=any(
                rule.condition is None and rule.result == _WIN for rule in rules.results
            ),
        )

    def holding_conditions(self, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return which conditions hold."""
        held = self.results.evaluate(known)
        for at in self.wins:
            if held[at]:
                return held + self.money.evaluate(known)
        return held + self.money.evaluate(known) if self.wins_otherwise else held


@dataclass(kw_only=True)
class _FastGame(Game):
    #: What was worked out for all outcomes: verdicts by the conditions that hold.
    verdicts: dict[Hashable, Verdict] = field(default_factory=dict)
    conditions: dict[str, _BetConditions] = field(default_factory=dict)

    def _verdict(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Verdict:
        at = self._decision_key(rules, facts, local, place)
        found = self.verdicts.get(at)
        if found is None:
            found = super()._verdict(rules, facts, local, place)
            if at is not None:
                self.verdicts[at] = found
        return found

    def _decision_key(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> Hashable:
        """Return what decides a bet, or nothing if the bet is not written as it should be."""
        if rules.domain is not None and local["choice"] not in rules.domain:
            return None
        known = {**facts, **local}
        if rules.place is not None:
            added = self.kit.bound(facts, rules.place, place)
            if added is None:
                return None
            known.update(added)
        conditions = self.conditions.get(rules.name)
        if conditions is None:
            conditions = self.conditions[rules.name] = _BetConditions.compile(rules)
        return rules.name, conditions.holding_conditions(known)


@dataclass(kw_only=True)
class _FastTableGame(_FastGame, TableGame):
    """A game whose bets are settled together, without reasons."""


@dataclass(kw_only=True)
class _FastDeclaredGame(_FastGame, DeclaredGame):
    """A game whose table declares its options, without reasons."""


def make_fast_game(game: Game | ThrowingGame) -> Game | ThrowingGame:
    """Return `game` as one that remembers no outcome yet and gives no complete reasons."""
    if isinstance(game, ThrowingGame):
        return make_fast_throwing_game(game)
    if isinstance(game, TileGame):
        return game
    kind: type[Game] = _FastGame
    fresh: dict[str, Any] = {"meanings": None, "_outcomes": {}}
    if isinstance(game, TableGame):
        kind = _FastDeclaredGame if isinstance(game, DeclaredGame) else _FastTableGame
        # Nothing rests on reconstructed statements where no reason is given.
        fresh["basis"] = Basis(statements=game.basis.statements)
    return kind(**{**{field.name: getattr(game, field.name) for field in fields(game)}, **fresh})


def make_fast_throwing_game(game: ThrowingGame) -> ThrowingGame:
    """Return the same of a game of throws."""
    inner = replace(game.game, meanings=None, _outcomes={})
    return replace(
        game, game=inner, tells=False,
        _rounds={}, _thrown={}, _steps={}, _placings={}, _late=[],
    )  # fmt: skip


def forget_outcomes(game: Game | ThrowingGame) -> Game | ThrowingGame:
    """Return `game` without the outcomes it remembers; what holds for all of them stays known."""
    if isinstance(game, ThrowingGame):
        return replace(game, _rounds={}, _late=[])
    return replace(game, _outcomes={})
