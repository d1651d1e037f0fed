"""The values that lie on a table: a bet, an outcome, and the options of the table.

They are plain dicts of the protocol's JSON; these types name their fields and forbid to assign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NotRequired, TypeAlias, TypedDict

    from typing_extensions import ReadOnly

    Cards: TypeAlias = Sequence[str]
    #: A number, yes or no, a name, several names, or the terms of a jackpot.
    OptionValue: TypeAlias = int | str | Sequence[str] | Mapping[str, object]
    #: What the table was authorised to use, by the ids of the law.
    Options: TypeAlias = Mapping[str, OptionValue]

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
    Spot = Bet = Outcome = Options = dict[str, Any]
