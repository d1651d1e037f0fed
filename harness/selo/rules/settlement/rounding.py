"""Rounding of amounts to the avo or to the pataca."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

#: Amounts are in avos; a hundred avos are a pataca (by the law of money, not of a game).
_UNITS: Final = {"": 1, "pataca-": 100}
_DOWN, _UP, _NEAREST = "down", "up", "nearest"
#: How an amount becomes whole units, which nobody needs who keeps exact accounts.
TO_THE_UNIT: Final = frozenset({_DOWN, _UP, _NEAREST})
#: No rounding: a bet whose prize might not be a whole amount is refused.
REFUSE_FRACTIONS: Final = "refuse"

#: An amount of money; a whole amount is an integer, for speed.
Money = int | Fraction


def round_fraction(amount: Fraction, to: str | None) -> Fraction:
    """Return `amount` rounded ``down``, ``up`` or ``nearest``, to the avo or to the pataca."""
    if to is None or to == REFUSE_FRACTIONS:
        return amount
    if amount.denominator == 1 and to in TO_THE_UNIT:
        return amount
    return Fraction(divide_rounded(amount.numerator, amount.denominator, to))


def divide_rounded(numerator: int, denominator: int, to: str | None) -> Money:
    """Return `numerator` divided by `denominator` and rounded, in integers where possible."""
    if to is None or to == REFUSE_FRACTIONS:
        return (
            numerator // denominator
            if numerator % denominator == 0
            else Fraction(numerator, denominator)
        )
    unit, direction = _unit_and_direction(to)
    whole, rest = divmod(numerator, denominator * unit)
    if rest and direction == _UP:
        whole += 1
    elif rest and direction == _NEAREST:
        whole = (2 * numerator + denominator * unit) // (2 * denominator * unit)
    return whole * unit


@lru_cache(maxsize=32)
def _unit_and_direction(to: str) -> tuple[int, str]:
    """Return the unit and the direction of a rounding."""
    prefix = max((prefix for prefix in _UNITS if to.startswith(prefix)), key=len)
    return _UNITS[prefix], to.removeprefix(prefix)
