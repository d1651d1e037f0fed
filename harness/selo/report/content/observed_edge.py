"""House edges in the outcomes that a vendor drew, each settled as the law settles it.

They show the effect of the random source alone. A product that pays differently from the law is a
finding, with its own effect in money, and does not change these figures.

1. Outcomes are divided into equivalence classes that no bet distinguishes: throws that show the
   same, and deals with hands of the same kinds and the same winner
   (`selo.rules.settlement.equivalence`).
2. One outcome of each class is settled, each bet alone or with the bets that it requires.
3. A bet that waits for further throws, or on which a bettor decides after seeing the cards, has no
   edge in a single outcome. Where only the first cards of a hand are kept, no bet has one.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from selo.draws import CardSource
from selo.draws.draw_verdict import read_levels
from selo.errors import SeloError
from selo.report.phrases.money_format import to_fraction
from selo.rules.equipment.kits import Duel
from selo.rules.readings import Readings
from selo.rules.settlement import EquivalenceClasses, Game, compile_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.examine.analysis.draw_results import SampleDraws
    from selo.law import Law
    from selo.rules.settlement import ThrowingGame
    from selo.table_values import Bet, Outcome

_STAKE: Final = 100
#: 99 % of a normal distribution lie within this many standard deviations.
_NORMAL_99: Final = 2.5758293035489
_FEWEST_OUTCOMES: Final = 100
#: Results that decide a bet. With cards, a bet that stands is neither won nor lost in that round,
#: as in the exact odds; with dice, it waits for the next throw.
_DECIDING_RESULTS: Final = frozenset({"win", "lose", "push"})
_STANDS: Final = "stands"


class ObservedEdges:
    """House edges in the outcomes drawn from a vendor's random source, by game."""

    def __init__(
        self, samples: Iterable[SampleDraws], law: Law, rulings: Mapping[str, str]
    ) -> None:
        self._law, self._rulings = law, dict(rulings)
        self._taken: dict[str, list[SampleDraws]] = {}
        for sample in samples:
            if sample.batches:
                self._taken.setdefault(sample.sample.game, []).append(sample)
        self._sorted: dict[str, _GameOutcomes] = {}
        # Documents by editions of the law without stated levels have no intervals.
        self._states_intervals = read_levels(law, self._taken).tests_dependence

    def count(self, game: str) -> int:
        """Return the number of outcomes of a game that were drawn."""
        return sum(len(batch) for sample in self._taken.get(game, ()) for batch in sample.batches)

    def edge(self, game: str, bet: str, choice: Any) -> Fraction | None:
        """Return the share of such a bet that the house won, if every outcome decides it."""
        return self.edges(game, [(bet, choice)])[0]

    def edges(self, game: str, bets: Sequence[tuple[str, Any]]) -> list[Fraction | None]:
        """Return the edges of several bets and choices, each placed alone."""
        if game not in self._taken:
            return [None for _ in bets]
        if game not in self._sorted:
            rules = compile_game(self._law, game, Readings(self._law, self._rulings))
            self._sorted[game] = _GameOutcomes(rules, self._taken[game])
        return [self._sorted[game].edge(bet, choice) for bet, choice in bets]

    def interval(
        self, game: str, bets: Sequence[tuple[str, Any]]
    ) -> tuple[Fraction, Fraction] | None:
        """Return in which interval the mean edge of some bets lies with 99 %.

        Bets that win by the same outcomes are correlated, so each outcome counts once.
        """
        if game not in self._sorted or not self._states_intervals:
            return None
        return self._sorted[game].interval(bets)


