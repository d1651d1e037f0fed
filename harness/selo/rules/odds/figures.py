"""What is known of a bet before it is made: how often it ends how, and what that costs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from selo.errors import SeloError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NOTHING = Fraction(0)


class OddsUnknown(SeloError):
    """A bet whose odds cannot be worked out as it was placed."""

    code = "suite"


@dataclass(frozen=True, order=True, kw_only=True, slots=True)
class End:
    """One way in which a bet of one ends: its result, its prize, and what the house keeps of it."""

    result: str
    prize: Fraction = NOTHING
    commission: Fraction = NOTHING
    staked: Fraction = Fraction(1)
    #: What is gone when it is lost.
    lost: Fraction = Fraction(1)

    @property
    def gain(self) -> Fraction:
        """What the bettor has more, or less, than before."""
        if self.result == "win":
            return self.prize - self.commission
        return -self.lost if self.result == "lose" else NOTHING


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """The exact odds of one bet."""

    bet: str
    #: What was chosen, where the bet has a choice.
    choice: Any = None
    #: How the bettor plays or the table is run, where that matters.
    manner: str | None = None
    #: Each way to end and its probability; together they are certain.
    ends: Mapping[End, Fraction]
    #: Whether the law gives the prize; where the table declares it, there is no edge to speak of.
    priced: bool = True
    #: Remarks that belong beside the numbers, as name and value.
    notes: tuple[tuple[str, str], ...] = ()

    def of(self, result: str) -> Fraction:
        """Return the probability of `result`."""
        return sum((chance for end, chance in self.ends.items() if end.result == result), NOTHING)

    @property
    def edge(self) -> Fraction:
        """What the house expects to win of a stake of one, commission included."""
        return -sum((end.gain * chance for end, chance in self.ends.items()), NOTHING)

    @property
    def edge_decided(self) -> Fraction | None:
        """The same of a bet that is won or lost, leaving out those that are neither."""
        decided = self.of("win") + self.of("lose")
        return self.edge / decided if decided else None

    @property
    def staked(self) -> Fraction:
        """What is staked on average, where more may be staked in the course of the round."""
        return sum((end.staked * chance for end, chance in self.ends.items()), NOTHING)

    @property
    def variance(self) -> Fraction:
        """The variance of the gain of a stake of one."""
        square = sum((end.gain**2 * chance for end, chance in self.ends.items()), NOTHING)
        return square - self.edge**2

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells this figure from the others of its game."""
        return self.bet, str(self.choice), str(self.manner)


def figure(  # noqa: PLR0913 - a figure has as many parts as a bet
    bet: str,
    weighed: Iterable[tuple[End, int | Fraction]],
    *,
    total: int | Fraction,
    choice: Any = None,
    manner: str | None = None,
    priced: bool = True,
    notes: tuple[tuple[str, str], ...] = (),
) -> Figure:
    """Return the figure of a bet whose ends weigh so much of `total`."""
    sums: dict[End, int | Fraction] = defaultdict(int)
    for end, weight in weighed:
        if weight:
            sums[end] += weight
    if any(end.result == "refused" for end in sums):
        msg = f"{bet}: a bet that is refused has no odds"
        raise OddsUnknown(msg)
    if sum(sums.values()) != total:
        msg = f"{bet}: the ends weigh {sum(sums.values())} and not {total}"
        raise OddsUnknown(msg)
    return Figure(
        bet=bet,
        choice=choice,
        manner=manner,
        ends={end: Fraction(sums[end]) / total for end in sorted(sums)},
        priced=priced,
        notes=notes,
    )
