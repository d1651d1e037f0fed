"""How an amount that cannot be paid as it is becomes one that can."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

#: Amounts are in avos; a hundred of them are a pataca, which is the law of money and of no game.
_UNITS: Final = {"": 1, "pataca-": 100}
_DOWN, _UP, _NEAREST = "down", "up", "nearest"
_TO_THE_AVO: Final = frozenset({_DOWN, _UP, _NEAREST})
#: A bet whose prize could not be paid is refused instead.
REFUSE: Final = "refuse"

#: An amount of money: a number without a remainder is an integer, for the sake of speed.
Money = int | Fraction


def rounded(amount: Fraction, to: str | None) -> Fraction:
    """Return `amount` rounded ``down``, ``up`` or ``nearest``, to the avo or to the pataca."""
    if to is None or to == REFUSE:
        return amount
    if amount.denominator == 1 and to in _TO_THE_AVO:
        return amount
    return Fraction(money(amount.numerator, amount.denominator, to))


def money(above: int, below: int, to: str | None) -> Money:
    """Return `above` divided by `below` and rounded, worked out in integers as far as can be."""
    if to is None or to == REFUSE:
        return above // below if above % below == 0 else Fraction(above, below)
    unit, how = _manner(to)
    whole, rest = divmod(above, below * unit)
    if rest and how == _UP:
        whole += 1
    elif rest and how == _NEAREST:
        whole = (2 * above + below * unit) // (2 * below * unit)
    return whole * unit


@lru_cache(maxsize=32)
def _manner(to: str) -> tuple[int, str]:
    """Return the unit to which is rounded, and in which direction."""
    prefix = max((one for one in _UNITS if to.startswith(one)), key=len)
    return _UNITS[prefix], to.removeprefix(prefix)
