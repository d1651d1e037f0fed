"""Cases of P'ai Kao: comparisons of pairs of tiles that one set can deal together."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from selo.cases.case import comparing
from selo.cases.group import Group
from selo.rules.tiles import TileGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.case import Case
    from selo.cases.group import Setting


def groups(setting: Setting) -> Iterator[Group]:
    """Yield the groups of cases of the game."""
    game = setting.rules
    if not isinstance(game, TileGame) or "compare" not in setting.offered.methods:
        return
    made = _Cases(setting.game, game)
    yield Group(
        name="pairs-judged", budget="quick", cases=made.judged,
        reason="every two pairs, both ways, whose order the law that is held says",
    )  # fmt: skip
    yield Group(
        name="tiles-turned", budget="quick", cases=made.turned,
        reason="the same with the tiles of a pair in the other order, which must not matter",
    )  # fmt: skip
    yield Group(
        name="every-two-pairs", budget="standard", cases=made.every_two,
        reason="every two pairs that one set can deal together, each two once",
    )  # fmt: skip
    yield Group(
        name="every-two-pairs-swapped", budget="full", cases=made.swapped,
        reason="the same with the pairs exchanged",
    )  # fmt: skip


class _Cases:
    def __init__(self, name: str, game: TileGame) -> None:
        self._name, self._game = name, game
        supply = game.set.supply
        self._pairs = [
            list(pair)
            for pair in combinations_with_replacement(sorted(supply), 2)
            if not Counter(pair) - supply
        ]

    def _together(self, pairs: list[list[str]]) -> Iterator[tuple[list[str], list[str]]]:
        """Yield every two of `pairs` that one set can deal, each two once."""
        supply = self._game.set.supply
        for one, other in combinations_with_replacement(pairs, 2):
            tiles = [*one, *other]
            if all(tiles.count(tile) <= supply[tile] for tile in tiles):
                yield one, other

    def _judged(self) -> Iterator[tuple[list[str], list[str]]]:
        # Two pairs are judged if each of them stands where the law that is held says.
        judged = [pair for pair in self._pairs if self._game.judges(pair, pair)]
        for one, other in self._together(judged):
            yield one, other
            if one != other:
                yield other, one

    def judged(self) -> Iterator[Case]:
        for one, other in self._judged():
            yield comparing(self._name, "pairs-judged", one, other)

    def turned(self) -> Iterator[Case]:
        for one, other in self._judged():
            yield comparing(self._name, "tiles-turned", one[::-1], other)

    def every_two(self) -> Iterator[Case]:
        for one, other in self._together(self._pairs):
            yield comparing(self._name, "every-two-pairs", one, other)

    def swapped(self) -> Iterator[Case]:
        for one, other in self._together(self._pairs):
            yield comparing(self._name, "every-two-pairs-swapped", other, one)
