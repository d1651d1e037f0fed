"""The values that lie on a table: a bet, an outcome, and the options of the table.

They are plain dicts of the protocol's JSON; these types name their fields and forbid to assign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NotRequired, TypeAlias, TypedDict

    from typing_extensions import ReadOnly

    Cards: TypeAlias = Sequence[str]
    #: A number, yes or no, a name, several names, or the terms of a jackpot.
    OptionValue: TypeAlias = int | str | Sequence[str] | Mapping[str, object]
    #: What the table was authorised to use, by the ids of the law.
    Options: TypeAlias = Mapping[str, OptionValue]

    class TableOptions(TypedDict, total=False):
        """The options to which the protocol gives a form or settlement a meaning.

        All others are words of a law, which only its conditions read.
        """

        packs: ReadOnly[int]
        commission: ReadOnly[str]
        #: The bets that the table offers besides those that it must.
        offered: ReadOnly[Sequence[str]]
        jackpot: ReadOnly[Mapping[str, object]]
        #: Whether limits are declared, and the stakes between which they lie.
        limits: ReadOnly[str]
        minimum: ReadOnly[int]
        maximum: ReadOnly[int]
        highest_prize: ReadOnly[int]

    class Spot(TypedDict):
        """What may be bet on: a bet without its stake."""

        bet: ReadOnly[str]
        choice: NotRequired[ReadOnly[int | str]]
        bettor: NotRequired[ReadOnly[str]]
        seat: NotRequired[ReadOnly[str]]
        place: NotRequired[ReadOnly[str]]
        #: Whether the stake was held from an earlier round.
        held: NotRequired[ReadOnly[bool]]
        #: Whether the bet was taken though it should have been refused.
        overlooked: NotRequired[ReadOnly[bool]]
        #: Whether the table closes after the round.
        closing: NotRequired[ReadOnly[bool]]
        #: The index of the throw before which the bet was placed.
        at: NotRequired[ReadOnly[int]]
        #: The index, among the bets, of the bet that this one is added to.
        to: NotRequired[ReadOnly[int]]

    class Bet(Spot):
        """A stake on something; the bet may be one that must be refused."""

        stake: ReadOnly[int]

    class Outcome(TypedDict, total=False):
        """What the dice or the cards showed; each kind of equipment has its own fields."""

        dice: ReadOnly[Sequence[str]]
        lying: ReadOnly[Sequence[str]]
        #: The figures announced, where they are not those of the dice.
        announced: ReadOnly[Sequence[str]]
        throws: ReadOnly[Sequence[Sequence[Any]]]
        player: ReadOnly[Cards]
        banker: ReadOnly[Cards]
        exposed: ReadOnly[Cards]
        seats: ReadOnly[Mapping[str, Cards]]
        croupier: ReadOnly[Cards]
        places: ReadOnly[Mapping[str, Cards]]
        #: Only inside of Selo, for a kit to read: one of several throws, and the table's options.
        throw: ReadOnly[Sequence[Any]]
        options: ReadOnly[Options]

else:
    # A struct that is decoded from JSON may have fields of these types: msgspec would drop the
    # unknown fields of a TypedDict, and the published schemas would change.
    Spot = Bet = Outcome = Options = TableOptions = dict[str, Any]


_STAKE: Final = "stake"


@dataclass(frozen=True, kw_only=True, slots=True)
class StakeLimits:
    """The stakes that a product takes, as its vendor declares: the largest, and the step.

    1. Stakes that are not multiples of the step are multiplied by it, all of a case together.
    2. Bets with a stake above the largest are not asked.
    3. A stake that no table may take (zero, negative, not whole) stays: it is to be refused.
    """

    largest: int | None = None
    step: int = 1

    @property
    def is_open(self) -> bool:
        """Whether every stake can be asked."""
        return self.largest is None and self.step == 1

    def admits(self, stakes: Iterable[Any]) -> bool:
        """Return whether the product can be asked for every one of some stakes."""
        positive = _positive(stakes)
        within = self.largest is None or max(positive, default=0) <= self.largest
        return within and self._fits_step(positive)

    def admits_fields(self, entries: Iterable[Mapping[str, Any]], *names: str) -> bool:
        """Return whether the stakes in some fields of bets or acts can be asked."""
        return self.is_open or self.admits(
            entry.get(name) for entry in entries for name in names or (_STAKE,)
        )

    def fit(self, bets: Sequence[Bet], payable: int) -> list[Bet] | None:
        """Return bets within the limits, with the same proportions, or nothing.

        A stake above `payable` is not made: its prize could not be written.
        """
        if self.admits_fields(bets):
            return list(bets)
        if self._fits_step(_positive(bet.get(_STAKE) for bet in bets)):
            return None
        fitted = [
            cast("Bet", {**bet, _STAKE: bet[_STAKE] * self.step}) if _positive([bet.get(_STAKE)])
            else bet
            for bet in bets
        ]  # fmt: skip
        high = max(_positive(bet.get(_STAKE) for bet in fitted), default=0) > payable
        return None if high or not self.admits_fields(fitted) else fitted

    def _fits_step(self, stakes: Iterable[int]) -> bool:
        return all(stake % self.step == 0 for stake in stakes)


#: No limits.
ANY_STAKE: Final = StakeLimits()


def _positive(stakes: Iterable[Any]) -> list[int]:
    return [stake for stake in stakes if type(stake) is int and stake > 0]
