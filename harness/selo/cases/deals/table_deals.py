"""Deals tables so that every hand of a pack appears at the house and at a place.

A table has room for several hands, so that one case covers many of them at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from selo.cases.deals.sample_hands import (
    HAND_SIZE,
    SUIT_PERMUTATIONS,
    all_hands,
    card_mask,
    hands_up_to_suits,
    in_all_suits,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from selo.cases.deals.sample_hands import Hand

#: The number of incomplete tables kept open for further hands.
_MAX_WAITING_TABLES: Final = 64
#: Adjacent hands in the list share cards; hands this far apart seldom do.
_HAND_STRIDE: Final = 7_919


class DealtTable(NamedTuple):
    """Hands that one pack can deal together: one for the house, and some at places."""

    house: Hand
    #: The hands at places, and for each the number of its class or its index among all hands.
    hands: list[Hand]
    numbers: list[int]


class HouseFamily(NamedTuple):
    """A hand of the house with its images under suit permutations, and the tables dealt to it."""

    #: The hand of which the others are images.
    representative: Hand
    #: The hands of every class at the tables, and the numbers of their classes.
    tables: list[tuple[list[Hand], list[int]]]
    #: The images, each with the index of its permutation of suits.
    images: list[tuple[int, Hand]]

    @property
    def size(self) -> int:
        """The number of tables over all images."""
        return len(self.tables) * len(self.images)


class HouseDeals:
    """Deals every hand of the house with every class at some place that one pack can deal.

    Each class lists several hands, of which the first that fits is dealt.
    """

    def __init__(self, classes: Sequence[Sequence[Hand]], places: int, chance: Random) -> None:
        self._suited = _classes_in_all_suits(classes, chance)
        self._places, self._chance = places, chance
        #: Images of hands by id, for each permutation; `_suited` keeps the ids unique.
        self._images: list[dict[int, Hand]] = [{} for _ in SUIT_PERMUTATIONS]

    def families(self) -> Iterator[HouseFamily]:
        """Yield all hands of the house, grouped by permutation of suits."""
        for house, images in hands_up_to_suits(self._chance):
            yield HouseFamily(house, list(_deal_classes(house, self._suited, self._places)), images)

    def permute_suits(self, index: int, hands: Sequence[Hand]) -> list[Hand]:
        """Return hands with their suits permuted by the permutation of an index."""
        images = self._images[index]
        try:
            return [images[id(hand)] for hand in hands]
        except KeyError:
            permutation = SUIT_PERMUTATIONS[index]
            images |= {id(hand): [permutation[card] for card in hand] for hand in hands}
            return [images[id(hand)] for hand in hands]


def _deal_classes(
    house: Hand, suited: Sequence[Sequence[tuple[Hand, int]]], places: int
) -> Iterator[tuple[list[Hand], list[int]]]:
    """Yield hands of all classes beside a hand of the house, at few tables."""
    left = list(range(len(suited)))
    while left:
        taken, later = card_mask(house), []
        hands: list[Hand] = []
        numbers: list[int] = []
        for number in left:
            fitting = _first_disjoint(suited[number], taken) if len(hands) < places else None
            if fitting is None:
                later.append(number)
                continue
            hands.append(fitting[0])
            numbers.append(number)
            taken |= fitting[1]
        if hands:
            yield hands, numbers
        # Classes that do not fit beside the house's hand alone cannot be dealt with it at all.
        left = later if hands else []


def deal_every_hand(
    classes: Sequence[Sequence[Hand]], places: int, chance: Random
) -> Iterator[DealtTable]:
    """Yield every hand at some place with every class at the house that one pack can deal."""
    suited = _classes_in_all_suits(classes, chance)
    for numbers, hands in deal_tables(places, chance):
        taken = card_mask([card for hand in hands for card in hand])
        for house_class in suited:
            house = _first_disjoint(house_class, taken)
            if house is not None:
                yield DealtTable(house=house[0], hands=hands, numbers=numbers)
                continue
            # Together the hands leave none of the class for the house; singly most of them do.
            for number, hand in zip(numbers, hands, strict=True):
                house = _first_disjoint(house_class, card_mask(hand))
                if house is not None:
                    yield DealtTable(house=house[0], hands=[hand], numbers=[number])


def _classes_in_all_suits(
    classes: Sequence[Sequence[Hand]], chance: Random
) -> list[list[tuple[Hand, int]]]:
    """Return the hands of each class in all suits, in random order."""
    suited = [in_all_suits(hands) for hands in classes]
    for images in suited:
        chance.shuffle(images)
    return suited


def _first_disjoint(images: Sequence[tuple[Hand, int]], taken: int) -> tuple[Hand, int] | None:
    """Return the first hand that avoids the taken cards, or None."""
    for image in images:
        if not image[1] & taken:
            return image
    return None


def deal_tables(places: int, chance: Random) -> Iterator[tuple[list[int], list[Hand]]]:
    """Yield all hands, each once, at tables that one pack can deal."""
    hands = [chance.sample(hand, HAND_SIZE) for hand in all_hands()]
    first = chance.randrange(len(hands))
    waiting: list[tuple[int, list[int]]] = []
    for at in range(len(hands)):
        number = (first + at * _HAND_STRIDE) % len(hands)
        cards = card_mask(hands[number])
        for index, (taken, seated) in enumerate(waiting):
            if not cards & taken:
                seated.append(number)
                waiting[index] = (taken | cards, seated)
                if len(seated) == places:
                    yield seated, [hands[at] for at in seated]
                    del waiting[index]
                break
        else:
            if len(waiting) == _MAX_WAITING_TABLES:
                _, seated = waiting.pop(0)
                yield seated, [hands[at] for at in seated]
            waiting.append((cards, [number]))
    for _, seated in waiting:
        yield seated, [hands[at] for at in seated]
