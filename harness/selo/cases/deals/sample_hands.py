"""Samples hands of three cards: one hand per class in the order of hands, pairs and images."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Final

from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from selo.rules.settlement import Game

Hand = list[str]
#: The number of cards in a hand.
HAND_SIZE: Final = 3
#: One bit for each card, so that the common cards of two hands are one operation.
_CARD_BITS: Final = {card: 1 << at for at, card in enumerate(PACK)}
_SUIT_MAPS: Final = [dict(zip(SUITS, image, strict=True)) for image in permutations(SUITS)]
#: Each permutation of suits as a mapping of cards.
SUIT_PERMUTATIONS: Final = [
    {card: card[:-1] + suits[card[-1]] for card in PACK} for suits in _SUIT_MAPS
]

#: Which of three cards share a suit.
_SUIT_PATTERNS: Final = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
_CARD_ORDERS: Final = list(permutations(range(HAND_SIZE)))


def all_hands() -> Iterator[Hand]:
    """Yield every hand of one pack."""
    return map(list, combinations(PACK, HAND_SIZE))


def hands_up_to_suits(chance: Random) -> Iterator[tuple[Hand, list[tuple[int, Hand]]]]:
    """Yield one hand of each orbit under permutations of suits, with all images in the orbit.

    Each image carries the index of the permutation that produces it, so that whatever is dealt
    beside the hand can be permuted in the same way. Hands and their cards come in random order.
    """
    seen: set[int] = set()
    hands = list(all_hands())
    chance.shuffle(hands)
    for representative in hands:
        if card_mask(representative) in seen:
            continue
        hand = chance.sample(representative, HAND_SIZE)
        indices, masks = _orbit_of(tuple(representative))
        seen |= masks
        first, second, third = hand
        yield (
            hand,
            [
                (index, [suits[first], suits[second], suits[third]])
                for index, suits in ((index, SUIT_PERMUTATIONS[index]) for index in indices)
            ],
        )


@lru_cache(maxsize=32_768)
def _orbit_of(hand: tuple[str, ...]) -> tuple[tuple[int, ...], frozenset[int]]:
    """Return the first permutation of suits for each image of a hand, and all card masks."""
    images: dict[int, int] = {}
    for index, suits in enumerate(SUIT_PERMUTATIONS):
        images.setdefault(card_mask([suits[card] for card in hand]), index)
    return tuple(images.values()), frozenset(images)


def one_hand_up_to_suits(chance: Random) -> list[Hand]:
    """Return one hand of each orbit under permutations of suits, in random suits and order."""
    orbits: dict[tuple[str, ...], Hand] = {}
    for ranks in combinations_with_replacement(RANKS, HAND_SIZE):
        for pattern in _SUIT_PATTERNS:
            hand = [rank + SUITS[suit] for rank, suit in zip(ranks, pattern, strict=True)]
            if len({*hand}) == HAND_SIZE:
                # The ranks of each suit, whichever it is, are what a permutation leaves.
                parts = ("".join(card[:-1] for card in hand if card[-1] == suit) for suit in SUITS)
                orbits.setdefault(tuple(sorted(parts)), hand)
    hands = []
    for hand in chance.sample(list(orbits.values()), len(orbits)):
        suits = chance.choice(SUIT_PERMUTATIONS)
        hands.append([suits[card] for card in chance.sample(hand, HAND_SIZE)])
    return hands


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

    Of the hands in one place, the first with the most different ranks is taken: it leaves enough
    cards in the pack to deal another one like it. Hands of two suits come last: they have a place
    of their own only under a reading that requires three different suits.
    """
    if game.order is None:
        return []
    hands: dict[tuple[int, ...], Hand] = {}
    for hand in [*hands_of_mixed_suits(), *hands_of_one_suit(), *hands_of_two_suits()]:
        rank = game.order(sorted(hand))
        if rank not in hands or _count_ranks(hand) > _count_ranks(hands[rank]):
            hands[rank] = hand
    return [hands[rank] for rank in sorted(hands)]


def hands_per_class(game: Game, hands: Sequence[Hand], most: int) -> list[list[Hand]]:
    """Return for each of `hands` at most `most` hands of the same rank, itself first."""
    if game.order is None:
        return []
    classes: dict[tuple[int, ...], list[Hand]] = {
        game.order(sorted(hand)): [hand] for hand in hands
    }
    for hand in [*hands_of_mixed_suits(), *hands_of_one_suit()]:
        equals = classes.get(game.order(sorted(hand)), [hand])
        if hand not in equals and len(equals) < most:
            equals.append(hand)
    return list(classes.values())


def _count_ranks(hand: Hand) -> int:
    return len({card[:-1] for card in hand})


