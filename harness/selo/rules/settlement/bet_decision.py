"""The result of one bet: decided by the conditions that hold, and priced where it wins.

Each set of conditions that hold together is decided once, where derivations are not needed
(`DecisionMemo`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from selo.rules.clauses.clause_models import WILDCARD
from selo.rules.language.conditions import compile_together
from selo.rules.settlement.settlement_models import (
    COMMISSION,
    REFUSED,
    BetResult,
    NoRule,
    RulesDisagree,
    SharedResult,
    derivation_step,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from selo.rules.language import Expression
    from selo.rules.settlement.jackpot import SharingRules
    from selo.rules.settlement.settlement_models import BetRules, DerivationStep

_WIN = "win"
_ZERO = Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class _ConditionBatch:
    """Conditions compiled into one function, and the names of the facts it takes."""

    names: tuple[str, ...]
    run: Callable[..., tuple[Any, ...]]

    @classmethod
    def compile(cls, conditions: Iterable[Expression | None]) -> _ConditionBatch:
        """Compile `conditions` into one function: separate calls take three times as long."""
        names, run = compile_together([each for each in conditions if each is not None])
        return cls(names=names, run=run)

    def evaluate(self, facts: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the values of all conditions."""
        return self.run(*[facts[name] for name in self.names])


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


@dataclass(kw_only=True, slots=True)
class DecisionMemo:
    """The results of the bets of one game by the conditions that hold, for all outcomes."""

    results: dict[Hashable, BetResult] = field(default_factory=dict)
    _conditions: dict[str, _BetConditions] = field(default_factory=dict)

    def key_of(self, rules: BetRules, facts: Mapping[str, Any]) -> Hashable:
        """Return the key of everything that decides a bet."""
        conditions = self._conditions.get(rules.name)
        if conditions is None:
            conditions = self._conditions[rules.name] = _BetConditions.compile(rules)
        return rules.name, conditions.holding_conditions(facts)


def decide_result(rules: BetRules, known: Mapping[str, Any]) -> BetResult:
    """Return the result of a bet, with its derivation and without its odds."""
    fired = [
        rule for rule in rules.results if rule.condition is not None and rule.condition.on(known)
    ]
    if not fired:
        fired = [rule for rule in rules.results if rule.condition is None]
    if not fired:
        msg = f"no rule says what becomes of {rules.name}"
        raise NoRule(msg, [rules.declared_in])
    beaten = {name for rule in fired for name in rule.over}
    standing = [
        rule
        for rule in fired
        if rule.provision not in beaten and not (WILDCARD in beaten and WILDCARD not in rule.over)
    ]
    results = {(rule.result, rule.stake) for rule in standing}
    if len(results) != 1:
        provisions = ", ".join(sorted({rule.provision for rule in fired}))
        names = ", ".join(sorted(f"{result} {stake or ''}".strip() for result, stake in results))
        msg = f"{provisions} give {rules.name} different results: {names}"
        raise RulesDisagree(msg, [rule.provision for rule in standing])
    # A rule that was overruled is part of the derivation.
    overruled = [rule for rule in fired if rule not in standing]
    reasons = [derivation_step(rule.provision, rule.result, rule.condition) for rule in standing]
    reasons += [
        derivation_step(rule.provision, f"not {rule.result}", rule.condition) for rule in overruled
    ]
    if all(reason.provision != rules.declared_in for reason in reasons):
        # The provision that declares the bet is cited even where its condition failed.
        own = [
            rule.condition
            for rule in rules.results
            if rule.provision == rules.declared_in and rule.result == _WIN
        ]
        reasons.insert(0, derivation_step(rules.declared_in, "declares", own[0] if own else None))
    result, stake = results.pop()
    return replace(REFUSED, result=result, reasons=tuple(reasons), stake=stake)


class PricingGame(Protocol):
    """What prices ask of the game."""

    name: str
    odds_are: str
    lines_add_up: bool
    sharing: SharingRules | None


def price_result(
    game: PricingGame, rules: BetRules, bet_result: BetResult, known: Mapping[str, Any]
) -> BetResult:
    """Return a winning result with its odds and its commission.

    A bet that is paid for combinations has these in the place of odds.
    """
    shared = _pay_combinations(game, rules, bet_result, known)
    if shared is not None:
        return shared
    odds, reasons = _find_odds(game, rules, known)
    commission = _ZERO
    for rule in rules.commissions:
        if rule.condition is None or rule.condition.on(known):
            commission += rule.rate
            reasons.append(derivation_step(rule.provision, COMMISSION, rule.condition))
    return BetResult(
        result=bet_result.result,
        odds=odds,
        commission=commission,
        reasons=(*bet_result.reasons, *reasons),
    )


def _find_odds(
    game: PricingGame, rules: BetRules, known: Mapping[str, Any]
) -> tuple[Fraction, list[DerivationStep]]:
    fired = [rule for rule in rules.prizes if rule.condition is None or rule.condition.on(known)]
    if not fired:
        msg = f"{game.name}: no prize for a winning bet on {rules.name}"
        raise NoRule(msg, [rules.declared_in])
    if len({rule.odds for rule in fired}) > 1 and not game.lines_add_up:
        msg = f"{game.name}: two prizes for a winning bet on {rules.name}"
        raise RulesDisagree(msg, [rule.provision for rule in fired])
    odds = sum((rule.odds for rule in fired), _ZERO) if game.lines_add_up else fired[0].odds
    if game.odds_are == "for-one":
        odds -= 1
    return odds, [derivation_step(rule.provision, "prize", rule.condition) for rule in fired]


def _pay_combinations(
    game: PricingGame, rules: BetRules, bet_result: BetResult, known: Mapping[str, Any]
) -> SharedResult | None:
    """Return a winning result with the combinations for which it is paid, if it is for some."""
    formed = [
        rule
        for rule in (() if game.sharing is None else rules.results)
        if rule.combination is not None and rule.condition is not None
        and rule.condition.on(known)
    ]  # fmt: skip
    if game.sharing is None or not formed:
        return None
    if not game.sharing.all_combinations:
        formed = formed[:1]
    paid, reasons = [], [reason for reason in bet_result.reasons if reason.role != _WIN]
    for rule in formed:
        prizes = [
            (prize, prize.share)
            for prize in rules.prizes
            if prize.share is not None and rule.combination in prize.share.combinations
            and (prize.condition is None or prize.condition.on(known))
        ]  # fmt: skip
        if len(prizes) != 1:
            msg = f"{game.name}: {len(prizes)} prizes for the combination {rule.combination}"
            raise NoRule(msg)
        prize, share = prizes[0]
        paid.append((str(rule.combination), share))
        reasons.append(derivation_step(rule.provision, _WIN, rule.condition))
        reasons.append(derivation_step(prize.provision, "prize", prize.condition))
    return SharedResult(
        result=bet_result.result, odds=_ZERO, commission=_ZERO, reasons=tuple(reasons),
        paid=tuple(paid),
    )  # fmt: skip