class _GameOutcomes:
    """The outcomes of one game: one of each equivalence class, with the size of the class."""

    def __init__(self, rules: Game | ThrowingGame, samples: Sequence[SampleDraws]) -> None:
        self._rules, self._fast = rules, rules.without_reasons()
        self._sorts = [
            outcome_class
            for sample in samples
            for outcome_class in _equivalence_classes(
                rules, sample.equipment, np.concatenate(sample.batches)
            )
        ]
        self._count = sum(times for _, times in self._sorts)
        self._is_whole = all(sample.equipment.holds_whole_outcomes for sample in samples)

    def edge(self, bet: str, choice: Any) -> Fraction | None:
        """Return the share of a bet that the house won, if every outcome decides it."""
        won = Fraction(0)
        for outcome, times in self._sorts:
            end = self._settle(outcome, bet, choice)
            if end is None:
                return None
            won += times * _house_win(end)
        return won / (self._count * _STAKE) if self._count else None

    def interval(self, bets: Sequence[tuple[str, Any]]) -> tuple[Fraction, Fraction] | None:
        """Return the interval of the mean edge of bets, by the normal approximation."""
        total, squares = Fraction(0), Fraction(0)
        for outcome, times in self._sorts:
            ends = [self._settle(outcome, bet, choice) for bet, choice in bets]
            if not ends or None in ends:
                return None
            won = sum((_house_win(end) for end in ends if end is not None), Fraction(0))
            mean = won / (len(ends) * _STAKE)
            total, squares = total + times * mean, squares + times * mean * mean
        if self._count < _FEWEST_OUTCOMES:
            return None
        mean = total / self._count
        variance = max(Fraction(0), squares / self._count - mean * mean)
        half = Fraction(_NORMAL_99 * math.sqrt(float(variance) / self._count))
        return mean - half, mean + half

    def _settle(self, outcome: Outcome, bet: str, choice: Any) -> Mapping[str, Any] | None:
        """Return the settlement of a bet; nothing if the outcome alone does not decide it."""
        if not self._is_whole:
            return None
        bets = self._place_bets(outcome, bet, choice)
        try:
            end, *_ = self._fast.settle_plain({}, outcome, bets)
        except (SeloError, LookupError, TypeError, ValueError):
            return None
        decided = end["result"] in _DECIDING_RESULTS or (
            end["result"] == _STANDS and isinstance(self._rules, Game)
        )
        return end if decided else None

    def _place_bets(self, outcome: Outcome, bet: str, choice: Any) -> list[Bet]:
        """Return a bet at the first place of the table, and the bets that it requires."""
        rules = self._rules
        names = [bet]
        if isinstance(rules, Game):
            names += [min(need.beside) for need in rules.bets[bet].needs]
        bets: list[dict[str, Any]] = [{"bet": name, "stake": _STAKE} for name in names]
        if choice is not None:
            bets[0]["choice"] = choice
        if isinstance(rules, Game) and isinstance(rules.kit, Duel):
            place = next(iter(rules.kit.split_hands(outcome)[1]), None)
            for placed in bets:
                field = rules.bets[placed["bet"]].place
                if field is not None:
                    placed[field] = place
        return cast("list[Bet]", bets)


def _equivalence_classes(
    rules: Game | ThrowingGame, equipment: Equipment, rows: NDArray[np.int16]
) -> Iterator[tuple[Outcome, int]]:
    """Yield one outcome of each equivalence class, and the size of the class."""
    if (
        isinstance(equipment, CardSource)
        and isinstance(rules, Game)
        and isinstance(rules.kit, Duel)
    ):
        keys = _DealClassifier(rules, rules.kit, equipment).keys(rows)
    else:
        keys = rows.astype(np.int64)
    _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
    for index, count in zip(first, times, strict=True):
        yield equipment.outcome(rows[index].tolist()), int(count)


class _DealClassifier:
    """Divides deals into classes that the bets of a game do not distinguish."""

    def __init__(self, game: Game, kit: Duel, cards: CardSource) -> None:
        self._game, self._kit, self._cards = game, kit, cards
        self._sameness = EquivalenceClasses(game, sorted(game.bets))
        self._kinds: dict[Any, int] = {}

    def keys(self, rows: NDArray[np.int16]) -> NDArray[np.int64]:
        """Return for each deal the kinds of both hands, and which of them is higher."""
        size = self._cards.hand
        # No bet depends on the order in which the cards of a hand were dealt.
        house, seat = (np.sort(rows[:, at : at + size], axis=1) for at in (0, size))
        sides = [
            np.unique(hands, axis=0, return_index=True, return_inverse=True)[1:]
            for hands in (house, seat)
        ]
        # Each hand is classified in a deal in which it occurs.
        of_house, of_seat = (
            [self._classify_hand(rows[at], of_house=not number) for at in first]
            for number, (first, _) in enumerate(sides)
        )
        ranks = sorted({standing for _, standing in (*of_house, *of_seat) if standing is not None})
        places = {standing: at for at, standing in enumerate(ranks)}
        columns = [
            np.array([(kind, places.get(standing, -1)) for kind, standing in hands_of_side])[
                which.ravel()
            ]
            for hands_of_side, (_, which) in zip((of_house, of_seat), sides, strict=True)
        ]
        stands = np.sign(columns[0][:, 1] - columns[1][:, 1])
        return np.column_stack([columns[0][:, 0], columns[1][:, 0], stands])

    def _classify_hand(self, row: NDArray[np.int16], *, of_house: bool) -> tuple[int, Any]:
        outcome = self._cards.outcome(row.tolist())
        facts = self._kit.read(outcome, self._game.tables)
        dealt, seats = self._kit.split_hands(outcome)
        ((name, hand),) = seats.items()
        if not of_house:
            facts = self._kit.bind_place(facts, "", name) or {}
        numbers = (of_house, self._sameness.classes_of(facts))
        kind = self._kinds.setdefault(numbers, len(self._kinds))
        cards = sorted(dealt if of_house else hand)
        return kind, self._sameness.rank_of(cards) if self._sameness.compares else None


def _house_win(end: Mapping[str, Any]) -> Fraction:
    if end["result"] == "lose":
        return Fraction(_STAKE)
    return to_fraction(end["commission"]) - to_fraction(end["prize"])
