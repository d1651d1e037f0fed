"""Hands of cards to choose cases from: one of each kind, in the order of the law."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from selo.rules.settlement.game import Game

Hand = list[str]
#: What an ordinary pack holds.
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "SHDC"
PACK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
#: How many cards make a hand in the games of three cards.
HAND_SIZE: Final = 3
#: One bit for each card: which cards two hands have in common is then one operation.
_CARD_BITS: Final = {card: 1 << at for at, card in enumerate(PACK)}
_SUIT_MAPS: Final = [dict(zip(SUITS, moved, strict=True)) for moved in permutations(SUITS)]
#: Every card with its suit for another, in each way to do that.
SUIT_PERMUTATIONS: Final = [
    {card: card[:-1] + move[card[-1]] for card in PACK} for move in _SUIT_MAPS
]

_CARD_ORDERS: Final = list(permutations(range(HAND_SIZE)))


def all_hands() -> Iterator[Hand]:
    """Yield every hand of one pack."""
    return map(list, combinations(PACK, HAND_SIZE))


def hands_up_to_suits(chance: Random) -> Iterator[tuple[Hand, list[tuple[int, Hand]]]]:
    """Yield one hand for all that differ only in which suit is which.

    Which hands come first, and the order of their cards, are drawn.

    Beside it stand all of them, itself among them, each with the way in which suits were turned:
    what was found for the one is found for the others by turning it in the same way.
    """
    seen: set[int] = set()
    hands = list(all_hands())
    chance.shuffle(hands)
    for one in hands:
        if card_mask(one) in seen:
            continue
        hand = chance.sample(one, HAND_SIZE)
        images: dict[int, tuple[int, Hand]] = {}
        for way, turned in enumerate(SUIT_PERMUTATIONS):
            image = [turned[card] for card in hand]
            images.setdefault(card_mask(image), (way, image))
        seen |= images.keys()
        yield hand, list(images.values())


def hands_of_mixed_suits() -> list[Hand]:
    """Return one hand of different suits for every choice of ranks."""
    return [
        [rank + suit for rank, suit in zip(ranks, SUITS, strict=False)]
        for ranks in combinations_with_replacement(RANKS, HAND_SIZE)
    ]


def hands_of_one_suit() -> list[Hand]:
    """Return one hand of one suit for every choice of different ranks."""
    return [[rank + SUITS[0] for rank in ranks] for ranks in combinations(RANKS, HAND_SIZE)]


def hands_of_two_suits() -> list[Hand]:
    """Return one hand of just two suits for every choice of different ranks."""
    return [
        [low + SUITS[0], middle + SUITS[0], high + SUITS[1]]
        for low, middle, high in combinations(RANKS, HAND_SIZE)
    ]


def one_hand_per_class(game: Game) -> list[Hand]:
    """Return one hand for each place in the order of hands, the highest first.

    Of hands in one place the first with the most different ranks is taken: it leaves the pack
    enough cards to deal another like it. Hands of two suits come last: only where a reading asks
    for three different ones do they stand anywhere else.
    """
    if game.order is None:
        return []
    found: dict[tuple[int, ...], Hand] = {}
    for hand in [*hands_of_mixed_suits(), *hands_of_one_suit(), *hands_of_two_suits()]:
        at = game.order(sorted(hand))
        if at not in found or _count_ranks(hand) > _count_ranks(found[at]):
            found[at] = hand
    return [found[at] for at in sorted(found)]


def hands_per_class(game: Game, hands: Sequence[Hand], most: int) -> list[list[Hand]]:
    """Return for each of `hands` some that stand at the same place in the order, itself first."""
    if game.order is None:
        return []
    found: dict[tuple[int, ...], list[Hand]] = {game.order(sorted(hand)): [hand] for hand in hands}
    for hand in [*hands_of_mixed_suits(), *hands_of_one_suit()]:
        there = found.get(game.order(sorted(hand)), [hand])
        if hand not in there and len(there) < most:
            there.append(hand)
    return list(found.values())


def _count_ranks(hand: Hand) -> int:
    return len({card[:-1] for card in hand})


def line_ends(game: Game, hands: Sequence[Hand], depth: int = 1) -> list[Hand]:
    """Return the first and the last of `hands` on each line of the order.

    With a greater `depth`, of the hands on a line that have so many first numbers in common.
    """
    lines: dict[tuple[int, ...], list[Hand]] = {}
    for hand in hands:
        if game.order is not None:
            lines.setdefault(game.order(sorted(hand))[:depth], []).append(hand)
    return [hand for line in lines.values() for hand in ([line[0], line[-1]] if line[1:] else line)]


def line_halves(game: Game, hands: Sequence[Hand], most: int) -> list[list[Hand]]:
    """Return for each line of the order some hands from its top down, and some from its end up.

    The hands are given in their order.
    """
    lines: dict[int, list[Hand]] = {}
    for hand in hands:
        if game.order is not None:
            lines.setdefault(game.order(sorted(hand))[0], []).append(hand)
    found: list[list[Hand]] = []
    for line in lines.values():
        middle = len(line) // 2
        found += [half for half in (line[:middle][:most], line[middle:][::-1][:most]) if half]
    return found


def hands_beside_neighbours(
    game: Game, kinds: Sequence[Hand], chance: Random
) -> Iterator[tuple[list[tuple[int, Hand]], list[Hand]]]:
    """Yield hands that differ only in suits, with hands of their own kind and those beside it.

    The kinds are given in their order. All hands of a pack come, each with the way in which suits
    were turned; what lies beside it is to be turned in the same way, and can then be dealt.
    """
    if game.order is None:
        return
    at = {game.order(sorted(hand)): place for place, hand in enumerate(kinds)}
    for hand, images in hands_up_to_suits(chance):
        place = at[game.order(sorted(hand))]
        near = (deal_beside(kind, hand) for kind in kinds[max(place - 1, 0) : place + 2])
        yield images, [other for other in near if other is not None]


def deal_beside(hand: Hand, other: Hand) -> Hand | None:
    """Return `hand` in suits that one pack can deal beside `other`, or nothing if it cannot."""
    return deal_without(hand, card_mask(other))


def deal_without(hand: Hand, taken: int) -> Hand | None:
    """Return `hand` in suits that leave out the cards taken, or nothing if none do."""
    for moved, cards in _suit_images(tuple(hand)):
        if not cards & taken:
            return list(moved)
    return None


def in_all_suits(hands: Sequence[Hand]) -> list[tuple[Hand, int]]:
    """Return hands in all suits, one for another, each with its cards as bits."""
    return [(list(moved), cards) for hand in hands for moved, cards in _suit_images(tuple(hand))]


def card_mask(hand: Sequence[str]) -> int:
    """Return the cards of a hand as bits."""
    cards = 0
    for card in hand:
        cards |= _CARD_BITS[card]
    return cards


@lru_cache(maxsize=32_768)
def _suit_images(hand: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return a hand in all suits, one for another, each with its cards as bits."""
    found: dict[int, tuple[str, ...]] = {}
    for move in _SUIT_MAPS:
        moved = tuple(card[:-1] + move[card[-1]] for card in hand)
        found.setdefault(card_mask(moved), moved)
    return tuple((moved, cards) for cards, moved in found.items())


