"""The smallest case that still shows a difference, found by asking for simpler and simpler ones.

1. Bets that do not matter go, with what is added to them; places in `to` follow.
2. Hands, throws and options that do not matter go; bets that are laid later come earlier.
3. What is left is made plain: dice lie flat and show low or equal faces, cards are low.
4. Stakes become the usual one, or the smallest that shows the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selo.cases import Case

    #: A case, and which bet of it matters; nothing for a comparison.
    Example = tuple[Case, int | None]
    #: Whether a smaller case shows the same; it asks the vendor.
    Shows = Callable[[Case, int | None], bool]

_SIMPLE_STAKE: Final = 100
#: A case is made smaller in so many tries at most.
_MOST_TRIES: Final = 250
_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_SUITS: Final = ("S", "H", "D", "C")


def smallest(case: Case, bet: int | None, shows: Shows) -> Example:
    """Return a case that shows the same as `case` and is as small as it was found to be."""
    tries = _Tries(shows)
    found: Example = case, bet
    smaller: Example | None = found
    while smaller is not None:
        found = smaller
        smaller = next((one for one in _smaller(*found) if tries.shows(*one)), None)
    return _least_stakes(found, tries)


class _Tries:
    """Asks whether smaller cases show the same, each once and not without end."""

    def __init__(self, shows: Shows) -> None:
        self._shows = shows
        self._known: dict[tuple[str, int | None], bool] = {}

    def shows(self, case: Case, bet: int | None) -> bool:
        at = case.key, bet
        if at not in self._known:
            if len(self._known) >= _MOST_TRIES:
                return False
            self._known[at] = self._shows(case, bet)
        return self._known[at]


def _smaller(case: Case, bet: int | None) -> Iterator[Example]:
    """Yield cases that are simpler by one thing, and where the bet then stands."""
    if bet is None:
        for name in ("a", "b"):
            for hand in _plainer_hands(getattr(case, name)):
                yield msgspec.structs.replace(case, **{name: hand}), None
        return
    yield from _fewer_bets(case, bet)
    yield from _fewer_throws(case, bet)
    for name in case.options:
        options = {other: value for other, value in case.options.items() if other != name}
        yield msgspec.structs.replace(case, options=options), bet
    for outcome in _plainer(case.outcome):
        yield msgspec.structs.replace(case, outcome=outcome), bet
    for at, one in enumerate(case.bets):
        if one["stake"] != _SIMPLE_STAKE:
            yield _staked(case, at, _SIMPLE_STAKE), bet


def _fewer_bets(case: Case, bet: int) -> Iterator[Example]:
    """Yield the case with the bet alone and what it is added to, then without one other bet."""
    alone = {bet}
    to = case.bets[bet].get("to")
    while isinstance(to, int) and 0 <= to < len(case.bets) and to not in alone:
        alone.add(to)
        to = case.bets[to].get("to")
    every = range(len(case.bets))
    for left in ({*every} - alone, *({at} for at in every if at not in alone)):
        gone = _with_added(case.bets, left)
        if gone and bet not in gone:
            kept = [at for at in every if at not in gone]
            bets = [_moved(case.bets[at], kept) for at in kept]
            yield msgspec.structs.replace(case, bets=bets), kept.index(bet)


def _with_added(bets: Sequence[dict[str, Any]], gone: set[int]) -> set[int]:
    """Return some bets with all that is added to them."""
    while more := {at for at, bet in enumerate(bets) if bet.get("to") in gone} - gone:
        gone |= more
    return gone


def _moved(bet: dict[str, Any], kept: list[int]) -> dict[str, Any]:
    """Return a bet that is added to another one at that one's new place."""
    return {**bet, "to": kept.index(bet["to"])} if bet.get("to") in kept else bet


def _fewer_throws(case: Case, bet: int) -> Iterator[Example]:
    """Yield the case without one of its throws, the last first; later bets come earlier."""
    throws = case.outcome.get("throws", [])
    for gone in reversed(range(len(throws))) if len(throws) > 1 else ():
        outcome = {**case.outcome, "throws": [*throws[:gone], *throws[gone + 1 :]]}
        bets = [
            {**bet, "at": bet["at"] - 1} if bet.get("at", 0) > gone else bet for bet in case.bets
        ]
        yield msgspec.structs.replace(case, outcome=outcome, bets=bets), bet


def _plainer(outcome: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield outcomes that show less, or something plainer."""
    for name, value in outcome.items():
        if isinstance(value, dict):
            for place in value if len(value) > 1 else ():
                yield {**outcome, name: {at: one for at, one in value.items() if at != place}}
        if name == "lying":
            yield {other: one for other, one in outcome.items() if other != name}
    for name, value in outcome.items():
        for plainer in _plainer_part(name, value):
            yield {**outcome, name: plainer}


def _plainer_part(name: str, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for place, hand in value.items():
            yield from ({**value, place: other} for other in _plainer_part(place, hand))
    elif not isinstance(value, list):
        return
    elif name == "throws":
        for at, dice in enumerate(value):
            for other in _plainer_dice(dice):
                yield [*value[:at], other, *value[at + 1 :]]
    elif name in {"dice", "lying"}:
        yield from _plainer_dice(value)
    else:
        yield from _plainer_hands(value)


def _plainer_dice(dice: list[Any]) -> Iterator[list[Any]]:
    """Yield dice of which one shows a lower face, or the same as one before it."""
    for at, face in enumerate(dice):
        lower = range(1, face) if isinstance(face, int) else dict.fromkeys(dice[:at])
        yield from ([*dice[:at], other, *dice[at + 1 :]] for other in lower if other != face)


def _plainer_hands(hand: list[Any]) -> Iterator[list[Any]]:
    """Yield hands of which one card is of an earlier suit, or lower."""
    for at, card in enumerate(hand):
        rank, suit = (card[:-1], card[-1]) if isinstance(card, str) and card else ("", "")
        if rank in _RANKS and suit in _SUITS:
            suits = [rank + other for other in _SUITS[: _SUITS.index(suit)]]
            ranks = [other + suit for other in _RANKS[: _RANKS.index(rank)]]
            for other in (*suits, *ranks):
                if other not in hand:
                    yield [*hand[:at], other, *hand[at + 1 :]]


def _least_stakes(found: Example, tries: _Tries) -> Example:
    """Return the case with the smallest stakes that show the same."""
    case, bet = found
    for at, one in enumerate(case.bets):
        stake = one["stake"]
        if type(stake) is not int or stake <= _SIMPLE_STAKE:
            continue
        low, high = _SIMPLE_STAKE, stake
        while low * 10 < high:
            if tries.shows(_staked(case, at, low * 10), bet):
                high = low * 10
            else:
                low *= 10
        # Of other bets a round stake is plainer than the smallest.
        while at == bet and low + 1 < high:
            middle = (low + high) // 2
            if tries.shows(_staked(case, at, middle), bet):
                high = middle
            else:
                low = middle
        case = _staked(case, at, high)
    return case, bet


def _staked(case: Case, at: int, stake: int) -> Case:
    bets = [*case.bets]
    bets[at] = {**bets[at], "stake": stake}
    return msgspec.structs.replace(case, bets=bets)
