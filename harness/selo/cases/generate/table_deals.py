"""Every hand of a pack in each role: at the house against one of each class, and at a place.

A table has room for several hands, so that one question asks about many of them at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from selo.cases.generate.sample_hands import (
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

    from selo.cases.generate.sample_hands import Hand

#: So many tables wait for hands that they can still take.
_MAX_WAITING_TABLES: Final = 64
#: Hands that follow one another in a list have cards in common; so far apart they seldom have.
_HAND_STRIDE: Final = 7_919


class DealtTable(NamedTuple):
    """Hands that one pack can deal together: one of the house, and some at places."""

    house: Hand
    #: The hands, and beside each the number of its class or of the hand among all hands.
    hands: list[Hand]
    numbers: list[int]


class HouseFamily(NamedTuple):
    """A hand of the house in all suits, and what lies beside it at as many tables as it takes."""

    #: The hand from which the others differ only in which suit is which.
    like: Hand
    #: What lies beside it: hands of every class, and the numbers of their classes.
    tables: list[tuple[list[Hand], list[int]]]
    #: All of these hands, each with the way in which suits were turned.
    images: list[tuple[int, Hand]]

    @property
    def size(self) -> int:
        """How many tables there are in all suits."""
        return len(self.tables) * len(self.images)


class HouseDeals:
    """Every hand of the house with every class at some place, as far as one pack deals it.

    Of each class there are some hands, of which the first that fits is dealt.
    """

    def __init__(self, classes: Sequence[Sequence[Hand]], places: int, chance: Random) -> None:
        self._suited = _classes_in_all_suits(classes, chance)
        self._places, self._chance = places, chance
        #: Hands in other suits, each made once; the hands themselves are held above.
        self._known: list[dict[int, Hand]] = [{} for _ in SUIT_PERMUTATIONS]

    def families(self) -> Iterator[HouseFamily]:
        """Yield all hands, those together that differ only in which suit is which."""
        for house, images in hands_up_to_suits(self._chance):
            yield HouseFamily(house, list(_deal_classes(house, self._suited, self._places)), images)

    def turned(self, way: int, hands: Sequence[Hand]) -> list[Hand]:
        """Return hands of a table with their suits turned in some way."""
        known = self._known[way]
        try:
            return [known[id(hand)] for hand in hands]
        except KeyError:
            known |= {id(hand): [SUIT_PERMUTATIONS[way][card] for card in hand] for hand in hands}
            return [known[id(hand)] for hand in hands]


def _deal_classes(
    house: Hand, suited: Sequence[Sequence[tuple[Hand, int]]], places: int
) -> Iterator[tuple[list[Hand], list[int]]]:
    """Yield hands of all classes beside a hand of the house, at as few tables as they fit."""
    left = list(range(len(suited)))
    while left:
        taken, later = card_mask(house), []
        hands: list[Hand] = []
        numbers: list[int] = []
        for number in left:
            found = _first_disjoint(suited[number], taken) if len(hands) < places else None
            if found is None:
                later.append(number)
                continue
            hands.append(found[0])
            numbers.append(number)
            taken |= found[1]
        if hands:
            yield hands, numbers
        # What fits beside nothing but the hand of the house cannot be dealt with it at all.
        left = later if hands else []


def deal_every_hand(
    classes: Sequence[Sequence[Hand]], places: int, chance: Random
) -> Iterator[DealtTable]:
    """Yield every hand at some place with every class at the house, as far as one pack deals it."""
    suited = _classes_in_all_suits(classes, chance)
    for numbers, hands in _deal_tables(places, chance):
        taken = card_mask([card for hand in hands for card in hand])
        for one in suited:
            found = _first_disjoint(one, taken)
            if found is not None:
                yield DealtTable(house=found[0], hands=hands, numbers=numbers)
                continue
            # Together they leave no such hand for the house; one by one most of them do.
            for number, hand in zip(numbers, hands, strict=True):
                found = _first_disjoint(one, card_mask(hand))
                if found is not None:
                    yield DealtTable(house=found[0], hands=[hand], numbers=[number])


def _classes_in_all_suits(
    classes: Sequence[Sequence[Hand]], chance: Random
) -> list[list[tuple[Hand, int]]]:
    """Return the hands of each class in all suits, drawn in which order they are tried."""
    found = [in_all_suits(alike) for alike in classes]
    for some in found:
        chance.shuffle(some)
    return found


def _first_disjoint(alike: Sequence[tuple[Hand, int]], taken: int) -> tuple[Hand, int] | None:
    """Return a hand of one class that leaves out the cards taken."""
    for one in alike:
        if not one[1] & taken:
            return one
    return None


def _deal_tables(places: int, chance: Random) -> Iterator[tuple[list[int], list[Hand]]]:
    """Yield all hands, each once, at tables that one pack can deal."""
    hands = [chance.sample(hand, HAND_SIZE) for hand in all_hands()]
    first = chance.randrange(len(hands))
    waiting: list[tuple[int, list[int]]] = []
    for at in range(len(hands)):
        number = (first + at * _HAND_STRIDE) % len(hands)
        cards = card_mask(hands[number])
        for place, (taken, there) in enumerate(waiting):
            if not cards & taken:
                there.append(number)
                waiting[place] = (taken | cards, there)
                if len(there) == places:
                    yield there, [hands[one] for one in there]
                    del waiting[place]
                break
        else:
            if len(waiting) == _MAX_WAITING_TABLES:
                _, there = waiting.pop(0)
                yield there, [hands[one] for one in there]
            waiting.append((cards, [number]))
    for _, there in waiting:
        yield there, [hands[one] for one in there]
