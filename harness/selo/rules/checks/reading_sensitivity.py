"""The settlement of a case under alternative readings of open points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from selo.rules.checks.game_check import settlement_points
from selo.rules.readings import Readings
from selo.rules.settlement import compile_game
from selo.rules.settlement.settlement_models import UNSETTLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from selo.law import Law
    from selo.rules.settlement import Game, ThrowingGame
    from selo.table_values import Bet, Options, Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class AlternativeSettlement:
    """A reading under which a case has another settlement."""

    divergence: str
    reading: str
    settlements: tuple[dict[str, Any], ...]


class AlternativeReadings:
    """A game under each alternative reading of each open point, compiled when first needed."""

    def __init__(self, law: Law, game: str, readings: Readings) -> None:
        self._law, self._game, self._readings = law, game, readings
        self._points = settlement_points(law, game)
        self._compiled: dict[tuple[str, str], Game | ThrowingGame] = {}

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for divergence, readings in self._points.items():
            for reading in readings:
                if reading != self._readings.of(divergence):
                    yield divergence, reading

    def game(self, divergence: str, reading: str) -> Game | ThrowingGame:
        """Return the game with `reading` in force on `divergence`, all else unchanged."""
        at = divergence, reading
        if at not in self._compiled:
            rulings = {**self._readings.rulings, divergence: reading}
            self._compiled[at] = compile_game(self._law, self._game, Readings(self._law, rulings))
        return self._compiled[at]

    def find_differing(
        self, options: Options, outcome: Outcome, bets: Sequence[Bet]
    ) -> Iterator[AlternativeSettlement]:
        """Yield the readings under which this case has another settlement."""
        rulings = Readings(self._law, self._readings.rulings)
        in_force = compile_game(self._law, self._game, rulings)
        now = in_force.settle_plain(options, outcome, bets)
        for divergence, reading in self:
            try:
                then = self.game(divergence, reading).settle_plain(options, outcome, bets)
            except UNSETTLED:
                # Under this reading the table must declare more, so nothing can be compared.
                continue
            if then != now:
                yield AlternativeSettlement(
                    divergence=divergence, reading=reading, settlements=tuple(then)
                )
