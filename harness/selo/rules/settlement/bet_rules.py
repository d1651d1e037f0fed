"""The rules of one bet as compiled: results, prizes, commissions, needs, limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

    from selo.rules.clauses import LimitRule
    from selo.rules.language import Expression
    from selo.rules.settlement.jackpot import Share


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """One step of a derivation: a provision, what it does, and its condition."""

    provision: str
    role: str
    condition: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultRule:
    """When a bet has a certain result, and what that prevails over."""

    provision: str
    result: str
    condition: Expression | None
    over: frozenset[str]
    stage: str | None = None
    #: The combination of cards that this rule describes, by the name that prizes use.
    combination: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PrizeRule:
    """What a winning bet is paid under a condition."""

    provision: str
    odds: Fraction
    condition: Expression | None
    #: What bettors share, where the prize is no multiple of a stake.
    share: Share | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommissionRule:
    """What part of a prize the house keeps."""

    provision: str
    rate: Fraction
    condition: Expression | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NeedRule:
    """Another bet that must lie beside this one."""

    provision: str
    beside: frozenset[str]
    same: tuple[str, ...]
    #: Whether the need is waived where the bettor is the player of the place.
    unless_own: bool = False


@dataclass(kw_only=True, slots=True)
class BetRules:
    """Everything the law says of one bet."""

    name: str
    declared_in: str
    domain: tuple[Any, ...] | None
    place: str | None
    results: list[ResultRule] = field(default_factory=list)
    prizes: list[PrizeRule] = field(default_factory=list)
    commissions: list[CommissionRule] = field(default_factory=list)
    needs: list[NeedRule] = field(default_factory=list)
    #: The bet to which this one is added, in a game of throws.
    added_to: str | None = None
    #: What may not pass the stake of that bet.
    limits: list[LimitRule] = field(default_factory=list)
    #: Whether a condition asks which other bets lie at the same place.
    asks_others: bool = False
