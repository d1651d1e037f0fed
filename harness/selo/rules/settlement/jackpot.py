"""Prizes that bettors share: the value of a combination, and the payout of each winning bet.

The law gives a prize as a share of what has accumulated, as an amount that the authority approved,
or as the higher of the two; the amounts themselves are options of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses.jackpot_share import FIXED, PERCENTAGE, POOL
from selo.rules.equipment.kits import BadOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from selo.rules.clauses.jackpot_share import JackpotShare
    from selo.rules.settlement.rounding import Money
    from selo.rules.settlement.settlement_models import BetRules
    from selo.table_values import Bet

    #: `Game.multiply_rounded`: the rounded kind of amount, a part, and the amount.
    MultiplyRounded = Callable[[str, Money, Money], Money]

_PER_CENT: Final = 100
_PAIR: Final = 2
#: Manners by which what has accumulated is more or less than what the table shows, each with its
#: meaning: the amount of the jackpot's options that is added to the pool, or taken from it.
_ADDED: Final = {
    ("pool-stakes", "whole"): "not_accumulated",
    ("pool-percentage", "kept"): "paid_from_pool",
    ("pools", "common"): "other_modalities",
}
_TAKEN: Final = {
    ("pool-start", "apart"): "started_with",
    ("pool-round", "before"): "this_round",
    ("pool-fixed", "deducted"): "paid_by_house",
    ("pool-restart", "zero"): "restarted_with",
}
#: The amounts that describe the history of a jackpot; a table that shows none has had none.
POOL_AMOUNTS: Final = (*_ADDED.values(), *_TAKEN.values())
#: Those who bet on the same jackpot elsewhere: at linked tables, or in a round won just before.
ELSEWHERE, WON_BEFORE = "elsewhere", "won_before"
#: The fields of a jackpot that state more than one round.
JACKPOT_HISTORY: Final = frozenset({*POOL_AMOUNTS, ELSEWHERE, WON_BEFORE})
BETTORS, BETS, STAKED, ACCUMULATED = "bettors", "bets", "staked", "accumulated"


def shares_jackpot(rules: BetRules) -> bool:
    """Return whether the prizes of a bet are shares of a jackpot."""
    return any(prize.share is not None for prize in rules.prizes)


@dataclass(frozen=True, kw_only=True, slots=True)
class SharingRules:
    """How prizes are divided, under the readings followed."""

    by_stake: bool
    per_bet: bool
    fixed_to_each: bool
    stake_kept: bool
    all_combinations: bool
    #: Amounts of the jackpot's options that the pool has besides, and those that it has not.
    added: tuple[str, ...]
    taken: tuple[str, ...]
    #: Whether a declared percentage is of what has grown above the starting amount.
    percentage_of_growth: bool
    #: Whether bettors of linked tables share, and those of a linked round won just before.
    all_tables_share: bool
    rounds_share: bool

    @classmethod
    def of(cls, manners: Mapping[str, str]) -> SharingRules:
        """Return what the `manner` clauses of the law say of sharing."""
        return cls(
            by_stake=manners.get("portions") == "by-stake",
            per_bet=manners.get("shares") == "per-bet",
            fixed_to_each=manners.get("fixed-amounts") == "to-each",
            stake_kept=manners.get("shared-stake") == "kept",
            all_combinations=manners.get("combinations") == "add-up",
            added=tuple(amount for (manner, means), amount in _ADDED.items()
                        if manners.get(manner) == means),
            taken=tuple(amount for (manner, means), amount in _TAKEN.items()
                        if manners.get(manner) == means),
            percentage_of_growth=manners.get("pool-growth") == "above-start",
            all_tables_share=manners.get("sharers") == "linked",
            rounds_share=manners.get("won-twice") == "shared",
        )  # fmt: skip

    def pool_of(self, jackpot: Mapping[str, Any]) -> int:
        """Return what has accumulated, never less than nothing."""
        pool = _amount_of(jackpot, ACCUMULATED)
        won = jackpot.get(WON_BEFORE)
        if self.rounds_share and won is not None:
            pool = _amount_of(won, ACCUMULATED)
        pool += sum(_amount_of(jackpot, name, 0) for name in self.added)
        return max(pool - sum(_amount_of(jackpot, name, 0) for name in self.taken), 0)

    def growth_of(self, jackpot: Mapping[str, Any]) -> int:
        """Return the base of a declared percentage."""
        pool = self.pool_of(jackpot)
        if self.percentage_of_growth and "started_with" not in self.taken:
            return max(pool - _amount_of(jackpot, "started_with", 0), 0)
        return pool

    def count_others(self, jackpot: Mapping[str, Any], *, fixed: bool) -> int:
        """Return the parts of a prize that go to bettors of other tables."""
        field = STAKED if self.by_stake else BETS if self.per_bet else BETTORS
        sources = [ELSEWHERE] if self.all_tables_share else []
        # Only what has accumulated can be won at two tables.
        sources += [WON_BEFORE] if self.rounds_share and not fixed else []
        return sum(_amount_of(jackpot[name], field) for name in sources if name in jackpot)


def value_share(
    share: JackpotShare,
    combination: str,
    jackpot: Mapping[str, Any],
    sharing: SharingRules,
    multiply: MultiplyRounded,
) -> Money:
    """Return the value of `combination` at a table with these jackpot options."""

    def value_term(name: str) -> Money:
        if name == FIXED:
            return _amount_of(jackpot.get("fixed") or {}, combination)
        if name == PERCENTAGE:
            return multiply(PERCENTAGE, _percentage_of(jackpot), sharing.growth_of(jackpot))
        pool = sharing.pool_of(jackpot)
        if name == POOL:
            return pool
        return multiply(PERCENTAGE, Fraction(int(name[:-1]), _PER_CENT), pool)

    return max(value_term(name) for name in share.terms)


def divide_prizes(
    prizes: Sequence[tuple[Money, bool]],
    winners: Sequence[Bet],
    jackpot: Mapping[str, Any],
    sharing: SharingRules,
    multiply: MultiplyRounded,
) -> list[Money]:
    """Return the payout of each winning bet from `prizes`, each an amount and whether it is fixed.

    A person with several bets has one share, which the first of them carries.
    """
    heads, bettors = [], set()
    for bet in winners:
        heads.append(1 if sharing.per_bet or bet["bettor"] not in bettors else 0)
        bettors.add(bet["bettor"])
    parts = [bet["stake"] for bet in winners] if sharing.by_stake else heads
    payouts: list[Money] = []
    for bet, head, part in zip(winners, heads, parts, strict=True):
        payout: Money = 0
        for amount, fixed in prizes:
            if fixed and sharing.fixed_to_each:
                payout += amount * head
            else:
                whole = sum(parts) + sharing.count_others(jackpot, fixed=fixed)
                payout += multiply("share", Fraction(part, whole), amount)
        payouts.append(payout - bet["stake"] if sharing.stake_kept else payout)
    return payouts


def _amount_of(amounts: Mapping[str, Any], name: str, default: int | None = None) -> int:
    amount = amounts.get(name, default) if isinstance(amounts, dict) else None
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        msg = f"the options of the jackpot need a whole amount for '{name}', not {amount!r}"
        raise BadOutcome(msg)
    return amount


def _percentage_of(jackpot: Mapping[str, Any]) -> Fraction:
    percentage = jackpot.get("percentage")
    if isinstance(percentage, list | tuple) and len(percentage) == _PAIR:
        part, whole = percentage
        if all(type(number) is int for number in percentage) and 0 <= part <= whole and whole:
            return Fraction(part, whole)
    msg = f"the options of the jackpot need a percentage such as [1, 10], not {percentage!r}"
    raise BadOutcome(msg)
