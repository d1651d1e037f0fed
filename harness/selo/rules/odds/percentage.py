"""Exact parts as percentages for the eye."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fractions import Fraction

_DECIMALS: Final = 4
#: A chance that so many decimals cannot show is shown by so many digits instead.
_DIGITS: Final = 4
_EXACT: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)


def percent(part: Fraction) -> str:
    """Return a part as a percentage, rounded for the eye only."""
    exact = _EXACT.divide(Decimal(part.numerator * 100), Decimal(part.denominator))
    rounded = exact.quantize(Decimal(1).scaleb(-_DECIMALS), context=_EXACT)
    if exact and abs(exact) < Decimal(1).scaleb(_DIGITS - 1 - _DECIMALS - 2):
        small = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN).plus(exact)
        return f"{small:f}%"
    return f"{rounded}%"
