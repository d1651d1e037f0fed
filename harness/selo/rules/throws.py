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

from selo.rules.dice import THROW, Dice
from selo.rules.game import REFUSED, Reason, Settlement, Verdict, decide
from selo.rules.kits import BadOutcome
from selo.rules.limits import Added, possible_prizes
from selo.rules.lives import Board, Life, base_of, never_taken, others_of, with_declaration
from selo.rules.rounding import REFUSE

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.expression import Expression
    from selo.rules.game import BetRules, Game

__all__ = ["Dice", "ThrowingGame"]

_WAITS = "stands"
_POINT = "point"
_PLACED = "placed"
_FIRST = "first"
_REFUSED = "refused"
#: So many throws of bets are remembered.
_MOST_STEPS = 50_000
_NOUGHT = Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowingGame:
    """A game of throws, settled by the rules of a compiled game."""

    game: Game
    #: The bet whose point is the point of the round.
    line: str
    _late: list[tuple[str, Expression]] = field(default_factory=list)
    _steps: dict[Hashable, Verdict] = field(default_factory=dict)
    _rounds: dict[Hashable, Board] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the definitions that speak of a bet: they are worked out anew for each."""
        late = set(Dice.variables) - THROW
        for name, _, expression in self.game.defines:
            if not late.isdisjoint(expression.names):
                late.add(name)
                self._late.append((name, expression))

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
        throws = outcome.get("throws")
        if not isinstance(throws, list):
            msg = "an outcome needs a list of throws"
            raise BadOutcome(msg)
        table = self._table(throws, bets)
        order = sorted(range(len(bets)), key=lambda index: self._placing(bets[index], index))
        settlements: dict[int, Settlement] = {}
        for index in order:
            table.lives[index] = self._lived(index, table)
        for index in order:
            settlements[index] = self._paid(index, table)
        return [settlements[index] for index in range(len(bets))]

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it."""
        throws = outcome.get("throws")
        social = any(rules.asks_others for rules in self.bets.values())
        if isinstance(throws, list) and not social and not any("to" in bet for bet in bets):
            # Bets that stand alone need no order and no limit.
            table = self._table(throws, bets)
            return [
                self.game.answer(bet, self._lived(index, table).verdict)
                for index, bet in enumerate(bets)
            ]
        return [one.plain() for one in self.settle(options, outcome, bets)]

    def _placing(self, bet: Mapping[str, Any], index: int) -> tuple[int, bool, int]:
        """Return when a bet is placed: a bet stands before what is added to it."""
        at = bet.get("at", 0)
        rules = self.bets.get(str(bet.get("bet")))
        return (
            at if isinstance(at, int) else 0,
            rules is not None and rules.added_to is not None,
            index,
        )

    def _table(self, throws: Sequence[Any], bets: Sequence[Mapping[str, Any]]) -> Board:
        key = tuple(tuple(throw) for throw in throws)
        seen = self._rounds.get(key)
        if seen is None:
            if len(self._rounds) >= _MOST_STEPS:
                self._rounds.clear()
            seen = self._rounds[key] = self._round(
                [self.game.facts({"throw": throw}) for throw in throws]
            )
        return Board(throws=seen.throws, points=seen.points, bets=bets, known=seen.known)

    def _round(self, seen: Sequence[Mapping[str, Any]]) -> Board:
        points, throws = [0], []
        for facts in seen:
            around = {**facts, "point_set": points[-1] != 0, "round_point": points[-1]}
            # The line bet cannot ask for the end of a round that its own end makes.
            ended = self._step(self.bets[self.line], around, points[-1], None).result
            throws.append({**around, "round_over": ended not in {_POINT, _WAITS}})
            if ended == _POINT:
                points.append(facts["total"])
            else:
                points.append(points[-1] if ended == _WAITS else 0)
        return Board(throws=throws, points=points, bets=(), known={})

    def _step(
        self, rules: BetRules, throw: Mapping[str, Any], point: int, choice: Any, base: str = ""
    ) -> Verdict:
        """Return what one throw makes of a bet, with its odds if it wins."""
        at = (
            rules.name, tuple(throw["dice"]), throw["round_point"], throw["round_over"],
            point, choice, base,
        )  # fmt: skip
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

    def _lived(self, index: int, table: Board) -> Life:
        bet = table.bets[index]
        rules = self.bets.get(str(bet.get("bet")))
        at = bet.get("at", 0)
        stake = bet.get("stake")
        if (
            rules is None
            or not isinstance(at, int) or not 0 <= at <= len(table.throws)
            or not isinstance(stake, int) or stake <= 0
        ):  # fmt: skip
            return never_taken()
        if rules.domain is not None and bet.get("choice") not in rules.domain:
            return never_taken(Reason(provision=rules.declared_in, role="choice", condition=None))
        if rules.added_to is None and not rules.asks_others and not rules.limits:
            # Such a bet depends on the throws alone, whatever else lies on the table.
            key = (rules.name, bet.get("choice"), at)
            if self.game.roundings.get("prize") != REFUSE and key in table.known:
                return table.known[key]
            life = table.known[key] = self._taken(index, rules, at, table)
            return life
        return self._taken(index, rules, at, table)

    def _taken(self, index: int, rules: BetRules, at: int, table: Board) -> Life:
        """Return what becomes of a bet that is written as it should be."""
        bet = table.bets[index]
        stake = bet["stake"]
        base = None
        if rules.added_to is not None:
            base = base_of(rules, bet, at, table)
            if base is None:
                return never_taken(
                    Reason(provision=rules.declared_in, role="needs", condition=None)
                )
        moment = self._moment(index, at, base, table)
        if rules.asks_others:
            moment["others"] = others_of(index, at, table)
        fired = [
            rule
            for rule in rules.results
            if rule.stage == _PLACED and rule.condition is not None and rule.condition.on(moment)
        ]
        why = [
            Reason(
                provision=rule.provision,
                role=_REFUSED,
                condition=None if rule.condition is None else rule.condition.text,
            )
            for rule in fired
            if rule.result == _REFUSED
        ]
        if rules.limits or self.game.roundings.get("prize") == REFUSE:
            why += self._beyond(rules, bet, moment, table)
        if why:
            return never_taken(*why)
        if base is not None:
            added = table.added.setdefault(bet["to"], Added())
            added.stakes += stake
            added.owed += max(possible_prizes(rules, stake, moment), default=_NOUGHT)
            return self._added(rules, base, table)
        taken = [rule.provision for rule in fired if rule.result == _POINT]
        return self._alone(rules, bet, taken, table)

    def _moment(self, index: int, at: int, base: Life | None, table: Board) -> dict[str, Any]:
        """Return what is known when a bet is placed."""
        bet = table.bets[index]
        before = table.throws[at - 1] if at else None
        has_point = base is not None and base.point_from is not None and base.point_from < at
        return self._known(
            {
                "choice": bet.get("choice"),
                "point_set": table.points[at] != 0,
                "round_point": table.points[at],
                "point_made": before is not None and before["point_set"] and before["round_over"]
                and before["total"] == before["round_point"],
                "repeating": before is not None and before["left_table"],
                "base_has_point": has_point,
                "base_added": base is not None and bet["to"] in table.added,
                "point": base.point if base is not None and has_point else 0,
            }
        )  # fmt: skip

    def _beyond(
        self, rules: BetRules, bet: Mapping[str, Any], moment: Mapping[str, Any], table: Board
    ) -> list[Reason]:
        """Return why the stake of a bet is too high, or no stake that could be paid."""
        stake = bet["stake"]
        prizes = possible_prizes(rules, stake, moment)
        why = []
        if self.game.roundings.get("prize") == REFUSE and any(
            one.denominator != 1 for one in prizes
        ):
            provisions = sorted({rule.provision for rule in rules.prizes})
            why += [Reason(provision=one, role=_REFUSED, condition=None) for one in provisions]
        for limit in rules.limits:
            added = table.added.get(bet["to"]) or Added()
            most = self._limited_by(limit.of, bet, table)
            if (limit.means == "stake" and added.stakes + stake > most) or (
                limit.means == _REFUSED and any(added.owed + one > most for one in prizes)
            ):
                why.append(Reason(provision=limit.provision, role="limit", condition=None))
        return why

    def _limited_by(self, of: str | None, bet: Mapping[str, Any], table: Board) -> int:
        """Return the stake that limits an additional bet."""
        base = table.bets[bet["to"]]
        found = [
            table.bets[other]["stake"]
            for other, life in table.lives.items()
            if of is not None and table.bets[other].get("bet") == of and not life.refused
            and life.ended >= base.get("at", 0)
            and table.bets[other].get("bettor") == bet.get("bettor")
        ]  # fmt: skip
        # Where no such bet lies on the table, the bet it was added to is the first one.
        return sum(found) if found else int(base["stake"])

    def _alone(
        self,
        rules: BetRules,
        bet: Mapping[str, Any],
        taken: Sequence[str],
        table: Board,
    ) -> Life:
        at = bet.get("at", 0)
        point, point_from = (table.points[at], at - 1) if taken else (0, None)
        reasons = tuple(Reason(provision=one, role=_POINT, condition=None) for one in taken)
        last: tuple[Reason, ...] = ()
        for index in range(at, len(table.throws)):
            verdict = self._step(rules, table.throws[index], point, bet.get("choice"))
            if verdict.result == _POINT:
                point, point_from = table.throws[index]["total"], index
                reasons, last = (*reasons, *verdict.reasons), ()
            elif verdict.result == _WAITS:
                last = verdict.reasons
            else:
                return Life(
                    verdict=with_declaration(rules, verdict, reasons),
                    ended=index, point=point, point_from=point_from,
                )  # fmt: skip
        waits = replace(REFUSED, result=_WAITS, reasons=last)
        return Life(
            verdict=with_declaration(rules, waits, reasons),
            ended=len(table.throws), point=point, point_from=point_from,
        )  # fmt: skip

    def _added(self, rules: BetRules, base: Life, table: Board) -> Life:
        verdict = replace(REFUSED, result=_WAITS)
        if base.ended < len(table.throws):
            verdict = self._step(
                rules, table.throws[base.ended], base.point, None, base.verdict.result
            )
        return replace(base, verdict=with_declaration(rules, verdict, ()))

    def _paid(self, index: int, table: Board) -> Settlement:
        bet, life = table.bets[index], table.lives[index]
        if life.verdict.result != "win":
            return Settlement(
                result=life.verdict.result, prize=_NOUGHT, commission=_NOUGHT,
                reasons=life.verdict.reasons,
            )  # fmt: skip
        settlement = self.game.with_stake(bet, life.verdict)
        rules = self.bets[str(bet["bet"])]
        if rules.added_to is None:
            return settlement
        added = table.added[bet["to"]]
        for limit in rules.limits:
            left = self._limited_by(limit.of, bet, table) - added.paid
            if limit.means == "prize" and settlement.prize > left:
                reason = Reason(provision=limit.provision, role="limit", condition=None)
                settlement = replace(settlement, prize=left, reasons=(*settlement.reasons, reason))
        added.paid += settlement.prize
        return settlement
