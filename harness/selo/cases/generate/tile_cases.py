"""Cases of P'ai Kao: comparisons of pairs of tiles that one set can deal together."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from selo.cases.case import comparison_case
from selo.cases.group import Group
from selo.rules.settlement.tile_game import TileGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting

#: So many are drawn at random; larger budgets try every two pairs.
_MAX_RANDOM_CASES: Final = 300


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of the game."""
    game = setting.rules
    if not isinstance(game, TileGame) or "compare" not in setting.offered.methods:
        return
    made = _TileCases(setting, game)
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
    yield Group(
        name="at-random", budget="quick", cases=made.at_random, endless=True, max_drawn=_MAX_RANDOM_CASES,
        reason="two such pairs drawn at random, their tiles in any order",
    )  # fmt: skip


class _TileCases:
    def __init__(self, setting: GeneratorSetting, game: TileGame) -> None:
        self._setting, self._name, self._game = setting, setting.game, game
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

    def _either_way(self, hand: list[str]) -> list[str]:
        """Return a pair with its tiles in the order that the seed gives them throughout."""
        return hand[::-1] if tuple(hand) in self._turned else hand

    @cached_property
    def _turned(self) -> frozenset[tuple[str, ...]]:
        chance = self._setting.chance("tiles")
        return frozenset(tuple(pair) for pair in self._pairs if chance.randrange(2))

    def judged(self) -> Iterator[Case]:
        for one, other in self._setting.shuffle_by_seed("pairs-judged", self._judged()):
            mine, theirs = self._either_way(one), self._either_way(other)
            yield comparison_case(self._name, "pairs-judged", mine, theirs)

    def turned(self) -> Iterator[Case]:
        chance = self._setting.chance("tiles-turned")
        for one, other in self._setting.shuffle_by_seed("tiles-turned", self._judged()):
            mine, theirs = self._either_way(one), self._either_way(other)
            # One of them or both: in no way as before.
            which = chance.randrange(1, 4)
            yield comparison_case(
                self._name, "tiles-turned",
                mine[::-1] if which & 1 else mine, theirs[::-1] if which & 2 else theirs,
            )  # fmt: skip

    def every_two(self) -> Iterator[Case]:
        for one, other in self._one_way():
            yield comparison_case(self._name, "every-two-pairs", one, other)

    def swapped(self) -> Iterator[Case]:
        for one, other in self._one_way():
            yield comparison_case(self._name, "every-two-pairs-swapped", other, one)

    def _one_way(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield every two pairs once, in the order that the seed gives them."""
        pairs = [
            self._either_way(pair) for pair in self._setting.shuffle_by_seed("pairs", self._pairs)
        ]
        return self._together(pairs)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        # Of most pairs the law that is held says nothing.
        drawn = list(self._judged()) or list(self._together(self._pairs))
        while True:
            one, other = chance.choice(drawn)
            hands = chance.sample(one, 2), chance.sample(other, 2)
            yield comparison_case(self._name, "at-random", *hands)