def next_dealable(hand: Hand, hands: Sequence[Hand], at: int) -> Hand:
    """Return the first of `hands`, counted from `at` and round, that one pack deals beside `hand`.

    The hand of an examination of every hand must never be left out for want of another.
    """
    turned = (hands[(at + more) % len(hands)] for more in range(len(hands)))
    return next(filter(None, (deal_beside(one, hand) for one in turned)))


def neighbour_pairs(hands: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield each hand with itself and with the next in the order, both ways, as one pack deals."""
    for at, hand in enumerate(hands):
        for near in hands[max(at - 1, 0) : at + 2]:
            other = deal_beside(near, hand)
            if other is not None:
                yield hand, other


def permute_suits(
    pairs: Iterable[tuple[Hand, Hand]], chance: Random
) -> Iterator[tuple[Hand, Hand]]:
    """Yield pairs of hands in other suits and with their cards in another order.

    What one hand meets is turned with it, so that no card is dealt twice; suits that were alike
    are so afterwards.
    """
    last: Hand | None = None
    for one, other in pairs:
        if one is not last:
            last = one
            way = chance.choice(SUIT_PERMUTATIONS)
            first, second, third = chance.choice(_CARD_ORDERS)
            mine = [way[one[first]], way[one[second]], way[one[third]]]
        yield mine, [way[other[first]], way[other[second]], way[other[third]]]


def cross_pairs(hands: Sequence[Hand], others: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield every one of `hands` with every one of `others`, as far as one pack can deal both."""
    for hand in hands:
        for other in others:
            moved = deal_beside(other, hand)
            if moved is not None:
                yield hand, moved