def line_ends(game: Game, hands: Sequence[Hand], depth: int = 1) -> list[Hand]:
    """Return the first and the last of `hands` on each line of the order of hands.

    Hands are on one line if the first `depth` numbers of their ranks are equal.
    """
    lines: dict[tuple[int, ...], list[Hand]] = {}
    for hand in hands:
        if game.order is not None:
            lines.setdefault(game.order(sorted(hand))[:depth], []).append(hand)
    return [hand for line in lines.values() for hand in ([line[0], line[-1]] if line[1:] else line)]


def line_halves(game: Game, hands: Sequence[Hand], most: int) -> list[list[Hand]]:
    """Return for each line of the order at most `most` hands from its top and from its end.

    The hands are given in their order.
    """
    lines: dict[int, list[Hand]] = {}
    for hand in hands:
        if game.order is not None:
            lines.setdefault(game.order(sorted(hand))[0], []).append(hand)
    halves: list[list[Hand]] = []
    for line in lines.values():
        middle = len(line) // 2
        halves += [half for half in (line[:middle][:most], line[middle:][::-1][:most]) if half]
    return halves


def hands_beside_neighbours(
    game: Game, kinds: Sequence[Hand], chance: Random
) -> Iterator[tuple[list[tuple[int, Hand]], list[Hand]]]:
    """Yield the images of each hand under permutations of suits, with its neighbours.

    The neighbours are hands of its own kind and of the adjacent kinds; the kinds are given in their
    order. A neighbour permuted like an image can be dealt beside it.
    """
    if game.order is None:
        return
    places = {game.order(sorted(hand)): place for place, hand in enumerate(kinds)}
    for hand, images in hands_up_to_suits(chance):
        place = places[game.order(sorted(hand))]
        neighbours = (deal_beside(kind, hand) for kind in kinds[max(place - 1, 0) : place + 2])
        yield images, [neighbour for neighbour in neighbours if neighbour is not None]


def deal_beside(hand: Hand, other: Hand) -> Hand | None:
    """Return `hand` in suits that one pack can deal beside `other`, or None."""
    return deal_without(hand, card_mask(other))


def deal_without(hand: Hand, taken: int) -> Hand | None:
    """Return `hand` in suits that avoid the taken cards, or None."""
    for image, cards in _suit_images(tuple(hand)):
        if not cards & taken:
            return list(image)
    return None


def in_all_suits(hands: Sequence[Hand]) -> list[tuple[Hand, int]]:
    """Return all images of hands under permutations of suits, each with its card mask."""
    return [(list(image), cards) for hand in hands for image, cards in _suit_images(tuple(hand))]


def card_mask(hand: Sequence[str]) -> int:
    """Return the cards of a hand as a bit mask."""
    cards = 0
    for card in hand:
        cards |= _CARD_BITS[card]
    return cards


@lru_cache(maxsize=32_768)
def _suit_images(hand: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return all images of a hand under permutations of suits, each with its card mask."""
    images: dict[int, tuple[str, ...]] = {}
    for suits in _SUIT_MAPS:
        image = tuple(card[:-1] + suits[card[-1]] for card in hand)
        images.setdefault(card_mask(image), image)
    return tuple((image, cards) for cards, image in images.items())


def next_dealable(hand: Hand, hands: Sequence[Hand], at: int) -> Hand:
    """Return the first of `hands`, counted cyclically from `at`, dealable beside `hand`.

    It always finds one, so that no hand is left out of an exhaustive group.
    """
    candidates = (hands[(at + offset) % len(hands)] for offset in range(len(hands)))
    return next(filter(None, (deal_beside(candidate, hand) for candidate in candidates)))


def neighbour_pairs(hands: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield each hand with itself and with both neighbours in the order, as one pack deals them."""
    for at, hand in enumerate(hands):
        for neighbour in hands[max(at - 1, 0) : at + 2]:
            other = deal_beside(neighbour, hand)
            if other is not None:
                yield hand, other


def permute_suits(
    pairs: Iterable[tuple[Hand, Hand]], chance: Random
) -> Iterator[tuple[Hand, Hand]]:
    """Yield pairs of hands with suits permuted and cards reordered at random.

    Both hands of a pair are permuted in the same way, so that no card is dealt twice and equal
    suits stay equal.
    """
    last: Hand | None = None
    for hand, other in pairs:
        if hand is not last:
            last = hand
            suits = chance.choice(SUIT_PERMUTATIONS)
            first, second, third = chance.choice(_CARD_ORDERS)
            image = [suits[hand[first]], suits[hand[second]], suits[hand[third]]]
        yield image, [suits[other[first]], suits[other[second]], suits[other[third]]]


def cross_pairs(hands: Sequence[Hand], others: Sequence[Hand]) -> Iterator[tuple[Hand, Hand]]:
    """Yield every one of `hands` with every one of `others` that one pack can deal with it."""
    for hand in hands:
        for other in others:
            dealt = deal_beside(other, hand)
            if dealt is not None:
                yield hand, dealt
