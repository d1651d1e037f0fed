"""Parts of answers as bits: in which of them two answers differ, and which a change can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.cases import AnswerPart
from selo.cases.oracle.told_settlement import returned_stake

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.rules.settlement.settlement_models import BetResult
    from selo.table_values import Bet

#: The parts of an answer as bits: its result or order, and each amount.
PartMask = int
_RESULT_BIT: Final = 1
_PART_BITS: Final = {
    "result": _RESULT_BIT, "order": _RESULT_BIT, "prize": 2, AnswerPart.COMMISSION.value: 4,
    "stake": 8,
}  # fmt: skip
EVERY_PART: Final = 15


def differing_parts(bet: Bet, lawful: Mapping[str, Any], other: Mapping[str, Any]) -> PartMask:
    """Return the parts in which two settlements of a bet, as a case writes them, differ."""
    mask = 0
    for part in ("result", "prize", AnswerPart.COMMISSION.value):
        if lawful[part] != other[part]:
            mask |= _PART_BITS[part]
    if returned_stake(lawful, bet["stake"]) != returned_stake(other, bet["stake"]):
        mask |= _PART_BITS["stake"]
    return mask


def mask_of_parts(parts: Iterable[str]) -> PartMask:
    """Return some parts of an answer as a mask; a part that sums up others is all of them."""
    mask = 0
    for part in parts:
        mask |= _PART_BITS.get(part, EVERY_PART)
    return mask


def may_have_part(changed: PartMask, wrong: PartMask) -> bool:
    """Return whether what changes some parts can have had a part in an answer with wrong ones.

    Where the result is wrong, so can whatever changes the result; if not, only what changes
    nothing but wrong amounts.
    """
    return bool(changed & wrong & _RESULT_BIT) or not changed & ~wrong


def result_key(verdict: BetResult) -> tuple[Any, ...]:
    """Return the parts of a result that decide a settlement, as integers for fast comparison."""
    odds, kept = verdict.odds, verdict.commission
    return (
        verdict.result,
        verdict.stake,
        odds.numerator,
        odds.denominator,
        kept.numerator,
        kept.denominator,
        getattr(verdict, "paid", None),
    )
