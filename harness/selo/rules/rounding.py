"""How an amount that cannot be paid as it is becomes one that can."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

#: Amounts are in avos; a hundred of them are a pataca, which is the law of money and of no game.
_UNITS: Final = {"": 1, "pataca-": 100}
_TO_THE_AVO: Final = frozenset({"down", "up", "nearest"})
#: A bet whose prize could not be paid is refused instead.
REFUSE: Final = "refuse"


def rounded(amount: Fraction, to: str | None) -> Fraction:
    """Return `amount` rounded ``down``, ``up`` or ``nearest``, to the avo or to the pataca."""
    if to is None or to == REFUSE:
        return amount
    if amount.denominator == 1 and to in _TO_THE_AVO:
        return amount
    prefix = max((one for one in _UNITS if to.startswith(one)), key=len)
    unit = _UNITS[prefix]
    units = amount / unit
    whole = units.numerator // units.denominator
    if units.denominator == 1:
        return amount
    if to == f"{prefix}up":
        whole += 1
    elif to == f"{prefix}nearest":
        whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    return Fraction(whole * unit)
