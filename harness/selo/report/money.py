"""Amounts as people read them, and what a finding costs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from selo.rules.odds.figures import Figure

Amount = int | list[int]
#: The turnover for which a cost is told.
MILLION: Final = 1_000_000
_CENT: Final = 2


def exact(amount: Amount) -> Fraction:
    """Return an amount of the protocol as the number that it is."""
    return Fraction(amount) if isinstance(amount, int) else Fraction(*amount)


def told(amount: Amount, currency: str, decimals: int) -> str:
    """Return an amount of the smallest unit in whole units of the currency, exactly."""
    value = exact(amount) / 10**decimals
    return f"{currency} {number(value, decimals)}"


def number(value: Fraction, decimals: int) -> str:
    """Return `value` with `decimals` digits, more if it has them, or as a fraction if it must."""
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


def rounded(value: Fraction, decimals: int = _CENT) -> str:
    """Return `value` rounded half to even, for the eye."""
    return number(Fraction(round(value * 10**decimals), 10**decimals), decimals)


def per_million(
    bet: Mapping[str, Any],
    options: Mapping[str, Any],
    expected: Mapping[str, Any],
    money: Amount | None,
    figures: Iterable[Figure],
) -> Fraction | None:
    """Return what is paid too much for every million staked on `bet`, over all its ends.

    Every bet that should end as this one is taken to be settled as this one was. Nothing if the
    odds of such a bet are not known.
    """
    stake: int = bet.get("stake", 0)
    if money is None or not exact(money) or not stake:
        return None
    prize = exact(expected["prize"]) / stake
    given = set(map(str, options.values()))
    for figure in figures:
        if figure.bet != bet.get("bet") or figure.choice != bet.get("choice"):
            continue
        if figure.manner is not None and figure.manner not in given:
            continue
        ends = [
            part
            for end, part in figure.ends.items()
            if end.result == expected["result"] and (end.result != "win" or end.prize == prize)
        ]
        if ends:
            chance = sum(ends, Fraction(0))
            return exact(money) / Fraction(stake) * chance * MILLION
    return None
