"""Whether outcomes know the bets: how often bets at free tables win, and how often they should.

1. Each round counts by the law: its bets are settled with the outcome that came and with others,
   whatever the vendor paid.
2. Dice: the others are all throws. Only bets that every throw decides count.
3. Cards: the others are the outcomes of the other rounds of the sample. Seats share the hand of the
   house, so only the bets of one seat count, settled together.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from selo.draws import CardSource, DiceSource
from selo.draws.dependence import NO_WINS, WinExcess, add_exact, add_permuted
from selo.errors import SeloError
from selo.rounds.script import PLAYER, THROWS
from selo.rules.settlement import ThrowingGame, compile_game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from selo.draws import Equipment
    from selo.examine.free_rounds.free_round_tally import LaidBets
    from selo.law import Law
    from selo.rules.readings import Readings
    from selo.table_values import Outcome

#: Rounds with cards are settled with each other's outcomes, so only this many of them count.
_MOST_PERMUTED: Final = 1_000
_FEWEST_ROUNDS: Final = 2
#: Fields of a bet that name its seat, and the only seat of an outcome with one hand.
_SEAT_FIELDS: Final = ("seat", "place")
_ONLY_SEAT: Final = "1"
#: Fields of a bet on which no settlement of a single outcome depends.
_UNIMPORTANT: Final = frozenset({"stake", "ticket", PLAYER, "bettor", "at"})
_STAKE: Final = 100
_WIN: Final = "win"
_DECIDED: Final = frozenset({"win", "lose", "push"})
#: What settling bets with an outcome that they were not laid for may raise.
_NOT_SETTLED: Final = (SeloError, LookupError, TypeError, ValueError)


class LaidBetCounter:
    """Counts wins of the bets of one sample, by the law."""

    def __init__(self, law: Law, game: str, readings: Readings, equipment: Equipment) -> None:
        rules = compile_game(law, game, readings)
        self._fast, self._equipment = rules.without_reasons(), equipment
        self._is_throwing = isinstance(rules, ThrowingGame)
        self._known: dict[bytes, list[bool] | None] = {}

    def excesses(self, rounds: Sequence[LaidBets]) -> dict[str, WinExcess]:
        """Return the excess of wins: of all bets, by stakes, and by what was won before."""
        if isinstance(self._equipment, DiceSource):
            laid = self._throw_rounds(self._equipment, rounds)
        else:
            laid = self._card_rounds(rounds[:_MOST_PERMUTED])
        if laid is None:
            return dict.fromkeys(("bets", "stakes", "winnings"), NO_WINS)
        wins, seen, stakes, before = laid
        by_stake = np.where(stakes > np.median(stakes), 1.0, -1.0)

        def excess(weights: NDArray[np.float64], chosen: NDArray[np.bool_]) -> WinExcess:
            if seen is None:
                return add_permuted(wins[np.ix_(chosen, chosen)], weights[chosen])
            return add_exact(wins[chosen], weights[chosen], seen[chosen])

        every = np.ones(len(stakes), dtype=bool)
        return {
            "bets": excess(np.ones(len(stakes)), every),
            "stakes": excess(by_stake, every),
            "winnings": excess(before, before != 0),
        }

    def _throw_rounds(
        self, dice: DiceSource, rounds: Sequence[LaidBets]
    ) -> tuple[Any, Any, Any, Any] | None:
        """Return the wins of each round in all throws, and in the one that came."""
        faces = range(len(dice.faces))
        throws = [list(row) for row in product(faces, repeat=dice.dice)]
        places = {tuple(row): at for at, row in enumerate(throws)}
        outcomes = [dice.outcome(row) for row in throws]
        kept = []
        for case, before in rounds:
            for came, bets in self._split_throws(case.outcome, case.bets):
                try:
                    at = places[tuple(dice.row(came))]
                except _NOT_SETTLED:
                    continue
                won = [
                    (wins, float(bet["stake"]))
                    for bet in bets
                    if (wins := self._wins_of(case.options, [bet], outcomes)[0]) is not None
                ]
                if won:
                    total = np.sum([wins for wins, _ in won], axis=0, dtype=float)
                    kept.append((total, total[at], sum(stake for _, stake in won), before))
        if len(kept) < _FEWEST_ROUNDS:
            return None
        return (
            np.array([wins for wins, _, _, _ in kept]),
            np.array([seen for _, seen, _, _ in kept]),
            np.array([stake for _, _, stake, _ in kept]),
            np.array([float(before) for _, _, _, before in kept]),
        )

    def _split_throws(
        self, outcome: Outcome, bets: Sequence[Mapping[str, Any]]
    ) -> list[tuple[Any, list[Any]]]:
        """Return each throw with the bets that were laid for it."""
        if not self._is_throwing:
            return [(outcome, list(bets))]
        throws = outcome[THROWS]
        by_throw: dict[int, list[Any]] = {}
        for bet in bets:
            if "to" not in bet:
                by_throw.setdefault(int(bet.get("at", 0)), []).append({**bet, "at": 0})
        # Of a case only the last throw is new: those before it were counted when they came.
        last = len(throws) - 1
        return [
            ({THROWS: [throws[at][: self._equipment.dice]]}, laid)  # type: ignore[union-attr]
            for at, laid in by_throw.items()
            if at == last
        ]

    def _card_rounds(self, rounds: Sequence[LaidBets]) -> tuple[Any, Any, Any, Any] | None:
        """Return the wins of the bets of each round with the outcome of every round."""
        kept = []
        for case, before in rounds:
            outcome, bets = self._one_seat(case.outcome, case.bets)
            if bets:
                kept.append((case.options, outcome, bets, before))
        if len(kept) < _FEWEST_ROUNDS:
            return None
        outcomes = [outcome for _, outcome, _, _ in kept]
        wins = np.zeros((len(kept), len(kept)))
        for at, (options, _, bets, _) in enumerate(kept):
            for won in self._wins_of(options, bets, outcomes):
                if won is not None:
                    wins[at] += won
        stakes = [float(sum(bet["stake"] for bet in bets)) for _, _, bets, _ in kept]
        earlier = [float(before) for _, _, _, before in kept]
        return wins, None, np.array(stakes), np.array(earlier)

    def _one_seat(
        self, outcome: Outcome, bets: Sequence[Mapping[str, Any]]
    ) -> tuple[Outcome, list[Any]]:
        """Return an outcome with the hand of one seat, and the bets of that seat."""
        equipment = self._equipment
        if not isinstance(equipment, CardSource):
            return outcome, list(bets)
        plain: Any = outcome
        field = next((name for name in _SEAT_FIELDS if any(name in bet for bet in bets)), "")
        seat = next((bet[field] for bet in bets if field in bet), None)
        hand = plain.get(equipment.seats, {}).get(seat)
        if hand is None:
            return outcome, []
        own = [{**bet, field: _ONLY_SEAT} for bet in bets if bet.get(field) == seat]
        shown: Any = {equipment.house: plain[equipment.house], equipment.seats: {_ONLY_SEAT: hand}}
        return shown, own

    def _wins_of(
        self, options: Any, bets: Sequence[Mapping[str, Any]], outcomes: Sequence[Any]
    ) -> list[list[bool] | None]:
        """Return for each bet in which outcomes it wins; nothing where one does not decide it."""
        plain = [
            {name: value for name, value in bet.items() if name not in _UNIMPORTANT} for bet in bets
        ]
        # Bets of one seat may depend on each other: an ante that nobody raises is lost.
        keys = [msgspec.json.encode([options, bet, plain], order="sorted") for bet in plain]
        if any(key not in self._known for key in keys):
            asked: list[Any] = [{**bet, "stake": _STAKE} for bet in plain]
            results = [self._results(options, outcome, asked) for outcome in outcomes]
            for at, key in enumerate(keys):
                each = [result[at] if result is not None else None for result in results]
                # A card game's stake that stands after a tie did not win.
                undecided = None in each or (self._is_throwing and not {*each} <= _DECIDED)
                self._known[key] = None if undecided else [result == _WIN for result in each]
        return [self._known[key] for key in keys]

    def _results(self, options: Any, outcome: Any, bets: list[Any]) -> list[str] | None:
        try:
            return [end["result"] for end in self._fast.settle_plain(options, outcome, bets)]
        except _NOT_SETTLED:
            return None
