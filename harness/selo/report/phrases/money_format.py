"""Amounts of the protocol as numbers, and as people read them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

Amount = int | list[int]
_CENT_DIGITS: Final = 2


def to_fraction(amount: Amount) -> Fraction:
    """Return an amount of the protocol as a number."""
    return Fraction(amount) if isinstance(amount, int) else Fraction(*amount)


def is_amount(value: Any) -> bool:
    """Return whether a value is an amount: a whole number, or numerator and denominator."""
    parts = value if isinstance(value, list) and len(value) == 2 else [value]  # noqa: PLR2004
    return all(type(part) is int for part in parts)


def format_amount(amount: Amount, currency: str, decimals: int) -> str:
    """Return an amount of the smallest unit exactly, in whole units of the currency."""
    value = to_fraction(amount) / 10**decimals
    return f"{currency} {format_number(value, decimals)}".strip()


def format_number(value: Fraction, decimals: int) -> str:
    """Return `value` exactly: with at least `decimals` digits, or as a fraction if need be."""
    sign, value = ("−", -value) if value < 0 else ("", value)
    digits, rest = decimals, value.denominator
    for prime in (2, 5):
        times = 0
        while rest % prime == 0:
            rest //= prime
            times += 1
        digits = max(digits, times)
    if rest != 1:
        whole, part = divmod(value.numerator, value.denominator)
        return f"{sign}{whole:,} {part}/{value.denominator}" if whole else f"{sign}{value}"
    scaled = int(value * 10**digits)
    whole, part = divmod(scaled, 10**digits)
    return f"{sign}{whole:,}" + (f".{part:0{digits}d}" if digits else "")


def format_rounded(value: Fraction, decimals: int = _CENT_DIGITS) -> str:
    """Return `value` rounded half to even."""
    return format_number(Fraction(round(value * 10**decimals), 10**decimals), decimals)
