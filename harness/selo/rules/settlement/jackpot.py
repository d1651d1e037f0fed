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
    from selo.table_values import Bet

    #: `Game.multiply_rounded`: the rounded kind of amount, a part, and the amount.
    MultiplyRounded = Callable[[str, Money, Money], Money]

_PER_CENT: Final = 100
_PAIR: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class SharingRules:
    """How prizes are divided, under the readings followed."""

    by_stake: bool
    per_bet: bool
    fixed_to_each: bool
    stake_kept: bool
    all_combinations: bool

    @classmethod
    def of(cls, manners: Mapping[str, str]) -> SharingRules:
        """Return what the `manner` clauses of the law say of sharing."""
        return cls(
            by_stake=manners.get("portions") == "by-stake",
            per_bet=manners.get("shares") == "per-bet",
            fixed_to_each=manners.get("fixed-amounts") == "to-each",
            stake_kept=manners.get("shared-stake") == "kept",
            all_combinations=manners.get("combinations") == "add-up",
        )


def value_share(
    share: JackpotShare,
    combination: str,
    jackpot: Mapping[str, Any],
    multiply: MultiplyRounded,
) -> Money:
    """Return the value of `combination` at a table with these jackpot options."""

    def value_term(name: str) -> Money:
        if name == FIXED:
            return _amount_of(jackpot.get("fixed") or {}, combination)
        pool = _amount_of(jackpot, "accumulated")
        if name == POOL:
            return pool
        part = (
            _percentage_of(jackpot) if name == PERCENTAGE else Fraction(int(name[:-1]), _PER_CENT)
        )
        return multiply(PERCENTAGE, part, pool)

    return max(value_term(name) for name in share.terms)


def divide_prizes(
    prizes: Sequence[tuple[Money, bool]],
    winners: Sequence[Bet],
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
    whole = sum(parts)
    payouts: list[Money] = []
    for bet, head, part in zip(winners, heads, parts, strict=True):
        payout: Money = 0
        for amount, fixed in prizes:
            if fixed and sharing.fixed_to_each:
                payout += amount * head
            else:
                payout += multiply("share", Fraction(part, whole), amount)
        payouts.append(payout - bet["stake"] if sharing.stake_kept else payout)
    return payouts


def _amount_of(amounts: Mapping[str, Any], name: str) -> int:
    amount = amounts.get(name) if isinstance(amounts, dict) else None
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
