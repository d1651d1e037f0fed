"""Differences between a vendor's answer and the lawful one, and the kinds that they form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cases import AnswerPart, Case

if TYPE_CHECKING:
    from collections.abc import Mapping

#: An open point and one of its readings.
Point = tuple[str, str]
Points = tuple[Point, ...]


#: The bet of a kind of difference that concerns a comparison.
COMPARE: Final = "compare"


class DifferenceShape(msgspec.Struct, frozen=True, cache_hash=True):
    """What a difference looks like: the bet, its results, and the parts that differ."""

    game: str
    bet: str
    expected: str
    observed: str
    #: The parts of a settlement that differ; none for a comparison.
    differing: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[str, str, str, str]:
        """The same without the parts that differ."""
        return self.game, self.bet, self.expected, self.observed


class DifferenceGrounds(msgspec.Struct, frozen=True, cache_hash=True):
    """The provisions behind a difference, and the readings under which it is lawful."""

    provisions: frozenset[str]
    #: Readings of points that nobody has ruled on, and readings against a ruling.
    readings: Points
    against: Points


class DifferenceKind(msgspec.Struct, frozen=True, cache_hash=True):
    """Differences that look the same and rest on the same grounds are of one kind."""

    shape: DifferenceShape
    grounds: DifferenceGrounds

    @property
    def bet(self) -> str:
        """The bet, or that it is a comparison."""
        return self.shape.bet

    @property
    def parts(self) -> tuple[AnswerPart, ...]:
        """The parts of the answer that differ."""
        if self.bet == COMPARE:
            return (AnswerPart.COMPARISON,)
        return tuple(AnswerPart(part) for part in self.shape.differing)


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case that a vendor answered unlawfully, as an example of its kind."""

    case: Case
    #: The place of the case in its plan.
    n: int = -1
    #: Which bet of the case; nothing for a comparison.
    bet: int | None
    expected: dict[str, Any]
    observed: dict[str, Any]
    #: The provisions from which the expectation follows, each with what it does there.
    reasons: tuple[tuple[str, str], ...]
    #: Readings of points that nobody has ruled on, under which the answer is lawful.
    readings: Points
    #: The same for points on which another reading was adopted: the answer is against the ruling.
    against: Points = ()

    @staticmethod
    def describe_settlement(
        bet: Mapping[str, Any], expected: Mapping[str, Any], observed: Mapping[str, Any]
    ) -> str:
        """Return a wrong settlement in short: the bet, and each part that differs, in stakes."""
        pieces = [" ".join(str(bet[name]) for name in ("bet", "choice") if name in bet)]
        for part in AnswerPart:
            if part in expected and expected[part] != observed[part]:
                was, now = (_in_stakes(side[part], bet["stake"]) for side in (expected, observed))
                pieces.append(f"{part} {was}>{now}")
        return ", ".join(pieces)

    @property
    def provisions(self) -> tuple[str, ...]:
        """The provisions from which the expectation follows."""
        return tuple(dict.fromkeys(provision for provision, _ in self.reasons))

    @property
    def open(self) -> bool:
        """Whether the answer is lawful under some reading of an open point."""
        return bool(self.readings)

    @property
    def lawless(self) -> bool:
        """Whether only the protocol forbids it: no provision is about such a bet."""
        return not self.provisions


def _in_stakes(amount: Any, stake: Any) -> str:
    """Return an amount as a multiple of the stake; a result as it is."""
    if isinstance(amount, str):
        return amount
    exact = Fraction(amount) if isinstance(amount, int) else Fraction(*amount)
    return str(exact / stake) if type(stake) is int and stake > 0 else f"{exact}/{stake!r}"
