"""Games that run over several throws: a bet lives from the throw before which it was placed.

1. The round has a point while the line bet that opens it has one; that follows from its own rules.
2. A bet is refused if a clause of stage ``placed`` says so for the moment of placing it.
3. On each throw the clauses of its stage decide: ``first`` while it has no point of its own,
   ``point`` afterwards; clauses without a stage always speak.
4. The result ``point`` gives the bet its point; ``stands`` waits for the next throw.
5. An additional bet ends with the bet it was added to, by that bet's result and point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from selo.rules.game import REFUSED, Reason, Settlement, Verdict, decide
from selo.rules.kits import BadOutcome
from selo.rules.vocabulary import BOOL, INT, INTS, TEXT

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.game import BetRules, Game
    from selo.rules.kits import Tables
    from selo.rules.vocabulary import Function

_WAITS = "stands"
_POINT = "point"
#: A die that left the table shows nothing.
_GONE = 0
#: What an ordinary die can show; the law of these games does not describe it.
_SHOWN = frozenset({_GONE, *range(1, 7)})


class Dice:
    """Plain dice thrown again and again."""

    variables: Mapping[str, str] = {
        "dice": INTS,
        "left_table": BOOL,
        "alike": BOOL,
        "point": INT,
        "point_set": BOOL,
        "base": TEXT,
        "base_has_point": BOOL,
    }
    places: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, dice: int) -> None:
        self._dice = dice

    def functions(self, tables: Tables) -> list[Function]:
        """Return nothing: the common functions suffice."""
        del tables
        return []

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: choices are given as lists."""
        del choice, tables
        return None

    def read(self, outcome: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
        """Return what one throw shows, before any bet is thought of."""
        dice = outcome.get("throw")
        del tables
        if not isinstance(dice, list | tuple) or len(dice) != self._dice or set(dice) - _SHOWN:
            msg = f"{dice!r} is not a throw of {self._dice} dice"
            raise BadOutcome(msg)
        return {
            "dice": list(dice),
            "left_table": _GONE in dice,
            "alike": len(set(dice)) == 1,
            "point": 0,
            "point_set": False,
            "base": "",
            "base_has_point": False,
        }

    def raw(self, outcome: Mapping[str, Any]) -> Hashable:
        """Return the throw."""
        return tuple(outcome.get("throw") or ())

    def bound(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return nothing: a bet has no place of its own."""
        del facts, place, value
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Life:
    """What became of a bet: its result, on which throw, and the point it had."""

    result: str
    ended: int
    point: int
    point_from: int | None
    reasons: tuple[Reason, ...]
    facts: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowingGame:
    """A game of throws, settled by the rules of a compiled game."""

    game: Game
    #: The bet whose point is the point of the round.
    line: str

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
        seen = [self.game.facts({"throw": throw}) for throw in throws]
        points = self._points(seen)
        lives: dict[int, _Life | None] = {}
        return [self._settle(index, bets, seen, points, lives) for index in range(len(bets))]

    def settle_plain(
        self,
        options: Mapping[str, Any],
        outcome: Mapping[str, Any],
        bets: Sequence[Mapping[str, Any]],
    ) -> list[dict[str, Any]]:
        """Return what becomes of each bet as a case writes it."""
        return [one.plain() for one in self.settle(options, outcome, bets)]

    def _points(self, seen: Sequence[Mapping[str, Any]]) -> list[int]:
        """Return the point of the round before each throw, and after the last; nought is none."""
        points = [0]
        for facts in seen:
            life = _step(self.bets[self.line], {**facts, "point": points[-1]})
            if life[0] == _POINT:
                points.append(facts["total"])
            elif life[0] == _WAITS:
                points.append(points[-1])
            else:
                points.append(0)
        return points

    def _settle(
        self,
        index: int,
        bets: Sequence[Mapping[str, Any]],
        seen: Sequence[Mapping[str, Any]],
        points: Sequence[int],
        lives: dict[int, _Life | None],
    ) -> Settlement:
        bet = bets[index]
        life = self._life(index, bets, seen, points, lives)
        if life is None:
            return self._paid(bet, REFUSED, bets)
        rules = self.bets[str(bet["bet"])]
        verdict = Verdict(result=life.result, odds=REFUSED.odds, commission=REFUSED.odds,
                          reasons=life.reasons)  # fmt: skip
        if life.result == "win":
            verdict = self.game.priced(rules, verdict, life.facts)
        return self._paid(bet, verdict, bets)

    def _paid(
        self, bet: Mapping[str, Any], verdict: Verdict, bets: Sequence[Mapping[str, Any]]
    ) -> Settlement:
        settlement = self.game.with_stake(bet, verdict)
        rules = self.bets.get(str(bet.get("bet")))
        if rules is None or verdict.result != "win":
            return settlement
        for limit in rules.limits:
            base = bets[bet["to"]]["stake"]
            if settlement.prize > base:
                reason = Reason(provision=limit, role="limit", condition=None)
                settlement = replace(
                    settlement,
                    prize=settlement.prize * 0 + base,
                    reasons=(*settlement.reasons, reason),
                )
        return settlement

    def _life(
        self,
        index: int,
        bets: Sequence[Mapping[str, Any]],
        seen: Sequence[Mapping[str, Any]],
        points: Sequence[int],
        lives: dict[int, _Life | None],
    ) -> _Life | None:
        if index not in lives:
            lives[index] = None  # a bet added to itself finds nothing
            lives[index] = self._lived(index, bets, seen, points, lives)
        return lives[index]

    def _lived(  # noqa: PLR0911 - each reason to refuse ends here
        self,
        index: int,
        bets: Sequence[Mapping[str, Any]],
        seen: Sequence[Mapping[str, Any]],
        points: Sequence[int],
        lives: dict[int, _Life | None],
    ) -> _Life | None:
        bet = bets[index]
        rules = self.bets.get(str(bet.get("bet")))
        at = bet.get("at", 0)
        if rules is None or not isinstance(at, int) or not 0 <= at <= len(seen):
            return None
        choice = bet.get("choice")
        if rules.domain is not None and choice not in rules.domain:
            return None
        base = None
        if rules.added_to is not None:
            to = bet.get("to")
            if not isinstance(to, int) or not 0 <= to < len(bets):
                return None
            if bets[to].get("bet") != rules.added_to:
                return None
            base = self._life(to, bets, seen, points, lives)
            if base is None:
                return None
        moment = {
            "choice": choice,
            "point_set": points[at] != 0,
            "base_has_point": base is not None
            and base.point_from is not None
            and base.point_from < at <= base.ended,
        }
        if _placed_badly(rules, moment):
            return None
        if base is not None:
            return _added(rules, base, seen, moment)
        return _alone(rules, at, seen, points, choice)


def _placed_badly(rules: BetRules, moment: Mapping[str, Any]) -> bool:
    return any(
        rule.stage == "placed" and rule.condition is not None and rule.condition.on(moment)
        for rule in rules.results
    )


def _step(rules: BetRules, known: Mapping[str, Any]) -> tuple[str, list[Reason]]:
    stage = _POINT if known["point"] else "first"
    spoken = replace(rules, results=[rule for rule in rules.results if rule.stage in {None, stage}])
    return decide(spoken, known)


def _alone(
    rules: BetRules,
    at: int,
    seen: Sequence[Mapping[str, Any]],
    points: Sequence[int],
    choice: Any,
) -> _Life:
    point, point_from = 0, None
    reasons: tuple[Reason, ...] = ()
    for index in range(at, len(seen)):
        known = {
            **seen[index], "point": point, "choice": choice, "point_set": points[index] != 0,
        }  # fmt: skip
        result, why = _step(rules, known)
        if result == _POINT:
            point, point_from = known["total"], index
            reasons += tuple(why)
        elif result != _WAITS:
            return _Life(
                result=result, ended=index, point=point, point_from=point_from,
                reasons=(*reasons, *why), facts=known,
            )  # fmt: skip
    return _Life(
        result=_WAITS,
        ended=len(seen),
        point=point,
        point_from=point_from,
        reasons=reasons,
        facts={},
    )


def _added(
    rules: BetRules, base: _Life, seen: Sequence[Mapping[str, Any]], moment: Mapping[str, Any]
) -> _Life:
    if base.ended >= len(seen):
        return replace(base, result=_WAITS, reasons=())
    known = {**seen[base.ended], **moment, "point": base.point, "base": base.result}
    result, why = decide(
        replace(rules, results=[rule for rule in rules.results if rule.stage is None]), known
    )
    return replace(base, result=result, reasons=tuple(why), facts=known)
