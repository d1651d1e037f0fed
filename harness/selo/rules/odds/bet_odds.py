"""Figures of a bet: the probability of each end, the house edge, and their formatting."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ZERO = Fraction(0)
_DECIMALS: Final = 4
#: A probability too small for these decimals is formatted with significant digits instead.
_DIGITS: Final = 4
_EXACT: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)


class OddsUnknown(SeloError):
    """The odds of a bet cannot be computed."""

    code = "suite"


@dataclass(frozen=True, order=True, kw_only=True, slots=True)
class BetEnd:
    """One end of a bet of one: its result, its prize, and the commission."""

    result: str
    prize: Fraction = _ZERO
    commission: Fraction = _ZERO
    staked: Fraction = Fraction(1)
    #: The loss if the bet is lost.
    lost: Fraction = Fraction(1)

    @property
    def gain(self) -> Fraction:
        """The gain of the bettor, negative for a loss."""
        if self.result == "win":
            return self.prize - self.commission
        return -self.lost if self.result == "lose" else _ZERO


@dataclass(frozen=True, kw_only=True, slots=True)
class BetOdds:
    """The exact odds of one bet."""

    bet: str
    #: The choice, where the bet has one.
    choice: Any = None
    #: The strategy of the bettor or the regime of the table, where it matters.
    manner: str | None = None
    #: The probability of each end; the sum is 1.
    ends: Mapping[BetEnd, Fraction]
    #: Whether the law sets the prize; where the table declares it, there is no edge.
    priced: bool = True
    #: Remarks, as name and value.
    notes: tuple[tuple[str, str], ...] = ()
    #: The expected gain of several bets that do not end independently, in place of their ends.
    mean: Fraction | None = None

    def of(self, result: str) -> Fraction:
        """Return the probability of `result`."""
        return sum((chance for end, chance in self.ends.items() if end.result == result), _ZERO)

    @property
    def edge(self) -> Fraction:
        """The expected gain of the house per unit of stake, commission included."""
        if self.mean is not None:
            return -self.mean
        return -sum((end.gain * chance for end, chance in self.ends.items()), _ZERO)

    @property
    def edge_decided(self) -> Fraction | None:
        """The edge over the bets that are won or lost."""
        decided = self.of("win") + self.of("lose")
        return self.edge / decided if decided else None

    @property
    def staked(self) -> Fraction:
        """The average stake, where it may be raised in the course of the round."""
        return sum((end.staked * chance for end, chance in self.ends.items()), _ZERO)

    @property
    def variance(self) -> Fraction:
        """The variance of the gain of a stake of one."""
        square = sum((end.gain**2 * chance for end, chance in self.ends.items()), _ZERO)
        return square - self.edge**2

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of this figure within its game."""
        return self.bet, str(self.choice), str(self.manner)


def build_figure(  # noqa: PLR0913 - a figure has as many parts as a bet
    bet: str,
    weighted: Iterable[tuple[BetEnd, int | Fraction]],
    *,
    total: int | Fraction,
    choice: Any = None,
    manner: str | None = None,
    priced: bool = True,
    notes: tuple[tuple[str, str], ...] = (),
) -> BetOdds:
    """Return the figure of a bet from its ends, weighted in parts of `total`."""
    sums: dict[BetEnd, int | Fraction] = defaultdict(int)
    for end, weight in weighted:
        if weight:
            sums[end] += weight
    if any(end.result == "refused" for end in sums):
        msg = f"{bet}: a bet that is refused has no odds"
        raise OddsUnknown(msg)
    if sum(sums.values()) != total:
        msg = f"{bet}: the ends weigh {sum(sums.values())} and not {total}"
        raise OddsUnknown(msg)
    return BetOdds(
        bet=bet,
        choice=choice,
        manner=manner,
        ends={end: Fraction(sums[end]) / total for end in sorted(sums)},
        priced=priced,
        notes=notes,
    )


def format_percentage(part: Fraction) -> str:
    """Return a part as a percentage, rounded for display."""
    exact = _EXACT.divide(Decimal(part.numerator * 100), Decimal(part.denominator))
    rounded = exact.quantize(Decimal(1).scaleb(-_DECIMALS), context=_EXACT)
    if exact and abs(exact) < Decimal(1).scaleb(_DIGITS - 1 - _DECIMALS - 2):
        small = Context(prec=_DIGITS, rounding=ROUND_HALF_EVEN).plus(exact)
        return f"{small:f}%"
    return f"{rounded}%"
