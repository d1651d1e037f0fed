"""Numbers in JSON: the largest integer that every reader keeps, and exact fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fractions import Fraction

#: The largest integer that a double holds exactly (RFC 8259, section 6).
LARGEST_INTEGER: Final = 2**53 - 1


def encode_fraction(number: int | Fraction) -> int | list[int]:
    """Return a whole number as an integer, any other as numerator and denominator."""
    if number.denominator == 1:
        return number.numerator
    return [number.numerator, number.denominator]
