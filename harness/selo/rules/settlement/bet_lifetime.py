"""What becomes of bets over several throws: each bet's life, and the table on which they lie."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from selo.rules.settlement.addition_limits import Added, possible_prizes
from selo.rules.settlement.bet_rules import Reason
from selo.rules.settlement.game import REFUSED, Verdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.settlement.bet_rules import BetRules
    from selo.rules.settlement.rounding import Money

_REFUSED = "refused"
#: What a limit bears on.
_PRIZE, _STAKE = "prize", "stake"


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    """What became of a bet: the verdict, on which throw, and the point it had from which throw."""

    verdict: Verdict
    ended: int
    point: int = 0
    point_from: int | None = None

    @property
    def refused(self) -> bool:
        """Whether the bet was never taken."""
        return self.verdict.result == _REFUSED


class Moment(NamedTuple):
    """When a bet can be placed: before a throw of a round, or after the last."""

    #: The point of the round; nought is none.
    point: int
    #: Whether the throw before made the point of the round.
    point_made: bool
    #: Whether the throw before was not valid and is thrown again.
    repeating: bool

    @classmethod
    def after(cls, throw: Mapping[str, Any] | None, point: int) -> Moment:
        """Return the moment after a throw, or before the first, when the round has that point."""
        return cls(
            point=point,
            point_made=throw is not None
            and throw["point_set"]
            and throw["round_over"]
            and throw["total"] == throw["round_point"],
            repeating=throw is not None and throw["left_table"],
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Placing:
    """What the law says when a bet is placed: why it is refused, and what gives it a point."""

    refused: tuple[Reason, ...]
    points: tuple[str, ...]
    #: What was known at that moment.
    known: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """Throws with the round around them, which many cases share."""

    throws: Sequence[Mapping[str, Any]]
    #: The moments before each throw, and after the last.
    moments: Sequence[Moment]
    #: What became of bets on these throws in other cases, by name, choice and moment.
    known: dict[Hashable, Life] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class Board:
    """A case: its round, its bets, and what became of them so far."""

    throws: Sequence[Mapping[str, Any]]
    moments: Sequence[Moment]
    bets: Sequence[Mapping[str, Any]]
    known: dict[Hashable, Life]
    lives: dict[int, Life] = field(default_factory=dict)
    added: dict[int, Added] = field(default_factory=dict)


@lru_cache(maxsize=1024)
def never_taken(*reasons: Reason) -> Life:
    """Return the life of a bet that was refused."""
    return Life(verdict=replace(REFUSED, reasons=reasons), ended=-1)


def others_of(index: int, at: int, table: Board) -> tuple[str, ...]:
    """Return the bets of the same bettor that lie on the table at that moment."""
    bettor = table.bets[index].get("bettor")
    return tuple(
        str(table.bets[other]["bet"])
        for other, life in table.lives.items()
        if not life.refused and life.ended >= at and table.bets[other].get("bettor") == bettor
    )


def base_of(rules: BetRules, bet: Mapping[str, Any], at: int, table: Board) -> Life | None:
    """Return the bet to which another is added, if it lies on the table at that moment."""
    to = bet.get("to")
    if not isinstance(to, int) or not 0 <= to < len(table.bets):
        return None
    life = table.lives.get(to)
    if life is None or life.refused or life.ended < at:
        return None
    return life if table.bets[to].get("bet") == rules.added_to else None


def with_declaration(rules: BetRules, verdict: Verdict, before: tuple[Reason, ...]) -> Verdict:
    """Return `verdict` with the reasons `before` it, and the provision that allows the bet."""
    reasons = (*before, *verdict.reasons)
    if all(reason.provision != rules.declared_in for reason in reasons):
        reasons = (Reason(provision=rules.declared_in, role="bet", condition=None), *reasons)
    return replace(verdict, reasons=reasons)


def indivisible(rules: BetRules, stake: int, known: Mapping[str, Any]) -> list[Reason]:
    """Return why a stake is refused whose prize might be no whole amount."""
    if all(
        possible_prize.denominator == 1 for possible_prize in possible_prizes(rules, stake, known)
    ):
        return []
    provisions = sorted({rule.provision for rule in rules.prizes})
    return [Reason(provision=provision, role=_REFUSED, condition=None) for provision in provisions]


def beyond(
    rules: BetRules, bet: Mapping[str, Any], known: Mapping[str, Any], table: Board
) -> list[Reason]:
    """Return which limits the stake of an additional bet passes, or what it could win."""
    why = []
    for limit in rules.limits:
        if limit.means == _PRIZE:
            # Such a bet is taken, and its prize is limited when it is paid.
            continue
        added = table.added.get(bet["to"]) or Added()
        most = _limited_by(limit.of, bet, table)
        if limit.means == _STAKE:
            passed = added.stakes + bet["stake"] > most
        else:
            prizes = possible_prizes(rules, bet["stake"], known)
            passed = any(added.owed + prize > most for prize in prizes)
        if passed:
            why.append(Reason(provision=limit.provision, role="limit", condition=None))
    return why


def within(
    rules: BetRules, bet: Mapping[str, Any], prize: Money, table: Board
) -> tuple[Money, list[Reason]]:
    """Return what of the prize of an additional bet is paid, and which limits hold the rest."""
    added = table.added[bet["to"]]
    why = []
    for limit in rules.limits:
        left = _limited_by(limit.of, bet, table) - added.paid
        if limit.means == _PRIZE and prize > left:
            prize = left
            why.append(Reason(provision=limit.provision, role="limit", condition=None))
    added.paid += prize
    return prize, why


def _limited_by(of: str | None, bet: Mapping[str, Any], table: Board) -> int:
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
