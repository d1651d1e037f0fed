"""The house edge in what a vendor drew: every drawn outcome paid as the law pays it.

It tells what the random source alone does to the edge. What a product pays otherwise than the law
is a finding, with its own effect in money, and no part of this figure.

1. Outcomes that are alike to every bet are gathered: throws that show the same, and hands of the
   same kinds of which the same one stands higher (`selo.rules.equivalence`).
2. One outcome of each sort is settled, each bet laid alone or with what the law wants beside it.
3. A bet that waits for further throws, or on which a bettor decides when the cards are seen, has no
   edge in a single outcome.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from selo.cases.oracle import terse
from selo.draws import Cards
from selo.errors import SeloError
from selo.rules import Sameness, compile_game
from selo.rules.equipment.kits import Duel
from selo.rules.readings import Readings
from selo.rules.settlement.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws import Dice
    from selo.examine.replay.draw_results import Taken
    from selo.law.loader import Law
    from selo.rules.settlement.throwing_game import ThrowingGame

_STAKE: Final = 100
#: Results that decide a bet. Where cards are dealt, one that stands is neither won nor lost in that
#: round, as the exact odds count it; where dice are thrown, it waits for the next throw.
_DECIDED: Final = frozenset({"win", "lose", "push"})
_STANDS: Final = "stands"


class Observed:
    """Outcomes drawn from a vendor's random source, by game."""

    def __init__(self, taken: Iterable[Taken], law: Law, rulings: Mapping[str, str]) -> None:
        self._law, self._rulings = law, dict(rulings)
        self._taken: dict[str, list[Taken]] = {}
        for one in taken:
            if one.batches:
                self._taken.setdefault(one.sample.game, []).append(one)
        self._sorted: dict[str, _Sorted] = {}

    def count(self, game: str) -> int:
        """Return how many outcomes of a game were drawn."""
        return sum(len(some) for one in self._taken.get(game, ()) for some in one.batches)

    def edge(self, game: str, bet: str, choice: Any) -> Fraction | None:
        """Return what the house kept of such a bet over all outcomes, if each decides it."""
        return self.edges(game, [(bet, choice)])[0]

    def edges(self, game: str, asked: Sequence[tuple[str, Any]]) -> list[Fraction | None]:
        """Return the same of several bets and choices, each laid alone."""
        if game not in self._taken:
            return [None for _ in asked]
        if game not in self._sorted:
            rules = compile_game(self._law, game, Readings(self._law, self._rulings))
            self._sorted[game] = _Sorted(rules, self._taken[game])
        return [self._sorted[game].edge(bet, choice) for bet, choice in asked]


class _Sorted:
    """The outcomes of one game, one of each sort with how often its like came."""

    def __init__(self, rules: Game | ThrowingGame, taken: Sequence[Taken]) -> None:
        self._rules, self._fast = rules, terse(rules)
        self._sorts = [
            found
            for one in taken
            for found in _sorts(rules, one.equipment, np.concatenate(one.batches))
        ]
        self._count = sum(times for _, times in self._sorts)

    def edge(self, bet: str, choice: Any) -> Fraction | None:
        """Return what the house kept of a bet, if every outcome decides it."""
        kept = Fraction(0)
        for outcome, times in self._sorts:
            end = self._settled(outcome, bet, choice)
            if end is None:
                return None
            kept += times * _kept(end)
        return kept / (self._count * _STAKE) if self._count else None

    def _settled(
        self, outcome: Mapping[str, Any], bet: str, choice: Any
    ) -> Mapping[str, Any] | None:
        """Return how a bet ends; nothing if the outcome alone does not decide it."""
        laid = self._laid(outcome, bet, choice)
        try:
            end, *_ = self._fast.settle_plain({}, outcome, laid)
        except (SeloError, LookupError, TypeError, ValueError):
            return None
        decided = end["result"] in _DECIDED or (
            end["result"] == _STANDS and isinstance(self._rules, Game)
        )
        return end if decided else None

    def _laid(self, outcome: Mapping[str, Any], bet: str, choice: Any) -> list[dict[str, Any]]:
        """Return a bet at the first place there is, and the bets that must lie beside it."""
        rules = self._rules
        names = [bet]
        if isinstance(rules, Game):
            names += [min(need.beside) for need in rules.bets[bet].needs]
        laid: list[dict[str, Any]] = [{"bet": name, "stake": _STAKE} for name in names]
        if choice is not None:
            laid[0]["choice"] = choice
        if isinstance(rules, Game) and isinstance(rules.kit, Duel):
            place = next(iter(rules.kit.dealt(outcome)[1]), None)
            for one in laid:
                field = rules.bets[one["bet"]].place
                if field is not None:
                    one[field] = place
        return laid


