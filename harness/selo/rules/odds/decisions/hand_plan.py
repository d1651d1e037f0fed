"""Ways to play a hand: whose it is and which bets lie, and how it then ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selo.rules.odds.bet_odds import BetEnd


class HandPlan(NamedTuple):
    """A way to play a hand: which hand it is, the first card of the other one, the bets."""

    second: bool
    #: The group of the first card of the other hand, where the place was divided.
    other: int | None
    #: The bets that lie, and those of them that this hand decides.
    names: tuple[str, ...]
    counted: tuple[str, ...]


#: A way to play, with the first card of its hand; a hand; and in how many ways it comes.
Part = tuple[tuple[HandPlan, int | None], int, int]


class HandEnds(NamedTuple):
    """How a kind of hand ends against each kind of house."""

    ends: list[list[BetEnd]]
    gains: list[float]
    #: Whether it ends alike against all of them.
    sure: bool
