"""Tests of dealt cards: each card, each place, classes of hands, and successive deals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from selo.draws import chi_square as ms
from selo.draws.chi_square import Histogram, measure_successive_pairs
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws.chi_square import Measure, Numbers
    from selo.table_values import Outcome

_PACK = PACK
_CARD_NUMBERS = {card: at for at, card in enumerate(_PACK)}
#: The rank of each card, and the number of its suit.
_RANKS_AND_SUITS = [(RANKS[card // len(SUITS)], card % len(SUITS)) for card in range(len(_PACK))]
_HANDS_PER_DEAL = 2
#: Name of the tested seat in statistics of any game.
_SEAT = "seat"
#: Name of the first seat in an outcome.
_FIRST_SEAT = "1"


@dataclass(frozen=True, kw_only=True)
class CardSource:
    """The hand of the house and the hand of a seat, from packs in random order."""

    house: str
    seats: str
    #: The number of cards in a hand, and of copies of each card.
    hand: int
    copies: int
    #: The line of a hand in the order of hands, and the names of the lines.
    line: Callable[[Sequence[str]], int]
    lines: dict[int, str]

    def row(self, outcome: Mapping[str, Any]) -> list[int]:
        """Return the cards of two hands and whether the deal is possible; raise if malformed."""
        if not outcome.keys() <= {self.house, self.seats}:
            msg = "it has other fields"
            raise ValueError(msg)
        hands = [outcome[self.house], *(hand for _, hand in sorted(outcome[self.seats].items()))]
        if len(hands) < _HANDS_PER_DEAL or any(len(hand) != self.hand for hand in hands):
            msg = (
                f"a deal is {self.hand} cards for the {self.house} and for each of the {self.seats}"
            )
            raise ValueError(msg)
        cards = [_CARD_NUMBERS[card] for hand in hands for card in hand]
        possible = len(cards) == len(set(cards)) or max(Counter(cards).values()) <= self.copies
        return [*cards[: _HANDS_PER_DEAL * self.hand], int(possible)]

    def rows(self, outcomes: Sequence[Mapping[str, Any]]) -> NDArray[np.int16]:
        """Return outcomes as rows or raise; outcomes of one shape are read at once."""
        allowed = {self.house, self.seats}
        places = {tuple(outcome[self.seats]) for outcome in outcomes}
        hands = [
            hand
            for outcome in outcomes
            for hand in (outcome[self.house], *outcome[self.seats].values())
        ]
        same_shape = (
            len(places) == 1
            and (names := next(iter(places)))
            and list(names) == sorted(names)
            and all(outcome.keys() <= allowed for outcome in outcomes)
            and set(map(len, hands)) == {self.hand}
        )
        if not same_shape:
            return np.array([self.row(outcome) for outcome in outcomes], dtype=np.int16)
        cards = np.array([_CARD_NUMBERS[card] for hand in hands for card in hand], dtype=np.int16)
        cards = cards.reshape(len(outcomes), -1)
        # In sorted order, a card that occurs too often equals the one `copies` places before.
        ordered = np.sort(cards, axis=1)
        too_often = (ordered[:, self.copies :] == ordered[:, : -self.copies]).any(axis=1)
        return np.column_stack([cards[:, : _HANDS_PER_DEAL * self.hand], ~too_often]).astype(
            np.int16
        )

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the deal of a row: the hand of the house, and one at the first seat."""
        cards = [_PACK[at] for at in row[: _HANDS_PER_DEAL * self.hand]]
        hands = {self.house: cards[: self.hand], self.seats: {_FIRST_SEAT: cards[self.hand :]}}
        return cast("Outcome", hands)

    def expected_measure(self, outcomes: int) -> Measure:
        """Return the test of all cards for a sample in which all counts are as expected."""
        size, dealt = len(_PACK), _HANDS_PER_DEAL * self.hand
        fair = [(card, Fraction(1, size)) for card in _PACK]
        return ms.measure_frequencies(
            "cards", "", fair, [outcomes * dealt // size] * size, self._shrink(dealt)
        )

    def tests(self) -> int:
        """Return the number of tests."""
        return len(
            list(
                self.measures(
                    np.zeros((_HANDS_PER_DEAL, _HANDS_PER_DEAL * self.hand + 1), dtype=np.int16)
                )
            )
        )

    def measures(self, rows: NDArray[np.int16]) -> Iterator[Measure]:
        """Yield every test of successive deals."""
        deals, size = rows[:, :-1].astype(np.int64), len(_PACK)
        yield ms.measure_impossible("possible", len(rows), int((rows[:, -1] == 0).sum()))
        places = [f"{hand} {at + 1}" for hand in (self.house, _SEAT) for at in range(self.hand)]
        fair = [(card, Fraction(1, size)) for card in _PACK]
        for column, place in enumerate(places):
            counts = np.bincount(deals[:, column], minlength=size)
            yield ms.measure_frequencies("card", place, fair, counts)
        counts = np.bincount(deals.ravel(), minlength=size)
        yield ms.measure_frequencies("cards", "", fair, counts, self._shrink(deals.shape[1]))
        yield from self._measure_classes(deals)
        for column, place in enumerate(places):
            if (column + 1) % self.hand:
                yield self._measure_steps(place, deals[:, column], deals[:, column + 1])
        for column, place in enumerate(places):
            yield measure_successive_pairs(place, deals[:, column] // len(SUITS), RANKS)
        if self.copies == 1:
            yield self._measure_common_cards(deals)
        scores = (deals // len(SUITS)).sum(axis=1)
        yield ms.measure_runs("runs", scores > deals.shape[1] * (len(RANKS) - 1) / 2)
        yield ms.measure_correlation("correlation", scores)
        yield ms.measure_repetition("repetition", self.codes(rows), self.likeliest)

    #: How many kinds of counts two samples are compared by.
    comparisons: ClassVar[int] = 2
    #: Whether a row holds everything that decides a bet.
    holds_whole_outcomes: ClassVar[bool] = True

    def histograms(self, rows: NDArray[np.int16]) -> Iterator[Histogram]:
        """Yield the counts by which two samples of deals are compared."""
        deals, size = rows[:, :-1].astype(np.int64), len(_PACK)
        fair = [(card, Fraction(1, size)) for card in _PACK]
        counts = np.bincount(deals.ravel(), minlength=size)
        yield Histogram("cards", fair, counts, self._shrink(deals.shape[1]))
        where, chances = self._hand_classes
        cells = [(self.lines[line], chance) for line, chance in chances.items()]
        seen = np.bincount(where[tuple(deals[:, : self.hand].T)], minlength=max(chances) + 1)
        yield Histogram("class", cells, [int(seen[line]) for line in chances])

    @staticmethod
    def neighbour_measures(_: Sequence[object]) -> Iterator[Measure]:
        """Yield nothing: rounds in a row may come from one shoe."""
        yield from ()

    def _shrink(self, dealt: int) -> Fraction:
        """Return the ratio of the variance to that of dealing with replacement."""
        cards = len(_PACK) * self.copies
        return Fraction(cards - dealt, cards - 1)

    @cached_property
    def _hand_classes(self) -> tuple[Numbers, dict[int, Fraction]]:
        """The class of every hand by its cards, and the probability of each class."""
        size = len(_PACK)
        lines_by_form: dict[tuple[str, ...], int] = {}
        hands, lines, ways = [], [], Counter[int]()
        for hand in combinations_with_replacement(range(size), self.hand):
            if len({*hand}) == self.hand:
                times = self.copies**self.hand
            else:
                times = math.prod(math.comb(self.copies, count) for count in Counter(hand).values())
            if times:
                form = _canonical_suits(hand)
                if form not in lines_by_form:
                    lines_by_form[form] = self.line(sorted(form))
                hands.append(hand)
                lines.append(lines_by_form[form])
                ways[lines_by_form[form]] += times
        where = np.zeros((size,) * self.hand, dtype=np.int64)
        columns = np.array(hands).T
        for order in permutations(range(self.hand)):
            where[tuple(columns[list(order)])] = lines
        total = math.comb(size * self.copies, self.hand)
        return where, {line: Fraction(ways[line], total) for line in sorted(ways)}

    def _measure_classes(self, deals: Numbers) -> Iterator[Measure]:
        """Yield the tests of the classes of hands, with exact probabilities."""
        where, chances = self._hand_classes
        cells = [(self.lines[line], chance) for line, chance in chances.items()]
        for at, name in enumerate((self.house, _SEAT)):
            held = deals[:, at * self.hand : (at + 1) * self.hand]
            classes = where[tuple(held.T)]
            # An impossible hand has no class; another test reports it.
            seen = np.bincount(classes, minlength=max(chances) + 1)
            yield ms.measure_frequencies(
                "class", name, cells, [int(seen[line]) for line in chances]
            )

    def _measure_steps(self, place: str, one: Numbers, other: Numbers) -> Measure:
        """Return the test of the distance, in a new pack, from one card to the next."""
        size = len(_PACK)
        left = size * self.copies - 1
        cells = [
            (f"+{step}", Fraction(self.copies if step else self.copies - 1, left))
            for step in range(size)
        ]
        counts = np.bincount((other - one) % size, minlength=size)
        if not cells[0][1]:
            # The same card twice is impossible; another test reports it.
            cells, counts = cells[1:], counts[1:]
        return ms.measure_frequencies("next", place, cells, counts)

    def _measure_common_cards(self, deals: Numbers) -> Measure:
        """Return the test of the number of cards that successive deals share."""
        dealt, size = deals.shape[1], len(_PACK)
        held = np.zeros((len(deals), size), dtype=bool)
        np.put_along_axis(held, deals, values=True, axis=1)
        shared = (held[1:] & held[:-1]).sum(axis=1)
        ways = [math.comb(dealt, common) * math.comb(size - dealt, dealt - common)
                for common in range(dealt + 1)]  # fmt: skip
        cells = [(str(common), Fraction(count, sum(ways))) for common, count in enumerate(ways)]
        return ms.measure_frequencies("common", "", cells, np.bincount(shared, minlength=dealt + 1))

    @property
    def dealt(self) -> int:
        """The number of cards that are tested of each deal."""
        return _HANDS_PER_DEAL * self.hand

    @property
    def shrink(self) -> Fraction:
        """The ratio of the variance of their counts to that of dealing with replacement."""
        return self._shrink(self.dealt)

    @property
    def likeliest(self) -> Fraction:
        """The probability of the likeliest ordered deal."""
        return Fraction(self.copies**self.dealt, math.perm(len(_PACK) * self.copies, self.dealt))

    def codes(self, rows: NDArray[Any]) -> Numbers:
        """Return one number for each deal."""
        deals = rows[:, : self.dealt].astype(np.int64)
        codes = np.zeros(len(deals), dtype=np.int64)
        for column in range(deals.shape[1]):
            codes = codes * len(_PACK) + deals[:, column]
        return codes


def _canonical_suits(hand: Sequence[int]) -> tuple[str, ...]:
    """Return the canonical image of a hand under permutations of suits, which keep its rank."""
    names: dict[int, str] = {}
    cards = []
    for card in hand:
        rank, suit = _RANKS_AND_SUITS[card]
        name = names.get(suit)
        if name is None:
            name = names[suit] = SUITS[len(names)]
        cards.append(rank + name)
    return tuple(cards)
