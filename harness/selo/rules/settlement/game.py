"""A compiled game: settles bets, compares hands, and says from which provisions it follows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from selo.errors import SeloError
from selo.rules.settlement.bet_rules import BetRules, Reason
from selo.rules.settlement.neighbouring_bets import Laid, around, beside
from selo.rules.settlement.rounding import money, rounded

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.rules.equipment.kits import Kit, Tables
    from selo.rules.language import Expression
    from selo.rules.settlement.provenance import Meanings
    from selo.rules.settlement.rounding import Money

#: So many outcomes are remembered; more would cost memory and gain nothing.
_MOST_OUTCOMES = 50_000
_MOST_STAKES = 64
_WIN = "win"
_NOUGHT = Fraction(0)
#: The word by which a clause speaks of, or prevails over, everything.
ALL = "*"


class RulesDisagree(SeloError):
    """Two rules give one bet different results, and the law does not say which prevails."""

    code = "suite"


class NoRule(SeloError):
    """No rule says what becomes of a bet."""

    code = "suite"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What becomes of a bet of one: the result, the odds, the commission, and why."""

    result: str
    odds: Fraction
    commission: Fraction
    reasons: tuple[Reason, ...]
    #: What it comes to for stakes seen before: prize and commission as a case writes them.
    amounts: dict[int, tuple[int | list[int], int | list[int]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )


REFUSED = Verdict(result="refused", odds=_NOUGHT, commission=_NOUGHT, reasons=())


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    """What becomes of a bet with its stake."""

    result: str
    prize: Fraction
    commission: Fraction
    reasons: tuple[Reason, ...]

    def plain(self) -> dict[str, Any]:
        """Return the settlement as a case writes it."""
        return {
            "result": self.result,
            "prize": written(self.prize),
            "commission": written(self.commission),
        }


_Seen = tuple[dict[str, Any], "dict[Hashable, Verdict]"]


def written(amount: Money) -> int | list[int]:
    """Return an amount as a case writes it: whole, or numerator and denominator."""
    if amount.denominator == 1:
        return amount.numerator
    return [amount.numerator, amount.denominator]


@lru_cache(maxsize=256)
def _alone(provision: str) -> Verdict:
    """Return the verdict of a bet beside which nothing lies that `provision` asks for."""
    reason = Reason(provision=provision, role="needs", condition=None)
    return replace(REFUSED, reasons=(reason,))


@dataclass(kw_only=True, slots=True)
class Game:
    """One game under one set of readings."""

    name: str
    kit: Kit
    tables: Tables
    defines: list[tuple[str, str, Expression]]
    bets: dict[str, BetRules]
    order: Callable[[Sequence[str]], tuple[int, ...]] | None
    roundings: Mapping[str, str]
    odds_are: str
    lines_add_up: bool
    #: What the words of conditions rest on; nothing where that was never learnt.
    meanings: Meanings | None = None
    #: What was worked out for outcomes seen before; emptied when it grows too large.
    _outcomes: dict[Hashable, _Seen] = field(default_factory=dict)

    def compare(self, one: Sequence[str], other: Sequence[str]) -> str:
        """Return how hand `one` ranks against hand `other`."""
        if self.order is None:
            msg = f"{self.name} compares no hands"
            raise NoRule(msg)
        first, second = self.order(one), self.order(other)
        if first == second:
            return "equal"
        # The first of a descending order is the highest.
        return "higher" if first < second else "lower"

    def settle(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[Settlement]:
        """Return what becomes of each bet, and why."""
        del options
        facts, table = self._seen(outcome)
        laid = Laid(bets)
        return [self.with_stake(bet, self._of(facts, table, bet, laid)) for bet in bets]

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it: the fast way, without reasons."""
        del options
        facts, table = self._seen(outcome)
        laid = Laid(bets)
        return [self.answer(bet, self._of(facts, table, bet, laid)) for bet in bets]

    def answer(self, bet: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
        """Return `verdict` for the stake of `bet` as a case writes it."""
        if verdict.result != _WIN:
            return {"result": verdict.result, "prize": 0, "commission": 0}
        stake = bet["stake"]
        amounts = verdict.amounts.get(stake)
        if amounts is None:
            prize = self.times("prize", verdict.odds, stake)
            amounts = written(prize), written(self.times("commission", verdict.commission, prize))
            if len(verdict.amounts) >= _MOST_STAKES:
                verdict.amounts.clear()
            verdict.amounts[stake] = amounts
        return {"result": _WIN, "prize": amounts[0], "commission": amounts[1]}

    def times(self, what: str, part: Money, of: Money) -> Money:
        """Return a part of an amount, rounded as the law rounds `what`."""
        return money(
            part.numerator * of.numerator,
            part.denominator * of.denominator,
            self.roundings.get(what),
        )

    def facts(self, outcome: Mapping[str, Any]) -> dict[str, Any]:
        """Return everything the definitions make of an outcome."""
        return self._seen(outcome)[0]

    def _seen(self, outcome: Mapping[str, Any]) -> _Seen:
        raw = self.kit.raw(outcome)
        seen = self._outcomes.get(raw)
        if seen is None:
            facts = self.kit.read(outcome, self.tables)
            for name, _, expression in self.defines:
                facts[name] = expression.on(facts)
            if len(self._outcomes) >= _MOST_OUTCOMES:
                self._outcomes.clear()
            self._outcomes[raw] = seen = (facts, {})
        return seen

    def _of(
        self,
        facts: Mapping[str, Any],
        table: dict[Hashable, Verdict],
        bet: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> Verdict:
        name = bet.get("bet")
        rules = self.bets.get(name) if isinstance(name, str) else None
        stake = bet.get("stake")
        if rules is None or type(stake) is not int or stake <= 0:
            return REFUSED
        choice = bet.get("choice")
        place = None if rules.place is None else bet.get(rules.place)
        for need in rules.needs:
            if not beside(need, bet, bets):
                return _alone(need.provision)
        others = around(rules, place, bet, bets) if rules.asks_others else ()
        at = (name, choice, place, others)
        verdict = table.get(at)
        if verdict is None:
            local = {"choice": choice, **dict(others)}
            verdict = table[at] = self._verdict(rules, facts, local, place)
        return verdict

    def with_stake(self, bet: Mapping[str, Any], verdict: Verdict) -> Settlement:
        """Return `verdict` for the stake of `bet`."""
        prize = commission = _NOUGHT
        if verdict.result == _WIN:
            # The stake of a bet that was refused may be no number at all.
            prize = self._round("prize", verdict.odds * bet["stake"])
            commission = self._round("commission", verdict.commission * prize)
        return Settlement(
            result=verdict.result, prize=prize, commission=commission, reasons=verdict.reasons
        )

    def _round(self, what: str, amount: Fraction) -> Fraction:
        return rounded(amount, self.roundings.get(what))

    def _verdict(
        self,
        rules: BetRules,
        facts: Mapping[str, Any],
        local: Mapping[str, Any],
        place: Any,
    ) -> Verdict:
        known = {**facts, **local}
        if rules.domain is not None and local["choice"] not in rules.domain:
            reason = Reason(provision=rules.declared_in, role="choice", condition=None)
            return replace(REFUSED, reasons=(reason,))
        if rules.place is not None:
            added = self.kit.bound(facts, rules.place, place)
            if added is None:
                return REFUSED
            known.update(added)
        result, reasons = decide(rules, known)
        verdict = replace(REFUSED, result=result, reasons=tuple(reasons))
        if result == _WIN:
            verdict = self.priced(rules, verdict, known)
        return self.told(verdict, known)

    def told(self, verdict: Verdict, known: Mapping[str, Any]) -> Verdict:
        """Return `verdict` with the provisions that give its conditions their meaning."""
        if self.meanings is None:
            return verdict
        reasons = self.meanings.told(verdict.reasons, known, self.order)
        return verdict if reasons == verdict.reasons else replace(verdict, reasons=reasons)

    def priced(self, rules: BetRules, verdict: Verdict, known: Mapping[str, Any]) -> Verdict:
        """Return a winning `verdict` with its odds and its commission."""
        odds, reasons = self._odds(rules, known)
        commission = _NOUGHT
        for rule in rules.commissions:
            if rule.condition is None or rule.condition.on(known):
                commission += rule.rate
                reasons.append(_reason(rule.provision, "commission", rule.condition))
        return Verdict(
            result=verdict.result,
            odds=odds,
            commission=commission,
            reasons=(*verdict.reasons, *reasons),
        )

    def _odds(self, rules: BetRules, known: Mapping[str, Any]) -> tuple[Fraction, list[Reason]]:
        fired = [
            rule for rule in rules.prizes if rule.condition is None or rule.condition.on(known)
        ]
        if not fired:
            msg = f"{self.name}: no prize for a winning bet on {rules.name}"
            raise NoRule(msg)
        if len({rule.odds for rule in fired}) > 1 and not self.lines_add_up:
            msg = f"{self.name}: two prizes for a winning bet on {rules.name}"
            raise RulesDisagree(msg)
        odds = sum((rule.odds for rule in fired), _NOUGHT) if self.lines_add_up else fired[0].odds
        if self.odds_are == "for-one":
            odds -= 1
        return odds, [_reason(rule.provision, "prize", rule.condition) for rule in fired]


def decide(rules: BetRules, known: Mapping[str, Any]) -> tuple[str, list[Reason]]:
    """Return the result of a bet, and the provisions from which it follows."""
    fired = [
        rule for rule in rules.results if rule.condition is not None and rule.condition.on(known)
    ]
    if not fired:
        fired = [rule for rule in rules.results if rule.condition is None]
    if not fired:
        msg = f"no rule says what becomes of {rules.name}"
        raise NoRule(msg)
    beaten = {name for rule in fired for name in rule.over}
    standing = [
        rule
        for rule in fired
        if rule.provision not in beaten and not (ALL in beaten and ALL not in rule.over)
    ]
    results = {rule.result for rule in standing}
    if len(results) != 1:
        provisions = ", ".join(sorted({rule.provision for rule in fired}))
        msg = f"{provisions} give {rules.name} different results: {', '.join(sorted(results))}"
        raise RulesDisagree(msg)
    # What was prevailed over is part of the reason: it would have held otherwise.
    prevailed = [rule for rule in fired if rule not in standing]
    reasons = [_reason(rule.provision, rule.result, rule.condition) for rule in standing]
    reasons += [_reason(rule.provision, f"not {rule.result}", rule.condition) for rule in prevailed]
    if all(reason.provision != rules.declared_in for reason in reasons):
        # The bet's own provision belongs to the story even where its condition failed.
        own = [
            rule.condition
            for rule in rules.results
            if rule.provision == rules.declared_in and rule.result == _WIN
        ]
        reasons.insert(0, _reason(rules.declared_in, "declares", own[0] if own else None))
    return results.pop(), reasons


def _reason(provision: str, role: str, condition: Expression | None) -> Reason:
    return Reason(
        provision=provision, role=role, condition=None if condition is None else condition.text
    )
