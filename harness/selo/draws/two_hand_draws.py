"""Tests of two hands dealt from many packs, of which the first two cards each are unconditional.

No article that is held says how these cards are mixed or how many packs there are, so nothing here
depends on their number: from any number of whole packs each card is as likely as any other at each
place, and the variance of counts is at most that of independent cards.

Additional cards are not random: they come by the reconstructed drawing rule or they do not, which
is counted for each side by its points.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from selo.draws import chi_square as ms
from selo.draws.chi_square import Histogram, measure_successive_pairs
from selo.rules.equipment.pack_and_dice import PACK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws.chi_square import Measure, Numbers
    from selo.rules.equipment import DrawingRule
    from selo.table_values import Outcome

_CARD_NUMBERS: Final = {card: at for at, card in enumerate(PACK)}
#: The cards of each hand that do not depend on any other card.
_FIRST_CARDS: Final = 2
_FEWEST_ROWS: Final = 2
_ADDITIONAL_CARD: Final = "additional-card"
_TOTALS: Final = tuple(map(str, range(10)))


@dataclass(frozen=True, kw_only=True)
class TwoHandSource:
    """The first cards of two hands, and whether more were drawn as the rule has it."""

    hands: tuple[str, str]
    #: The rule by which more cards come; nothing where somebody decides it.
    rule: DrawingRule | None = None
    #: The two hands by their names, in an outcome and back.
    read_hands: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    make_outcome: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def row(self, outcome: Mapping[str, Any]) -> list[int]:
        """Return the first cards of both hands, or raise for an invalid outcome."""
        dealt = self.read_hands(outcome)
        if dealt.keys() != {*self.hands}:
            msg = "it has other fields"
            raise ValueError(msg)
        cards = [dealt[hand][at] for hand in self.hands for at in range(_FIRST_CARDS)]
        numbers = [_CARD_NUMBERS[card] for card in cards]
        if self.rule is None:
            return numbers
        ranks = [[card[:-1] for card in dealt[hand]] for hand in self.hands]
        departed = self.rule.departures(*ranks)
        points = [self.rule.total(held[:_FIRST_CARDS]) for held in ranks]
        # Where a side departs from the rule, its points are kept; otherwise nothing is.
        sides = [
            1 + total if departs else 0 for total, departs in zip(points, departed, strict=True)
        ]
        return [*numbers, *sides]

    def rows(self, outcomes: Sequence[Mapping[str, Any]]) -> NDArray[np.int16]:
        """Return outcomes as rows, or raise."""
        return np.array([self.row(outcome) for outcome in outcomes], dtype=np.int16)

    def outcome(self, row: Sequence[int]) -> Outcome:
        """Return the first cards of a row as an outcome."""
        cards = [PACK[at] for at in row[: self.dealt]]
        hands = {
            self.hands[0]: cards[:_FIRST_CARDS],
            self.hands[1]: cards[_FIRST_CARDS : self.dealt],
        }
        return cast("Outcome", self.make_outcome(hands))

    def expected_measure(self, outcomes: int) -> Measure:
        """Return the test of all cards for a sample in which all counts are as expected."""
        count = outcomes * _FIRST_CARDS * len(self.hands) // len(PACK)
        return ms.measure_frequencies("cards", "", _fair_cards(), [count] * len(PACK))

    def tests(self) -> int:
        """Return the number of tests."""
        empty = np.zeros((_FEWEST_ROWS, self.dealt + len(self.hands)), dtype=np.int16)
        return sum(measure.test not in ms.RULE_TESTS for measure in self.measures(empty))

    def measures(self, rows: NDArray[np.int16]) -> Iterator[Measure]:
        """Yield every test of successive deals."""
        deals = self._cards(rows)
        places = [f"{hand} {at + 1}" for hand in self.hands for at in range(_FIRST_CARDS)]
        for column, place in enumerate(places):
            counts = np.bincount(deals[:, column], minlength=len(PACK))
            yield ms.measure_frequencies("card", place, _fair_cards(), counts)
        (cards,) = self.histograms(rows)
        yield ms.measure_frequencies("cards", "", cards.cells, cards.counts)
        for column, place in enumerate(places):
            yield measure_successive_pairs(place, deals[:, column] // len(SUITS), RANKS)
        scores = (deals // len(SUITS)).sum(axis=1)
        yield ms.measure_runs("runs", scores > deals.shape[1] * (len(RANKS) - 1) / 2)
        yield ms.measure_correlation("correlation", scores)
        yield ms.measure_repetition("repetition", self.codes(rows), self.likeliest)
        # Rows of evidence from before this was counted have cards alone.
        for side, hand in zip(range(self.dealt, rows.shape[1]), self.hands, strict=False):
            departed = np.bincount(rows[:, side], minlength=1 + len(_TOTALS))[1:]
            yield ms.measure_rule(_ADDITIONAL_CARD, hand, len(rows), _TOTALS, departed)

    #: Cards of any number of packs vary at most as independent ones do.
    shrink: ClassVar[Fraction] = Fraction(1)
    #: A card that was dealt is a little less likely to come again: this bounds every deal.
    likeliest: ClassVar[Fraction] = Fraction(1, (len(PACK) - 1) ** 4)

    @property
    def dealt(self) -> int:
        """The number of cards that are tested of each deal."""
        return _FIRST_CARDS * len(self.hands)

    def _cards(self, rows: NDArray[Any]) -> Numbers:
        """Return the cards of rows, without how more were drawn."""
        return rows[:, : self.dealt].astype(np.int64)

    def codes(self, rows: NDArray[Any]) -> Numbers:
        """Return one number for each deal."""
        deals = self._cards(rows)
        codes = np.zeros(len(deals), dtype=np.int64)
        for column in range(deals.shape[1]):
            codes = codes * len(PACK) + deals[:, column]
        return codes

    #: How many kinds of counts two samples are compared by.
    comparisons: ClassVar[int] = 1
    #: Cards that come later decide bets too, and rows do not hold them.
    holds_whole_outcomes: ClassVar[bool] = False

    def histograms(self, rows: NDArray[np.int16]) -> Iterator[Histogram]:
        """Yield the counts by which two samples of deals are compared."""
        counts = np.bincount(self._cards(rows).ravel(), minlength=len(PACK))
        yield Histogram("cards", _fair_cards(), counts)

    @staticmethod
    def neighbour_measures(_: Sequence[object]) -> Iterator[Measure]:
        """Yield nothing: rounds in a row may come from one shoe."""
        yield from ()


def _fair_cards() -> list[tuple[str, Fraction]]:
    return [(card, Fraction(1, len(PACK))) for card in PACK]
