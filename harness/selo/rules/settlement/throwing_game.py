"""Games that run over several throws: a bet stands from the moment at which it is placed.

1. The round has a point while the line bet that opens it has one; that follows from its own rules.
2. Bets are placed in the order of the throws. Clauses of stage ``placed`` speak at that moment:
   ``refused`` turns the bet away, ``point`` gives it the point of the round.
3. On each throw the clauses of its stage decide: ``first`` while it has no point of its own,
   ``point`` afterwards; clauses without a stage always speak.
4. The result ``point`` gives the bet its point; ``stands`` waits for the next throw.
5. An additional bet ends with the bet it was added to, by that bet's result and point.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from selo.json_numbers import encode_fraction
from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.plain_dice import PlainDice
from selo.rules.settlement.bet_decision import decide_result, price_result
from selo.rules.settlement.bet_lifetime import (
    BetMemo,
    add_declaration,
    apply_placing_rules,
    find_base,
    limit_prize,
    list_exceeded_limits,
    possible_prizes,
    refuse_bet,
    refuse_fractions,
    refuse_malformed,
    settle_life,
    share_memo,
    share_throw_memo,
    standing_bets_of,
)
from selo.rules.settlement.rounding import REFUSE_FRACTIONS
from selo.rules.settlement.settlement_models import (
    REFUSED,
    AddedStakes,
    BetLife,
    BetResult,
    BetSettlement,
    BetTable,
    DerivationStep,
    PlacingMoment,
    ThrownRound,
    placing_order,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selo.rules.language import Expression
    from selo.rules.settlement.game import Game
    from selo.rules.settlement.settlement_models import BetRules, PlacingRules, SettlementObserver
    from selo.table_values import Bet, Options, Outcome

_STANDS = "stands"
_POINT = "point"
_FIRST = "first"
_REFUSED = "refused"
_WIN = "win"
_MAX_STEPS_CACHED = 50_000
_ZERO = Fraction(0)
#: The fact that identifies a throw: the dice, the point, and whether the round is over.
_THROW_KEY = "_shown"
_STANDING_RESULT = replace(REFUSED, result=_STANDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowingGame:
    """A game of throws, settled by the rules of a compiled game."""

    game: Game
    #: The bet whose point is the point of the round.
    line: str
    #: Whether derivations are built; the expectation of many cases goes without.
    gives_reasons: bool = True
    #: Is told of every throw that a bet is exposed to.
    observer: SettlementObserver | None = None
    _bet_definitions: list[tuple[str, Expression]] = field(default_factory=list)
    #: By bet and stage: its rules with the results of that stage alone.
    _stage_memo: dict[tuple[str, str | None], BetRules] = field(default_factory=dict)
    #: By bet, what is computed by its rules; without reasons, games with the same rules share it.
    _memos: dict[str, BetMemo] = field(init=False, default_factory=dict)
    _throws: BetMemo = field(init=False)
    #: Whether a bet is refused if its prize might not be a whole amount.
    refuses_fractions: bool = field(init=False)
    #: Whether some bet depends on other bets, and whether some limit refuses a possible prize.
    _asks_others: bool = field(init=False)
    _limits_prizes: bool = field(init=False)

    def __post_init__(self) -> None:
        """Find the definitions that depend on a bet: they are evaluated for each bet."""
        dependent = set(PlainDice.bet_variables)
        for name, _, expression in self.game.defines:
            if not dependent.isdisjoint(expression.names):
                dependent.add(name)
                self._bet_definitions.append((name, expression))
        bets = self.bets.values()
        line = None if self.gives_reasons else self.bets.get(self.line)
        throws = BetMemo() if line is None else share_throw_memo(self.game, line)
        limits = [limit.means for rules in bets for limit in rules.limits]
        for name, value in (
            ("_throws", throws),
            ("refuses_fractions", self.game.roundings.get("prize") == REFUSE_FRACTIONS),
            ("_asks_others", any(rules.asks_others for rules in bets)),
            ("_limits_prizes", _REFUSED in limits),
        ):
            object.__setattr__(self, name, value)

    def without_reasons(self) -> ThrowingGame:
        """Return a faster copy with empty memos, whose settlements have no derivation."""
        inner = replace(self.game, provenance=None, _outcome_memo={})
        return ThrowingGame(game=inner, line=self.line, gives_reasons=False)

    def forget_outcomes(self) -> None:
        """Empty the memo of rounds."""
        self._throws.rounds.clear()

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def bets(self) -> dict[str, BetRules]:
        """The rules of each bet."""
        return self.game.bets

    def settle(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[BetSettlement]:
        """Return the settlement of each bet, with its derivation."""
        del options
        table, order = self._live_bets(outcome, bets)
        settlements = {index: settle_life(self.game, index, table) for index in order}
        return [settlements[index] for index in range(len(bets))]

    def settle_plain(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> list[dict[str, Any]]:
        """Return the settlement of each bet as a case writes it."""
        del options
        table, order = self._live_bets(outcome, bets)
        answers = {index: self.settle_bet_plain(index, table) for index in order}
        return [answers[index] for index in range(len(bets))]

    def _live_bets(self, outcome: Outcome, bets: Sequence[Bet]) -> tuple[BetTable, Sequence[int]]:
        """Return the table with the life of every bet, and the order in which they were placed."""
        throws = outcome.get("throws")
        if not isinstance(throws, list):
            msg = "an outcome needs a list of throws"
            raise BadOutcome(msg)
        table = self._table_of(throws, bets)
        order: Sequence[int] = range(len(bets))
        if self._asks_others or any("to" in bet for bet in bets):
            # Bets that stand alone need no order.
            order = sorted(order, key=lambda index: placing_order(self.bets, bets[index], index))
        for index in order:
            table.lives[index] = self.live_bet(index, table)
        return table, order

    def _table_of(self, throws: Sequence[Any], bets: Sequence[Bet]) -> BetTable:
        key = tuple([tuple(throw) for throw in throws])
        rounds = self._throws.rounds
        # An observer sees every throw of every case.
        thrown = self._read_round(throws) if self.observer is not None else rounds.get(key)
        if thrown is None:
            if len(rounds) >= _MAX_STEPS_CACHED:
                rounds.clear()
            thrown = rounds[key] = self._read_round(throws)
        return BetTable(
            throws=thrown.throws, moments=thrown.moments, bets=bets, lives_memo=thrown.lives_memo
        )

    def _read_round(self, dice: Sequence[Any]) -> ThrownRound:
        point, throws = 0, []
        moments = [PlacingMoment.after(None, point)]
        # All throws are read before the first is judged: an impossible throw has no round.
        for facts in [self.game.facts({"throw": throw}) for throw in dice]:
            throw, point = self.add_throw(facts, point)
            throws.append(throw)
            moments.append(PlacingMoment.after(throw, point))
        return ThrownRound(throws=throws, moments=moments)

    def add_throw(self, facts: Mapping[str, Any], point: int) -> tuple[Mapping[str, Any], int]:
        """Return a throw in a round that has this point, and the point of the round after it."""
        at = ((*facts["dice"], facts["lying"]), point)
        memo = None if self.gives_reasons else self._throws.throws.get(at)
        if memo is None:
            memo = self._throws.throws[at] = self._judge_throw(facts, *at)
        return memo

    def _judge_throw(
        self, facts: Mapping[str, Any], shown: tuple[Any, ...], point: int
    ) -> tuple[Mapping[str, Any], int]:
        around = {
            **facts, "point_set": point != 0, "round_point": point,
            _THROW_KEY: (shown, point, False),
        }  # fmt: skip
        # The line bet ends the round, so its rules cannot depend on the end of the round.
        ended = self.step(self.bets[self.line], around, point, None).result
        over = ended not in {_POINT, _STANDS}
        after = facts["total"] if ended == _POINT else point if ended == _STANDS else 0
        return {**around, "round_over": over, _THROW_KEY: (shown, point, over)}, after

    def step(
        self, rules: BetRules, throw: Mapping[str, Any], point: int, choice: Any, base: str = ""
    ) -> BetResult:
        """Return the result of a bet on one throw, with its odds if it wins."""
        at = (throw[_THROW_KEY], point, choice, base)
        memo = self._memos.get(rules.name) or self._memo_of(rules)
        bet_result = memo.steps.get(at)
        if bet_result is None:
            facts = self.facts_of_step(throw, point, choice, base)
            stage = None if base else _POINT if point else _FIRST
            bet_result = decide_result(self._rules_of_stage(rules, stage), facts)
            if bet_result.result == "win":
                bet_result = price_result(self.game, rules, bet_result, facts)
            bet_result = self.game.add_provenance(bet_result, facts)
            if len(memo.steps) >= _MAX_STEPS_CACHED:
                memo.steps.clear()
            memo.steps[at] = bet_result
        if self.observer is not None:
            at_bet = (point, choice, base)
            self.observer.see_throw(rules, throw, at_bet, self.facts_of_step, bet_result)
        return bet_result

    def _memo_of(self, rules: BetRules) -> BetMemo:
        shared = BetMemo() if self.gives_reasons else share_memo(self.game, rules)
        return self._memos.setdefault(rules.name, shared)

    def facts_of_step(
        self, throw: Mapping[str, Any], point: int, choice: Any, base: str
    ) -> dict[str, Any]:
        """Return all facts that conditions of a bet may use on one throw."""
        state = {"point": point, "choice": choice, "base": base}
        return self._add_definitions({**throw, **state, "base_has_point": bool(base and point)})

    def _rules_of_stage(self, rules: BetRules, stage: str | None) -> BetRules:
        """Return the rules of a bet with the results of a stage, and those of every stage."""
        staged = self._stage_memo.get((rules.name, stage))
        if staged is None:
            applicable = [rule for rule in rules.results if rule.stage in {None, stage}]
            staged = self._stage_memo[rules.name, stage] = replace(rules, results=applicable)
        return staged

    def _add_definitions(self, facts: dict[str, Any]) -> dict[str, Any]:
        for name, expression in self._bet_definitions:
            if all(variable in facts for variable in expression.names):
                facts[name] = expression.on(facts)
        return facts

    def live_bet(self, index: int, table: BetTable) -> BetLife:
        """Return the life of a bet on the throws of a table."""
        bet = table.bets[index]
        rules = self.game.bets.get(str(bet.get("bet")))
        refused = refuse_malformed(rules, bet, len(table.throws))
        if rules is None or refused is not None:
            return refused or refuse_bet()
        choice = None if rules.domain is None else bet.get("choice")
        at = bet.get("at", 0)
        depends = rules.added_to is not None or rules.asks_others or rules.limits
        if depends or self.refuses_fractions:
            return self._place_bet(index, rules, choice, table)
        # Such a bet depends on the throws alone.
        key = (self._memos.get(rules.name) or self._memo_of(rules), choice, at)
        life = table.lives_memo.get(key)
        if life is None:
            life = table.lives_memo[key] = self._place_bet(index, rules, choice, table)
        return life

    def _place_bet(self, index: int, rules: BetRules, choice: Any, table: BetTable) -> BetLife:
        """Return the life of a well-formed bet."""
        bet = table.bets[index]
        stake, at = bet["stake"], bet.get("at", 0)
        base = None
        if rules.added_to is not None:
            base = find_base(rules, bet, at, table)
            if base is None:
                return refuse_bet(DerivationStep(provision=rules.declared_in, role="needs"))
        others = standing_bets_of(index, at, table) if rules.asks_others else None
        has_point = base is not None and base.point_from is not None and base.point_from < at
        point = base.point if base is not None and has_point else 0
        base_added = base is not None and bet["to"] in table.added
        placing = self._placing_rules(
            rules, (choice, table.moments[at], has_point, point, base_added, others)
        )
        steps = list(placing.refused)
        if self.refuses_fractions:
            steps += refuse_fractions(rules, stake, placing.facts)
        if rules.limits:
            steps += list_exceeded_limits(rules, bet, placing.facts, table)
        if steps:
            return refuse_bet(*steps)
        if base is None:
            return self._live_alone(rules, choice, at, placing.points, table)
        added = table.added.setdefault(bet["to"], AddedStakes())
        added.stakes += stake
        if self._limits_prizes:
            added.owed += max(possible_prizes(rules, stake, placing.facts), default=_ZERO)
        return self.live_added_bet(rules, base, table)

    def _placing_rules(
        self,
        rules: BetRules,
        at: tuple[Any, PlacingMoment, bool, int, bool, tuple[str, ...] | None],
    ) -> PlacingRules:
        """Return the rules that apply when a bet is placed; few facts are known then."""
        memo = self._memos.get(rules.name) or self._memo_of(rules)
        if at in memo.placings:
            return memo.placings[at]
        choice, moment, base_has_point, point, base_added, others = at
        facts = self._add_definitions(
            {
                "choice": choice, "point_set": moment.point != 0, "round_point": moment.point,
                "point_made": moment.point_made, "repeating": moment.repeating,
                "base_has_point": base_has_point, "base_added": base_added, "point": point,
                **({} if others is None else {"others": others}),
            }
        )  # fmt: skip
        if len(memo.placings) >= _MAX_STEPS_CACHED:
            memo.placings.clear()
        placing = memo.placings[at] = apply_placing_rules(rules, facts)
        return placing

    def _live_alone(
        self,
        rules: BetRules,
        choice: Any,
        at: int,
        point_provisions: Sequence[str],
        table: BetTable,
    ) -> BetLife:
        point, point_from = (table.moments[at].point, at - 1) if point_provisions else (0, None)
        reasons = tuple(
            DerivationStep(provision=provision, role=_POINT) for provision in point_provisions
        )
        last: tuple[DerivationStep, ...] = ()
        for index in range(at, len(table.throws)):
            bet_result = self.step(rules, table.throws[index], point, choice)
            if bet_result.result == _POINT:
                point, point_from = table.throws[index]["total"], index
                reasons, last = (*reasons, *bet_result.reasons), ()
            elif bet_result.result == _STANDS:
                last = bet_result.reasons
            else:
                return BetLife(
                    bet_result=self._explain(rules, bet_result, reasons),
                    ended=index, point=point, point_from=point_from,
                )  # fmt: skip
        return BetLife(
            bet_result=self._explain(rules, _STANDING_RESULT, (*reasons, *last)),
            ended=len(table.throws), point=point, point_from=point_from,
        )  # fmt: skip

    def continue_life(
        self, rules: BetRules, choice: Any, life: BetLife, table: BetTable
    ) -> BetLife:
        """Return the life of a bet that stood before the last throw, without a derivation."""
        last = len(table.throws) - 1
        bet_result = self.step(rules, table.throws[last], life.point, choice)
        point, since, ended = life.point, life.point_from, last
        if bet_result.result == _POINT:
            point, since = table.throws[last]["total"], last
        if bet_result.result in {_POINT, _STANDS}:
            bet_result, ended = _STANDING_RESULT, last + 1
        return BetLife(bet_result=bet_result, ended=ended, point=point, point_from=since)

    def live_added_bet(self, rules: BetRules, base: BetLife, table: BetTable) -> BetLife:
        """Return the life of an additional bet, as far as its base bet has come."""
        bet_result, result = _STANDING_RESULT, base.bet_result.result
        if base.ended < len(table.throws):
            bet_result = self.step(rules, table.throws[base.ended], base.point, None, result)
        return BetLife(
            bet_result=self._explain(rules, bet_result, ()),
            ended=base.ended, point=base.point, point_from=base.point_from,
        )  # fmt: skip

    def _explain(
        self, rules: BetRules, bet_result: BetResult, before: tuple[DerivationStep, ...]
    ) -> BetResult:
        return add_declaration(rules, bet_result, before) if self.gives_reasons else bet_result

    def settle_bet_plain(self, index: int, table: BetTable) -> dict[str, Any]:
        """Return the settlement of a bet as a case writes it."""
        bet, bet_result = table.bets[index], table.lives[index].bet_result
        answer = self.game.settle_stake_plain(bet, bet_result)
        if bet_result.result == _WIN:
            rules = self.game.bets[str(bet["bet"])]
            if rules.added_to is not None:
                prize = self.game.multiply_rounded("prize", bet_result.odds, bet["stake"])
                answer["prize"] = encode_fraction(limit_prize(rules, bet, prize, table)[0])
        return answer
