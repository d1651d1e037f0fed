"""Hands of cards to choose cases from: one of each kind, in the order of the law."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.rules.game import Game

Hand = list[str]
#: What an ordinary pack holds.
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "SHDC"
PACK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
#: How many cards make a hand in the games of three cards.
CARDS: Final = 3
_MOVES: Final = [dict(zip(SUITS, moved, strict=True)) for moved in permutations(SUITS)]


def all_hands() -> Iterator[Hand]:
    """Yield every hand of one pack."""
    return map(list, combinations(PACK, CARDS))


def mixed() -> list[Hand]:
    """Return one hand of different suits for every choice of ranks."""
    return [
        [rank + suit for rank, suit in zip(ranks, SUITS, strict=False)]
        for ranks in combinations_with_replacement(RANKS, CARDS)
    ]


def suited() -> list[Hand]:
    """Return one hand of one suit for every choice of different ranks."""
    return [[rank + SUITS[0] for rank in ranks] for ranks in combinations(RANKS, CARDS)]


def classes(game: Game) -> list[Hand]:
    """Return one hand for each place in the order of hands, the highest first.

    Of hands in one place the first with the most different ranks is taken: it leaves the pack
    enough cards to deal another like it.
    """
    if game.order is None:
        return []
    found: dict[tuple[int, ...], Hand] = {}
    for hand in [*mixed(), *suited()]:
        at = game.order(sorted(hand))
        if at not in found or _different(hand) > _different(found[at]):
            found[at] = hand
    return [found[at] for at in sorted(found)]


def _different(hand: Hand) -> int:
    return len({card[:-1] for card in hand})


def ends(game: Game, hands: Sequence[Hand], depth: int = 1) -> list[Hand]:
    """Return the first and the last of `hands` on each line of the order.

    With a greater `depth`, of the hands on a line that have so many first numbers in common.
    """
    lines: dict[tuple[int, ...], list[Hand]] = {}
    for hand in hands:
        if game.order is not None:
            lines.setdefault(game.order(sorted(hand))[:depth], []).append(hand)
    return [hand for line in lines.values() for hand in ([line[0], line[-1]] if line[1:] else line)]


def apart(hand: Hand, other: Hand) -> Hand | None:
    """Return `hand` in suits that one pack can deal beside `other`, or nothing if it cannot."""
    for move in _MOVES:
        moved = [card[:-1] + move[card[-1]] for card in hand]
        if not set(moved) & set(other):
            return moved
    return None


def another(hand: Hand, hands: Sequence[Hand], at: int) -> Hand:
    """Return the first of `hands`, counted from `at` and round, that one pack deals beside `hand`.

    The hand of an examination of every hand must never be left out for want of another.
    """
    turned = (hands[(at + more) % len(hands)] for more in range(len(hands)))
    return next(filter(None, (apart(one, hand) for one in turned)))


def neighbours(hands: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield each hand with itself and with the next in the order, both ways, as one pack deals."""
    for at, hand in enumerate(hands):
        for near in hands[max(at - 1, 0) : at + 2]:
            other = apart(near, hand)
            if other is not None:
                yield hand, other


def crossed(hands: Sequence[Hand], others: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield every one of `hands` with every one of `others`, as far as one pack can deal both."""
    for hand in hands:
        for other in others:
            moved = apart(other, hand)
            if moved is not None:
                yield hand, moved
