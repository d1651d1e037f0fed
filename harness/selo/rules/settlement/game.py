"""A compiled game: settles bets, compares hands, and derives each result from provisions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from selo.json_numbers import encode_fraction
from selo.rules.equipment.kits import OPTIONS, with_options
from selo.rules.equipment.piece_set import CERTAIN, PieceSet
from selo.rules.settlement.bet_decision import DecisionMemo, decide_result, price_result
from selo.rules.settlement.joint_settlement import (
    HighestPrizeOnly,
    JointCase,
    bets_of_bettor,
    names_some_bettors,
    read_option,
    share_prizes,
)
from selo.rules.settlement.neighbouring_bets import BetList, meets_need, neighbours_of
from selo.rules.settlement.rounding import divide_rounded, round_fraction
from selo.rules.settlement.settlement_models import (
    COMMISSION,
    REFUSED,
    Asked,
    BetResult,
    BetRules,
    BetSettlement,
    NoRule,
    OutcomeMemo,
    refuse,
    void_stake,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from selo.rules.clauses.clause_models import Option
    from selo.rules.equipment.kits import Kit, Tables
    from selo.rules.language import Expression
    from selo.rules.settlement.hand_order import HandMemo, PairOrder
    from selo.rules.settlement.jackpot import SharingRules
    from selo.rules.settlement.joint_settlement import RefusalRule, SettlementStage
    from selo.rules.settlement.provenance import Provenance, ReconstructedBasis
    from selo.rules.settlement.rounding import Money
    from selo.rules.settlement.settlement_models import SettlementObserver
    from selo.table_values import Bet, Options, Outcome

#: More would cost memory without saving time.
_MAX_OUTCOMES_CACHED = 50_000
_MAX_STAKES_CACHED = 64
_WIN = "win"
#: The facts of each throw that an outcome with an unreadable die may be.
_POSSIBLE = "possible throws"
_ZERO = Fraction(0)


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
    #: The roundings that no text prescribes: whoever rounds nothing there keeps to the law.
    open_roundings: frozenset[str] = frozenset()
    #: What keeps bets from being accepted because of other bets.
    refusals: Sequence[RefusalRule] = ()
    #: What is done to the settlements of a case together, in this order.
    stages: Sequence[SettlementStage] = ()
    #: Whether an outcome is read together with the options of the table.
    at_table: bool = False
    #: The options that conditions may use, apart from those that the equipment reads.
    options: Sequence[Option] = ()
    #: How combinations are paid that share a prize.
    sharing: SharingRules | None = None
    #: The order of pairs of tiles.
    pairs: PairOrder | None = None
    #: The provisions behind the words of conditions; nothing if derivations are not needed.
    provenance: Provenance | None = None
    #: The reconstructed statements of the game, if conditions depend on some.
    basis: ReconstructedBasis | None = None
    #: Results by the conditions that hold; nothing if derivations are needed.
    decisions: DecisionMemo | None = None
    #: Is told of every outcome, question and result.
    observer: SettlementObserver | None = None
    #: What is known of single hands.
    hand_memos: Sequence[HandMemo] = ()
    #: Emptied when it grows too large.
    _outcome_memo: dict[Hashable, OutcomeMemo] = field(default_factory=dict)

    def without_reasons(self) -> Game:
        """Return a faster copy with empty memos, whose settlements have no complete derivation."""
        return replace(
            self, provenance=None, basis=None, decisions=DecisionMemo(), _outcome_memo={}
        )

    def without_open_roundings(self) -> Game | None:
        """Return a copy that rounds only what a text says is rounded; nothing if that is all."""
        if not self.open_roundings:
            return None
        return replace(
            self,
            roundings={
                what: to for what, to in self.roundings.items() if what not in self.open_roundings
            },
            open_roundings=frozenset(),
            decisions=None if self.decisions is None else DecisionMemo(),
            _outcome_memo={},
        )

    def forget_outcomes(self) -> None:
        """Empty the memo of outcomes, and those of hands that no other game uses."""
        self._outcome_memo.clear()
        for memo in self.hand_memos:
            memo.forget()

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

    @property
    def pays_highest_only(self) -> bool:
        """Whether only the highest prize of each bettor is paid."""
        return any(isinstance(stage, HighestPrizeOnly) for stage in self.stages)

    def points_of(self, hand: Sequence[str]) -> int | None:
        """Return what a hand counts, or nothing where the law at hand does not say it."""
        return None if self.pairs is None else self.pairs.points_of(hand)

    def is_judged(self, hand: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether the law in force decides the comparison of two hands."""
        return self.pairs is None or self.pairs.is_judged(hand, other)

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetSettlement]:
        """Return the settlement of each bet, with its derivation."""
        counted = bets
        for stage in self.stages:
            if stage.counts:
                counted = stage.count_stakes(options, counted)
        results = self._results_of(options, outcome, counted)
        case = JointCase(
            options=options, bets=bets, counted=counted, results=results,
            settlements=[
                self.settle_stake(bet, bet_result)
                for bet, bet_result in zip(counted, results, strict=True)
            ],
        )  # fmt: skip
        for stage in self.stages:
            stage.apply(self, case)
        return case.settlements

    def settle_plain(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlement of each bet as a case writes it, without derivations."""
        if any(not stage.shares for stage in self.stages):
            return [settlement.plain() for settlement in self.settle(options, outcome, bets)]
        results = self._results_of(options, outcome, bets)
        answers = [
            self.settle_stake_plain(bet, bet_result)
            for bet, bet_result in zip(bets, results, strict=True)
        ]
        for at, prize, returned in share_prizes(self, options, bets, results):
            answers[at]["prize"] = encode_fraction(prize)
            if returned is not None:
                answers[at]["stake"] = returned
        return answers

    def find_refusals(self, bets: Sequence[Bet]) -> dict[int, BetResult]:
        """Return the places of bets that other bets of the case keep from being accepted."""
        refused: dict[int, BetResult] = {}
        for rule in self.refusals:
            refused.update(rule.find(self, bets))
        return refused

    def _results_of(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetResult]:
        facts, table = self._look_up_outcome(
            with_options(options, outcome) if self.at_table else outcome
        )
        refused = self.find_refusals(bets) if self.refusals else {}
        kept = BetList(bets)
        if refused:
            kept = BetList(bet for at, bet in enumerate(bets) if at not in refused)
        if self.at_table and names_some_bettors(kept):
            return [
                refused[at]
                if at in refused
                else self.result_of(facts, table, bet, bets_of_bettor(bet, kept))
                for at, bet in enumerate(bets)
            ]
        if refused:
            return [
                refused[at] if at in refused else self.result_of(facts, table, bet, kept)
                for at, bet in enumerate(bets)
            ]
        return [self.result_of(facts, table, bet, kept) for bet in bets]

    def wins(self, outcome: Outcome, bet: Bet) -> bool:
        """Return whether a bet wins, laid alone."""
        facts, table = self._look_up_outcome(
            with_options({}, outcome) if self.at_table else outcome
        )
        return self.result_of(facts, table, bet, [bet]).result == _WIN

    def settle_stake_plain(self, bet: Bet, bet_result: BetResult) -> dict[str, Any]:
        """Return the settlement of `bet` as a case writes it."""
        if bet_result.result != _WIN:
            plain = {"result": bet_result.result, "prize": 0, COMMISSION: 0}
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
                encode_fraction(self.multiply_rounded(COMMISSION, bet_result.commission, charged)),
            )
            if len(bet_result.amounts) >= _MAX_STAKES_CACHED:
                bet_result.amounts.clear()
            bet_result.amounts[stake] = amounts
        return {"result": _WIN, "prize": amounts[0], COMMISSION: amounts[1]}

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
        if self.options:
            # Results that depend on options are not cached with the outcome.
            declared = outcome.get(OPTIONS) or {}
            memo = (
                {
                    **memo[0],
                    **{option.option: read_option(option, declared) for option in self.options},
                },
                {},
            )
        if self.observer is not None:
            self.observer.see_outcome(memo[0], outcome)
        return memo

    def result_of(
        self,
        facts: Mapping[str, Any],
        table: dict[Hashable, BetResult],
        bet: Bet,
        bets: Sequence[Bet],
    ) -> BetResult:
        """Return the result of a bet among others, on an outcome with these facts."""
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
                return refuse(need.provision, "needs")
        others = neighbours_of(rules, place, bet, bets)
        at = (name, choice, place, others)
        bet_result = table.get(at)
        if bet_result is None:
            local = {"choice": choice, **dict(others)}
            bet_result = table[at] = self.compute_result(rules, facts, local, place)
        if self.observer is not None:
            self.observer.see_bet(bet, bet_result)
        return bet_result

    def settle_stake(self, bet: Bet, bet_result: BetResult) -> BetSettlement:
        """Return the settlement of `bet` for its stake."""
        prize = commission = _ZERO
        if bet_result.result == _WIN:
            # The stake of a refused bet may not be a number.
            prize = self.round_amount("prize", bet_result.odds * bet["stake"])
            charged = prize + bet["stake"] if self.commission_on_returned else prize
            commission = self.round_amount(COMMISSION, bet_result.commission * charged)
        return BetSettlement(
            result=bet_result.result, prize=prize, commission=commission,
            reasons=bet_result.reasons, stake=void_stake(bet_result, bet),
        )  # fmt: skip

    def round_amount(self, what: str, amount: Fraction) -> Fraction:
        """Return an amount, rounded as the law rounds `what`."""
        return round_fraction(amount, self.roundings.get(what))

    def compute_result(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> BetResult:
        """Return the result of a bet on facts, by the conditions that hold."""
        known = self.facts_of_bet(rules, facts, local, place)
        if self.decisions is None or known is None:
            bet_result = self._decide(rules, known, local)
        else:
            key = self.decisions.key_of(rules, known)
            remembered = self.decisions.results.get(key)
            bet_result = remembered or self._decide(rules, known, local)
            self.decisions.results[key] = bet_result
        if self.observer is not None:
            bet_result = self.observer.see_result(
                Asked(
                    rules=rules, facts=facts, local=local, place=place,
                    all_facts=self.facts_of_bet(rules, facts, local, place),
                ),
                bet_result,
            )  # fmt: skip
        return bet_result

    def facts_of_bet(
        self, rules: BetRules, facts: Mapping[str, Any], local: Mapping[str, Any], place: Any
    ) -> dict[str, Any] | None:
        """Return all facts that conditions of a bet may use; nothing if the bet is malformed."""
        if rules.domain is not None and local["choice"] not in rules.domain:
            return None
        known = {**facts, **local}
        if rules.place is not None:
            added = self.kit.bind_place(facts, rules.place, place)
            if added is None:
                return None
            known.update(added)
        if possible := facts.get(_POSSIBLE):
            # What an unreadable die may show decides, so it is part of what results are kept by.
            results = [self.compute_result(rules, one, local, place) for one in possible]
            known[CERTAIN] = len({(one.result, one.odds) for one in results}) == 1
        return known

    def _decide(
        self, rules: BetRules, known: dict[str, Any] | None, local: Mapping[str, Any]
    ) -> BetResult:
        if known is None:
            if rules.domain is not None and local["choice"] not in rules.domain:
                return self._mark(refuse(rules.declared_in, "choice"))
            return REFUSED
        bet_result = decide_result(rules, known)
        if bet_result.result == _WIN:
            bet_result = price_result(self, rules, bet_result, known)
        return self._mark(self.add_provenance(bet_result, known))

    def _mark(self, bet_result: BetResult) -> BetResult:
        """Return a result whose derivation names the reconstructed statements behind it."""
        if self.basis is None:
            return bet_result
        return replace(bet_result, reasons=self.basis.mark_steps(bet_result.reasons))

    def add_provenance(self, bet_result: BetResult, known: Mapping[str, Any]) -> BetResult:
        """Return `bet_result` with the provisions that define the words of its conditions."""
        if self.provenance is None:
            return bet_result
        reasons = self.provenance.extend_derivation(bet_result.reasons, known, self.order)
        return bet_result if reasons == bet_result.reasons else replace(bet_result, reasons=reasons)
