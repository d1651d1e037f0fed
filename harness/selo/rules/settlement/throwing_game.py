"""Games that run over several throws: a bet lives from the throw before which it was placed.

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

from selo.rules.equipment import THROW, Dice
from selo.rules.equipment.kits import BadOutcome
from selo.rules.settlement.addition_limits import Added, possible_prizes
from selo.rules.settlement.bet_lifetime import (
    Board,
    Life,
    Moment,
    Placing,
    Round,
    base_of,
    beyond,
    indivisible,
    never_taken,
    others_of,
    with_declaration,
    within,
)
from selo.rules.settlement.bet_rules import Reason
from selo.rules.settlement.game import REFUSED, Settlement, Verdict, decide, written
from selo.rules.settlement.rounding import REFUSE

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.language import Expression
    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.game import Game

__all__ = ["Dice", "ThrowingGame"]

_WAITS = "stands"
_POINT = "point"
_PLACED = "placed"
_FIRST = "first"
_REFUSED = "refused"
_WIN = "win"
#: So many throws of bets are remembered.
_MOST_STEPS = 50_000
_NOUGHT = Fraction(0)
#: Where a throw has what tells it from every other: the dice, the point, the end of the round.
_SHOWN = "_shown"
_STANDS = replace(REFUSED, result=_WAITS)


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowingGame:
    """A game of throws, settled by the rules of a compiled game."""

    game: Game
    #: The bet whose point is the point of the round.
    line: str
    #: Whether reasons are put together; what only expects many cases goes without.
    tells: bool = True
    _late: list[tuple[str, Expression]] = field(default_factory=list)
    _steps: dict[Hashable, Verdict] = field(default_factory=dict)
    _placings: dict[Hashable, Placing] = field(default_factory=dict)
    _rounds: dict[Hashable, Round] = field(default_factory=dict)
    #: Each throw with the point of the round before it, and that point after it.
    _thrown: dict[Hashable, tuple[Mapping[str, Any], int]] = field(default_factory=dict)
    #: Whether a bet is refused where its prize would be no whole amount.
    _indivisible: bool = field(init=False)
    #: Whether some bet asks which others lie on the table, and whether what it could win limits it.
    _asks_others: bool = field(init=False)
    _limits_prizes: bool = field(init=False)

    def __post_init__(self) -> None:
        """Find the definitions that speak of a bet: they are worked out anew for each."""
        late = set(Dice.variables) - THROW
        for name, _, expression in self.game.defines:
            if not late.isdisjoint(expression.names):
                late.add(name)
                self._late.append((name, expression))
        bets = self.game.bets.values()
        # What holds for all cases is worked out once; the rest of the game stays as it was made.
        for name, value in (
            ("_indivisible", self.game.roundings.get("prize") == REFUSE),
            ("_asks_others", any(rules.asks_others for rules in bets)),
            (
                "_limits_prizes",
                any(limit.means == _REFUSED for rules in bets for limit in rules.limits),
            ),
        ):
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def bets(self) -> dict[str, BetRules]:
        """What the law says of each bet."""
        return self.game.bets

    def settle(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[Settlement]:
        """Return what becomes of each bet over the throws."""
        del options
        table, order = self._lives(outcome, bets)
        found = {index: self._paid(index, table) for index in order}
        return [found[index] for index in range(len(bets))]

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it."""
        del options
        table, order = self._lives(outcome, bets)
        found = {index: self.answered(index, table) for index in order}
        return [found[index] for index in range(len(bets))]

    def _lives(
        self, outcome: Mapping[str, Any], bets: Sequence[Mapping[str, Any]]
    ) -> tuple[Board, Sequence[int]]:
        """Return the table with the life of every bet, and the order in which they were placed."""
        throws = outcome.get("throws")
        if not isinstance(throws, list):
            msg = "an outcome needs a list of throws"
            raise BadOutcome(msg)
        table = self._table(throws, bets)
        order: Sequence[int] = range(len(bets))
        if self._asks_others or any("to" in bet for bet in bets):
            # Bets that stand alone need no order.
            order = sorted(order, key=lambda index: self.placing(bets[index], index))
        for index in order:
            table.lives[index] = self.lived(index, table)
        return table, order

    def placing(self, bet: Mapping[str, Any], index: int) -> tuple[int, bool, int]:
        """Return when a bet is placed: a bet stands before what is added to it."""
        at = bet.get("at", 0)
        rules = self.game.bets.get(str(bet.get("bet")))
        return (
            at if isinstance(at, int) else 0,
            rules is not None and rules.added_to is not None,
            index,
        )

    def _table(self, throws: Sequence[Any], bets: Sequence[Mapping[str, Any]]) -> Board:
        key = tuple([tuple(throw) for throw in throws])
        seen = self._rounds.get(key)
        if seen is None:
            if len(self._rounds) >= _MOST_STEPS:
                self._rounds.clear()
            seen = self._rounds[key] = self._round(throws)
        return Board(throws=seen.throws, moments=seen.moments, bets=bets, known=seen.known)

    def _round(self, dice: Sequence[Any]) -> Round:
        point, throws = 0, []
        moments = [Moment.after(None, point)]
        # All throws are read before the first is judged: one that cannot be has no round.
        for one in [self.game.facts({"throw": die}) for die in dice]:
            throw, point = self.thrown(one, point)
            throws.append(throw)
            moments.append(Moment.after(throw, point))
        return Round(throws=throws, moments=moments)

    def thrown(self, facts: Mapping[str, Any], point: int) -> tuple[Mapping[str, Any], int]:
        """Return a throw in a round that has this point, and the point of the round after it."""
        at = (tuple(facts["dice"]), point)
        known = None if self.tells else self._thrown.get(at)
        if known is None:
            known = self._thrown[at] = self._throw(facts, *at)
        return known

    def _throw(
        self, facts: Mapping[str, Any], dice: tuple[int, ...], point: int
    ) -> tuple[Mapping[str, Any], int]:
        around = {
            **facts, "point_set": point != 0, "round_point": point, _SHOWN: (dice, point, False)
        }  # fmt: skip
        # The line bet cannot ask for the end of a round that its own end makes.
        ended = self._step(self.bets[self.line], around, point, None).result
        over = ended not in {_POINT, _WAITS}
        after = facts["total"] if ended == _POINT else point if ended == _WAITS else 0
        return {**around, "round_over": over, _SHOWN: (dice, point, over)}, after

    def _step(
        self, rules: BetRules, throw: Mapping[str, Any], point: int, choice: Any, base: str = ""
    ) -> Verdict:
        """Return what one throw makes of a bet, with its odds if it wins."""
        at = (rules.name, throw[_SHOWN], point, choice, base)
        verdict = self._steps.get(at)
        if verdict is None:
            known = self._known(
                {
                    **throw, "point": point, "choice": choice,
                    "base": base, "base_has_point": bool(base and point),
                }
            )  # fmt: skip
            stages = {None} if base else {None, _POINT if point else _FIRST}
            spoken = [rule for rule in rules.results if rule.stage in stages]
            result, why = decide(replace(rules, results=spoken), known)
            verdict = replace(REFUSED, result=result, reasons=tuple(why))
            if result == "win":
                verdict = self.game.priced(rules, verdict, known)
            verdict = self.game.told(verdict, known)
            if len(self._steps) >= _MOST_STEPS:
                self._steps.clear()
            self._steps[at] = verdict
        return verdict

    def _known(self, facts: dict[str, Any]) -> dict[str, Any]:
        for name, expression in self._late:
            if all(asked in facts for asked in expression.names):
                facts[name] = expression.on(facts)
        return facts

    def lived(self, index: int, table: Board) -> Life:
        """Return what becomes of a bet on the throws of a table."""
        bet = table.bets[index]
        rules = self.game.bets.get(str(bet.get("bet")))
        at = bet.get("at", 0)
        stake = bet.get("stake")
        if (
            rules is None
            or not isinstance(at, int) or not 0 <= at <= len(table.throws)
            or not isinstance(stake, int) or stake <= 0
        ):  # fmt: skip
            return never_taken()
        choice = None
        if rules.domain is not None:
            choice = bet.get("choice")
            if choice not in rules.domain:
                return never_taken(
                    Reason(provision=rules.declared_in, role="choice", condition=None)
                )
        if rules.added_to is not None or rules.asks_others or rules.limits or self._indivisible:
            return self._taken(index, rules, choice, table)
        # Such a bet depends on the throws alone, whatever else lies on the table.
        key = (rules.name, choice, at)
        life = table.known.get(key)
        if life is None:
            life = table.known[key] = self._taken(index, rules, choice, table)
        return life

    def _taken(self, index: int, rules: BetRules, choice: Any, table: Board) -> Life:
        """Return what becomes of a bet that is written as it should be."""
        bet = table.bets[index]
        stake, at = bet["stake"], bet.get("at", 0)
        base = None
        if rules.added_to is not None:
            base = base_of(rules, bet, at, table)
            if base is None:
                return never_taken(
                    Reason(provision=rules.declared_in, role="needs", condition=None)
                )
        others = others_of(index, at, table) if rules.asks_others else None
        has_point = base is not None and base.point_from is not None and base.point_from < at
        point = base.point if base is not None and has_point else 0
        base_added = base is not None and bet["to"] in table.added
        placing = self._placed(
            rules, (choice, table.moments[at], has_point, point, base_added, others)
        )
        why = list(placing.refused)
        if self._indivisible:
            why += indivisible(rules, stake, placing.known)
        if rules.limits:
            why += beyond(rules, bet, placing.known, table)
        if why:
            return never_taken(*why)
        if base is None:
            return self._alone(rules, choice, at, placing.points, table)
        added = table.added.setdefault(bet["to"], Added())
        added.stakes += stake
        if self._limits_prizes:
            added.owed += max(possible_prizes(rules, stake, placing.known), default=_NOUGHT)
        return self.added(rules, base, table)

    def _placed(
        self, rules: BetRules, at: tuple[Any, Moment, bool, int, bool, tuple[str, ...] | None]
    ) -> Placing:
        """Return what the law says of a bet when it is placed; little can be known then."""
        placing = self._placings.get((rules.name, at))
        if placing is not None:
            return placing
        choice, moment, base_has_point, point, base_added, others = at
        known = self._known(
            {
                "choice": choice, "point_set": moment.point != 0, "round_point": moment.point,
                "point_made": moment.point_made, "repeating": moment.repeating,
                "base_has_point": base_has_point, "base_added": base_added, "point": point,
                **({} if others is None else {"others": others}),
            }
        )  # fmt: skip
        fired = [
            (rule, rule.condition.text)
            for rule in rules.results
            if rule.stage == _PLACED and rule.condition is not None and rule.condition.on(known)
        ]
        if len(self._placings) >= _MOST_STEPS:
            self._placings.clear()
        placing = self._placings[rules.name, at] = Placing(
            refused=tuple(
                Reason(provision=rule.provision, role=_REFUSED, condition=text)
                for rule, text in fired
                if rule.result == _REFUSED
            ),
            points=tuple(rule.provision for rule, _ in fired if rule.result == _POINT),
            known=known,
        )
        return placing

    def _alone(
        self, rules: BetRules, choice: Any, at: int, taken: Sequence[str], table: Board
    ) -> Life:
        point, point_from = (table.moments[at].point, at - 1) if taken else (0, None)
        reasons = tuple(Reason(provision=one, role=_POINT, condition=None) for one in taken)
        last: tuple[Reason, ...] = ()
        for index in range(at, len(table.throws)):
            verdict = self._step(rules, table.throws[index], point, choice)
            if verdict.result == _POINT:
                point, point_from = table.throws[index]["total"], index
                reasons, last = (*reasons, *verdict.reasons), ()
            elif verdict.result == _WAITS:
                last = verdict.reasons
            else:
                return Life(
                    verdict=self._told(rules, verdict, reasons),
                    ended=index, point=point, point_from=point_from,
                )  # fmt: skip
        return Life(
            verdict=self._told(rules, _STANDS, (*reasons, *last)),
            ended=len(table.throws), point=point, point_from=point_from,
        )  # fmt: skip

    def gone_on(self, rules: BetRules, choice: Any, life: Life, table: Board) -> Life:
        """Return the life of a bet that stood alone before the last throw; it gives no reasons."""
        last = len(table.throws) - 1
        verdict = self._step(rules, table.throws[last], life.point, choice)
        point, since, ended = life.point, life.point_from, last
        if verdict.result == _POINT:
            point, since = table.throws[last]["total"], last
        if verdict.result in {_POINT, _WAITS}:
            verdict, ended = _STANDS, last + 1
        return Life(verdict=verdict, ended=ended, point=point, point_from=since)

    def added(self, rules: BetRules, base: Life, table: Board) -> Life:
        """Return the life of a bet that was added to another, as far as that one has come."""
        verdict = _STANDS
        if base.ended < len(table.throws):
            verdict = self._step(
                rules, table.throws[base.ended], base.point, None, base.verdict.result
            )
        return Life(
            verdict=self._told(rules, verdict, ()),
            ended=base.ended, point=base.point, point_from=base.point_from,
        )  # fmt: skip

    def _told(self, rules: BetRules, verdict: Verdict, before: tuple[Reason, ...]) -> Verdict:
        return with_declaration(rules, verdict, before) if self.tells else verdict

    def _paid(self, index: int, table: Board) -> Settlement:
        """Return what a bet is paid, and why."""
        bet, verdict = table.bets[index], table.lives[index].verdict
        settlement = self.game.with_stake(bet, verdict)
        rules = self.bets.get(str(bet.get("bet")))
        if verdict.result != _WIN or rules is None or rules.added_to is None:
            return settlement
        prize, why = within(rules, bet, settlement.prize, table)
        return replace(settlement, prize=Fraction(prize), reasons=(*settlement.reasons, *why))

    def answered(self, index: int, table: Board) -> dict[str, Any]:
        """Return what a bet is paid, as a case writes it."""
        bet, verdict = table.bets[index], table.lives[index].verdict
        answer = self.game.answer(bet, verdict)
        if verdict.result == _WIN:
            rules = self.game.bets[str(bet["bet"])]
            if rules.added_to is not None:
                prize = self.game.times("prize", verdict.odds, bet["stake"])
                answer["prize"] = written(within(rules, bet, prize, table)[0])
        return answer