def _sorts(
    rules: Game | ThrowingGame, equipment: Dice | Cards, rows: NDArray[np.int16]
) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield an outcome of each sort, and how often its like came."""
    if isinstance(equipment, Cards) and isinstance(rules, Game) and isinstance(rules.kit, Duel):
        keys = _Hands(rules, rules.kit, equipment).keys(rows)
    else:
        keys = rows.astype(np.int64)
    _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
    for at, many in zip(first, times, strict=True):
        yield equipment.outcome(rows[at].tolist()), int(many)


class _Hands:
    """Tells deals apart as far as the bets of a game do."""

    def __init__(self, game: Game, kit: Duel, cards: Cards) -> None:
        self._game, self._kit, self._cards = game, kit, cards
        self._sameness = Sameness(game, sorted(game.bets))
        self._kinds: dict[Any, int] = {}

    def keys(self, rows: NDArray[np.int16]) -> NDArray[np.int64]:
        """Return for each deal the kinds of both hands, and how they stand to each other."""
        size = self._cards.hand
        # The order in which the cards of a hand came is nothing to a bet.
        house, seat = (np.sort(rows[:, at : at + size], axis=1) for at in (0, size))
        sides = [
            np.unique(hands, axis=0, return_index=True, return_inverse=True)[1:]
            for hands in (house, seat)
        ]
        # Each hand is looked at in a deal in which it came.
        of_house, of_seat = (
            [self._looked_at(rows[at], of_house=not number) for at in first]
            for number, (first, _) in enumerate(sides)
        )
        ranks = sorted({standing for _, standing in (*of_house, *of_seat) if standing is not None})
        places = {standing: at for at, standing in enumerate(ranks)}
        columns = [
            np.array([(kind, places.get(standing, -1)) for kind, standing in some])[which.ravel()]
            for some, (_, which) in zip((of_house, of_seat), sides, strict=True)
        ]
        stands = np.sign(columns[0][:, 1] - columns[1][:, 1])
        return np.column_stack([columns[0][:, 0], columns[1][:, 0], stands])

    def _looked_at(self, row: NDArray[np.int16], *, of_house: bool) -> tuple[int, Any]:
        outcome = self._cards.outcome(row.tolist())
        facts = self._kit.read(outcome, self._game.tables)
        dealt, seats = self._kit.dealt(outcome)
        ((name, hand),) = seats.items()
        if not of_house:
            facts = self._kit.bound(facts, "", name) or {}
        numbers = (of_house, self._sameness.numbers(facts))
        kind = self._kinds.setdefault(numbers, len(self._kinds))
        shown = sorted(dealt if of_house else hand)
        return kind, self._sameness.standing(shown) if self._sameness.compares else None


def _kept(end: Mapping[str, Any]) -> Fraction:
    if end["result"] == "lose":
        return Fraction(_STAKE)
    return _amount(end["commission"]) - _amount(end["prize"])


def _amount(told: int | list[int]) -> Fraction:
    return Fraction(told) if isinstance(told, int) else Fraction(*told)
