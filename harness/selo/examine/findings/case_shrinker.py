"""Shrinks a case to the smallest one that still shows a difference.

1. Drop bets that do not matter, with their additions: all others, then halves, quarters and so
   on, then one by one; renumber `to`.
2. Drop hands, throws and options that do not matter; bets placed later move earlier.
3. Simplify the rest: options have fewer parts and smaller numbers, dice lie flat and show low or
   equal faces, cards are low.
4. Set stakes to the usual one, or to the smallest that shows the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from selo.rules.equipment.pack_and_dice import RANKS, SUITS
from selo.rules.equipment.piece_set import LYING, PIECE_FIELDS
from selo.rules.equipment.plain_dice import split_throw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selo.cases import Case
    from selo.table_values import Bet, Options, Outcome

    #: A case, and the place of the bet that matters; none for a comparison.
    Candidate = tuple[Case, int | None]
    #: Asks the vendor whether a smaller case shows the same.
    ShowsSame = Callable[[Case, int | None], bool]

_SIMPLE_STAKE: Final = 100
#: How many cases are sent to the vendor at most.
_MAX_ATTEMPTS: Final = 250
#: The ace comes last.
_RANKS: Final = (*RANKS[1:], RANKS[0])


def shrink_case(case: Case, bet: int | None, shows: ShowsSame) -> Candidate:
    """Return the smallest case found that shows the same as `case`."""
    attempts = _CaseAttempts(shows)
    smallest: Candidate = case, bet
    candidate: Candidate | None = smallest
    # Of two cases each may be simpler than the other in some respect: none is taken twice.
    taken: set[tuple[str, int | None]] = set()
    while candidate is not None:
        smallest = candidate
        taken.add((smallest[0].key, smallest[1]))
        candidate = next(
            (
                simpler
                for simpler in _simpler_cases(*smallest)
                if attempts.shows(*simpler) and (simpler[0].key, simpler[1]) not in taken
            ),
            None,
        )
    return _minimise_stakes(smallest, attempts)


class _CaseAttempts:
    """Asks whether smaller cases show the same, each once and only so often."""

    def __init__(self, shows: ShowsSame) -> None:
        self._shows = shows
        self._answers: dict[tuple[str, int | None], bool] = {}

    def shows(self, case: Case, bet: int | None) -> bool:
        at = case.key, bet
        if at not in self._answers:
            if len(self._answers) >= _MAX_ATTEMPTS:
                return False
            self._answers[at] = self._shows(case, bet)
        return self._answers[at]


def _simpler_cases(case: Case, bet: int | None) -> Iterator[Candidate]:
    """Yield cases that are simpler in one respect, each with the new place of the bet."""
    if bet is None:
        for name in ("a", "b"):
            for hand in _simpler_hands(getattr(case, name)):
                yield msgspec.structs.replace(case, **{name: hand}), None
        return
    yield from _drop_bets(case, bet)
    yield from _drop_throws(case, bet)
    for options in _simpler_options(case.options):
        yield msgspec.structs.replace(case, options=options), bet
    for outcome in _simpler_outcomes(case.outcome):
        yield msgspec.structs.replace(case, outcome=outcome), bet
    for at, placed in enumerate(case.bets):
        if placed["stake"] != _SIMPLE_STAKE:
            yield _with_stake(case, at, _SIMPLE_STAKE), bet


def _drop_bets(case: Case, bet: int) -> Iterator[Candidate]:
    """Yield the case without all other bets, then without ever smaller groups of them.

    What the bet is added to stays.
    """
    alone = {bet}
    to = case.bets[bet].get("to")
    while isinstance(to, int) and 0 <= to < len(case.bets) and to not in alone:
        alone.add(to)
        to = case.bets[to].get("to")
    every = range(len(case.bets))
    for removed in _ever_smaller_groups([at for at in every if at not in alone]):
        dropped = _with_dependents(case.bets, removed)
        if dropped and bet not in dropped:
            kept = [at for at in every if at not in dropped]
            bets = [_renumber(case.bets[at], kept) for at in kept]
            yield msgspec.structs.replace(case, bets=bets), kept.index(bet)


def _ever_smaller_groups(places: Sequence[int]) -> Iterator[set[int]]:
    """Yield all places, then each half of them, each quarter, and so on, down to single ones."""
    size = len(places)
    while size:
        for start in range(0, len(places), size):
            yield {*places[start : start + size]}
        size //= 2


def _simpler_options(options: Options) -> Iterator[Options]:
    """Yield options without one of them, then with a part less or a smaller number in one."""
    for name in options:
        yield {other: value for other, value in options.items() if other != name}
    for name, value in options.items():
        yield from ({**options, name: simpler} for simpler in _simpler_option_values(value))


def _simpler_option_values(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from ({at: part for at, part in value.items() if at != left} for left in value)
        for name, part in value.items():
            yield from ({**value, name: simpler} for simpler in _simpler_option_values(part))
    elif isinstance(value, list):
        yield from ([*value[:at], *value[at + 1 :]] for at in range(len(value)))
    elif type(value) is int and value > 1:
        yield from dict.fromkeys((1, value // 2, value - 1))


def _with_dependents(bets: Sequence[Bet], dropped: set[int]) -> set[int]:
    """Return the places of bets, with those of all bets that are added to them."""
    while more := {at for at, bet in enumerate(bets) if bet.get("to") in dropped} - dropped:
        dropped |= more
    return dropped


def _renumber(bet: Bet, kept: list[int]) -> Bet:
    """Return a bet whose `to` is the new place of the bet it is added to."""
    return {**bet, "to": kept.index(bet["to"])} if bet.get("to") in kept else bet


def _drop_throws(case: Case, bet: int) -> Iterator[Candidate]:
    """Yield the case without one of its throws, the last first; later bets move earlier."""
    throws = case.outcome.get("throws", [])
    for dropped in reversed(range(len(throws))) if len(throws) > 1 else ():
        outcome = {**case.outcome, "throws": [*throws[:dropped], *throws[dropped + 1 :]]}
        bets = [
            {**bet, "at": bet["at"] - 1} if bet.get("at", 0) > dropped else bet for bet in case.bets
        ]
        yield msgspec.structs.replace(case, outcome=outcome, bets=bets), bet


def _simpler_outcomes(outcome: Outcome) -> Iterator[Outcome]:
    """Yield outcomes with fewer parts, then outcomes with a simpler part."""
    for name, value in outcome.items():
        if isinstance(value, dict):
            for place in value if len(value) > 1 else ():
                fewer = {at: hand for at, hand in value.items() if at != place}
                yield cast("Outcome", {**outcome, name: fewer})
        if name == LYING:
            flat = {other: part for other, part in outcome.items() if other != name}
            yield cast("Outcome", flat)
    for name, value in outcome.items():
        for plainer in _simpler_values(name, value):
            yield cast("Outcome", {**outcome, name: plainer})


def _simpler_values(name: str, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for place, hand in value.items():
            yield from ({**value, place: other} for other in _simpler_values(place, hand))
    elif not isinstance(value, list):
        return
    elif name == "throws":
        for at, throw in enumerate(value):
            dice, lying = split_throw(throw)
            flat = [dice] if len(dice) < len(throw) else []
            kept = [] if dice == throw else [lying]
            for other in (*flat, *([*lower, *kept] for lower in _simpler_dice(dice))):
                yield [*value[:at], other, *value[at + 1 :]]
    elif name in {*PIECE_FIELDS, LYING}:
        yield from _simpler_dice(value)
    else:
        yield from _simpler_hands(value)


def _simpler_dice(dice: list[Any]) -> Iterator[list[Any]]:
    """Yield dice of which one shows a lower face, or the same face as an earlier die."""
    for at, face in enumerate(dice):
        lower = range(1, face) if isinstance(face, int) else dict.fromkeys(dice[:at])
        yield from ([*dice[:at], other, *dice[at + 1 :]] for other in lower if other != face)


def _simpler_hands(hand: list[Any]) -> Iterator[list[Any]]:
    """Yield hands of which one card has an earlier suit or a lower rank."""
    for at, card in enumerate(hand):
        rank, suit = (card[:-1], card[-1]) if isinstance(card, str) and card else ("", "")
        if rank in _RANKS and suit in SUITS:
            suits = [rank + other for other in SUITS[: SUITS.index(suit)]]
            ranks = [other + suit for other in _RANKS[: _RANKS.index(rank)]]
            for other in (*suits, *ranks):
                if other not in hand:
                    yield [*hand[:at], other, *hand[at + 1 :]]


def _minimise_stakes(smallest: Candidate, attempts: _CaseAttempts) -> Candidate:
    """Return the case with the smallest stakes that show the same."""
    case, bet = smallest
    for at, placed in enumerate(case.bets):
        stake = placed["stake"]
        if type(stake) is not int or stake <= _SIMPLE_STAKE:
            continue
        low, high = _SIMPLE_STAKE, stake
        while low * 10 < high:
            if attempts.shows(_with_stake(case, at, low * 10), bet):
                high = low * 10
            else:
                low *= 10
        # For the other bets a round stake is simpler than the smallest.
        while at == bet and low + 1 < high:
            middle = (low + high) // 2
            if attempts.shows(_with_stake(case, at, middle), bet):
                high = middle
            else:
                low = middle
        case = _with_stake(case, at, high)
    return case, bet


def _with_stake(case: Case, at: int, stake: int) -> Case:
    bets = [*case.bets]
    bets[at] = {**bets[at], "stake": stake}
    return msgspec.structs.replace(case, bets=bets)
