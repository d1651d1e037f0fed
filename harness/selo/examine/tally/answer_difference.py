"""Differences between a vendor's answer and the lawful one, and the kinds that they form."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from selo.cases import AnswerPart, Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: An open point and one of its readings.
Point = tuple[str, str]
Points = tuple[Point, ...]


#: The bet of a kind of difference that concerns a comparison.
COMPARE: Final = "compare"
SETTLEMENT_PARTS: Final = ("result", "prize", "commission", "stake")


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
    #: Readings of points without a ruling, and readings against a ruling: each makes it
    #: lawful.
    readings: Points
    against: Points
    #: Readings of points without a ruling, which only together make it lawful.
    together: Points = ()
    #: All readings that together make it lawful, where some of them are against a ruling.
    jointly: Points = ()

    @classmethod
    def of(
        cls,
        reasons: Iterable[tuple[str, str]],
        alone: Points,
        together: Points,
        is_ruled: Callable[[str], bool],
    ) -> Self:
        """Return the grounds of a difference that readings make lawful, alone or together."""
        against = tuple(point for point in (*alone, *together) if is_ruled(point[0]))
        return cls(
            frozenset(provision for provision, _ in reasons),
            tuple(point for point in alone if not is_ruled(point[0])),
            against,
            () if against else together,
            together if against else (),
        )

    @property
    def alternatives(self) -> tuple[Points, ...]:
        """Every combination of readings that makes it lawful."""
        joint = self.together or self.jointly
        alone = () if self.jointly else (*self.readings, *self.against)
        return (*((point,) for point in alone), *((joint,) if joint else ()))


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
    #: Readings of points without a ruling, under which the answer is lawful.
    readings: Points
    #: The same for points on which another reading was adopted: the answer is against the ruling.
    against: Points = ()
    #: Readings of points without a ruling, which only together make the answer lawful.
    together: Points = ()
    #: Whether the law in force gives this answer, and not the readings that nearly all others fit:
    #: what is expected is what these give.
    odd: bool = False

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
        """Whether the answer is lawful under some readings of open points."""
        return bool(self.readings or self.together)

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


def settlement_shape(
    game: str, bet: str, expected: Mapping[str, Any], observed: Mapping[str, Any]
) -> DifferenceShape:
    """Return what a wrong settlement of a bet looks like."""
    differing = tuple(part for part in observed if observed[part] != expected[part])
    # Where no result is told, none is known.
    was, now = (side.get("result", "") for side in (expected, observed))
    return DifferenceShape(game, bet, was, now, differing)
