"""A compiled game: settles bets, compares hands, and derives each result from provisions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from selo.json_numbers import encode_fraction
from selo.rules.clauses.clause_models import WILDCARD
from selo.rules.equipment.piece_set import CERTAIN, PieceSet
from selo.rules.settlement.neighbouring_bets import (
    BetList,
    find_repeats,
    meets_need,
    neighbours_of,
)
from selo.rules.settlement.rounding import divide_rounded, round_fraction
from selo.rules.settlement.settlement_models import (
    REFUSED,
    BetResult,
    BetRules,
    BetSettlement,
    DerivationStep,
    NoRule,
    OutcomeMemo,
    RulesDisagree,
    SingleRule,
    void_stake,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.rules.equipment.kits import Kit, Tables
    from selo.rules.language import Expression
    from selo.rules.settlement.provenance import Provenance
    from selo.rules.settlement.rounding import Money
    from selo.table_values import Bet, Options, Outcome

#: More would cost memory without saving time.
_MAX_OUTCOMES_CACHED = 50_000
_MAX_STAKES_CACHED = 64
_WIN = "win"
#: The facts of each throw that an outcome with an unreadable die may be.
_POSSIBLE = "possible throws"
_ZERO = Fraction(0)


@lru_cache(maxsize=256)
def _refuse(provision: str, role: str) -> BetResult:
    """Return the result of a bet that `provision` refuses: without a companion, or repeated."""
    return replace(REFUSED, reasons=(DerivationStep(provision=provision, role=role),))


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
    #: Whether the commission is a part of all that is returned, the stake included.
    commission_on_returned: bool = False
    #: By bet, the rule that keeps only the first of several.
    singles: Mapping[str, SingleRule] = field(default_factory=dict)
    #: The provisions behind the words of conditions; nothing if derivations are not needed.
    provenance: Provenance | None = None
    #: Emptied when it grows too large.
    _outcome_memo: dict[Hashable, OutcomeMemo] = field(default_factory=dict)

    def compare(self, hand: Sequence[str], other: Sequence[str]) -> str:
        """Return how `hand` ranks against the `other` hand."""
        if self.order is None:
            msg = f"{self.name} compares no hands"
            raise NoRule(msg)
        first, second = self.order(hand), self.order(other)
        if first == second:
            return "equal"
        # The first of a descending order is the highest.
        return "higher" if first < second else "lower"

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetSettlement]:
        """Return the settlement of each bet, with its derivation."""
        del options
        facts, table = self._look_up_outcome(outcome)
        return [
            self.settle_stake(bet, bet_result)
            for bet, bet_result in zip(bets, self._results_of(facts, table, bets), strict=True)
        ]

    def settle_plain(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlement of each bet as a case writes it, without derivations."""
        del options
        facts, table = self._look_up_outcome(outcome)
        return [
            self.settle_stake_plain(bet, bet_result)
            for bet, bet_result in zip(bets, self._results_of(facts, table, bets), strict=True)
        ]

    def find_refusals(self, bets: Sequence[Bet]) -> dict[int, BetResult]:
        """Return the places of bets that other bets of the case keep from being accepted."""
        if not self.singles:
            return {}
        repeats = find_repeats(bets, self.singles)
        return {at: _refuse(provision, "single") for at, provision in repeats.items()}

    def _results_of(
        self, facts: Mapping[str, Any], table: dict[Hashable, BetResult], bets: Sequence[Bet]
    ) -> list[BetResult]:
        refused = self.find_refusals(bets)
        if not refused:
            bet_list = BetList(bets)
            return [self._result_of(facts, table, bet, bet_list) for bet in bets]
        kept = BetList(bet for at, bet in enumerate(bets) if at not in refused)
        return [
            refused[at] if at in refused else self._result_of(facts, table, bet, kept)
            for at, bet in enumerate(bets)
        ]

    def settle_stake_plain(self, bet: Bet, bet_result: BetResult) -> dict[str, Any]:
        """Return the settlement of `bet` as a case writes it."""
        if bet_result.result != _WIN:
            plain = {"result": bet_result.result, "prize": 0, "commission": 0}
            if bet_result.stake is not None:
                plain["stake"] = void_stake(bet_result, bet)
            return plain
        stake = bet["stake"]
        amounts = bet_result.amounts.get(stake)
        if amounts is None:
            prize = self.multiply_rounded("prize", bet_result.odds, stake)
            charged = prize + stake if self.commission_on_returned else prize
            amounts = (
                encode_fraction(prize),
                encode_fraction(
                    self.multiply_rounded("commission", bet_result.commission, charged)
                ),
            )
            if len(bet_result.amounts) >= _MAX_STAKES_CACHED:
                bet_result.amounts.clear()
            bet_result.amounts[stake] = amounts
        return {"result": _WIN, "prize": amounts[0], "commission": amounts[1]}

    def multiply_rounded(self, what: str, part: Money, of: Money) -> Money:
        """Return a part of an amount, rounded as the law rounds `what`."""
        return divide_rounded(
            part.numerator * of.numerator,
            part.denominator * of.denominator,
            self.roundings.get(what),
        )

    def facts(self, outcome: Outcome) -> dict[str, Any]:
        """Return the facts that an outcome shows, and all definitions evaluated on them."""
        return self._look_up_outcome(outcome)[0]

    def _look_up_outcome(self, outcome: Outcome) -> OutcomeMemo:
        key = self.kit.memo_key(outcome)
        memo = self._outcome_memo.get(key)
        if memo is None:
            facts = self.kit.read(outcome, self.tables)
            for name, _, expression in self.defines:
                facts[name] = expression.on(facts)
            if isinstance(self.kit, PieceSet):
                throws = self.kit.possible_throws(outcome, self.tables)
                facts |= {_POSSIBLE: [self.facts(throw) for throw in throws]} if throws else {}
            if len(self._outcome_memo) >= _MAX_OUTCOMES_CACHED:
                self._outcome_memo.clear()
            self._outcome_memo[key] = memo = (facts, {})
        return memo

    def _result_of(
        self,
        facts: Mapping[str, Any],
        table: dict[Hashable, BetResult],
        bet: Bet,
        bets: Sequence[Bet],
    ) -> BetResult:
        # A bet may be malformed, so its values are checked as those of any JSON.
        name: Any = bet.get("bet")
        rules = self.bets.get(name) if isinstance(name, str) else None
        stake = bet.get("stake")
        if rules is None or type(stake) is not int or stake <= 0:
            return REFUSED
        choice = bet.get("choice")
        place = None if rules.place is None else bet.get(rules.place)
        for need in rules.needs:
            if not meets_need(need, bet, bets):
                return _refuse(need.provision, "needs")
        others = neighbours_of(rules, place, bet, bets)
        at = (name, choice, place, others)
        bet_result = table.get(at)
        if bet_result is None:
            local = {"choice": choice, **dict(others)}
            bet_result = table[at] = self._compute_result(rules, facts, local, place)
        return bet_result

    def settle_stake(self, bet: Bet, bet_result: BetResult) -> BetSettlement:
        """Return the settlement of `bet` for its stake."""
        prize = commission = _ZERO
        if bet_result.result == _WIN:
            # The stake of a refused bet may not be a number.
            prize = self._round("prize", bet_result.odds * bet["stake"])
            charged = prize + bet["stake"] if self.commission_on_returned else prize
            commission = self._round("commission", bet_result.commission * charged)
        return BetSettlement(
            result=bet_result.result, prize=prize, commission=commission,
            reasons=bet_result.reasons, stake=void_stake(bet_result, bet),
        )  # fmt: skip

    def _round(self, what: str, amount: Fraction) -> Fraction:
        return round_fraction(amount, self.roundings.get(what))

    def _compute_result(
        self,
        rules: BetRules,
        facts: Mapping[str, Any],
        local: Mapping[str, Any],
        place: Any,
    ) -> BetResult:
        known = {**facts, **local}
        if possible := facts.get(_POSSIBLE):
            results = [self._compute_result(rules, one, local, place) for one in possible]
            known[CERTAIN] = len({(one.result, one.odds) for one in results}) == 1
        if rules.domain is not None and local["choice"] not in rules.domain:
            reason = DerivationStep(provision=rules.declared_in, role="choice")
            return replace(REFUSED, reasons=(reason,))
        if rules.place is not None:
            added = self.kit.bind_place(facts, rules.place, place)
            if added is None:
                return REFUSED
            known.update(added)
        bet_result = decide_result(rules, known)
        if bet_result.result == _WIN:
            bet_result = self.apply_odds(rules, bet_result, known)
        return self.add_provenance(bet_result, known)

    def add_provenance(self, bet_result: BetResult, known: Mapping[str, Any]) -> BetResult:
        """Return `bet_result` with the provisions that define the words of its conditions."""
        if self.provenance is None:
            return bet_result
        reasons = self.provenance.extend_derivation(bet_result.reasons, known, self.order)
        return bet_result if reasons == bet_result.reasons else replace(bet_result, reasons=reasons)

    def apply_odds(
        self, rules: BetRules, bet_result: BetResult, known: Mapping[str, Any]
    ) -> BetResult:
        """Return a winning `bet_result` with its odds and its commission."""
        odds, reasons = self._find_odds(rules, known)
        commission = _ZERO
        for rule in rules.commissions:
            if rule.condition is None or rule.condition.on(known):
                commission += rule.rate
                reasons.append(_derivation_step(rule.provision, "commission", rule.condition))
        return BetResult(
            result=bet_result.result,
            odds=odds,
            commission=commission,
            reasons=(*bet_result.reasons, *reasons),
        )

    def _find_odds(
        self, rules: BetRules, known: Mapping[str, Any]
    ) -> tuple[Fraction, list[DerivationStep]]:
        fired = [
            rule for rule in rules.prizes if rule.condition is None or rule.condition.on(known)
        ]
        if not fired:
            msg = f"{self.name}: no prize for a winning bet on {rules.name}"
            raise NoRule(msg, [rules.declared_in])
        if len({rule.odds for rule in fired}) > 1 and not self.lines_add_up:
            msg = f"{self.name}: two prizes for a winning bet on {rules.name}"
            raise RulesDisagree(msg, [rule.provision for rule in fired])
        odds = sum((rule.odds for rule in fired), _ZERO) if self.lines_add_up else fired[0].odds
        if self.odds_are == "for-one":
            odds -= 1
        return odds, [_derivation_step(rule.provision, "prize", rule.condition) for rule in fired]


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
    reasons = [_derivation_step(rule.provision, rule.result, rule.condition) for rule in standing]
    reasons += [
        _derivation_step(rule.provision, f"not {rule.result}", rule.condition) for rule in overruled
    ]
    if all(reason.provision != rules.declared_in for reason in reasons):
        # The provision that declares the bet is cited even where its condition failed.
        own = [
            rule.condition
            for rule in rules.results
            if rule.provision == rules.declared_in and rule.result == _WIN
        ]
        reasons.insert(0, _derivation_step(rules.declared_in, "declares", own[0] if own else None))
    result, stake = results.pop()
    return replace(REFUSED, result=result, reasons=tuple(reasons), stake=stake)


def _derivation_step(provision: str, role: str, condition: Expression | None) -> DerivationStep:
    return DerivationStep(
        provision=provision, role=role, condition=None if condition is None else condition.text
    )
