"""Cases for tiles (P'ai Kao): comparisons of pairs that one set can deal together."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from selo.cases.case import comparison_case
from selo.cases.group import Group
from selo.rules.settlement import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selo.cases.case import Case
    from selo.cases.group import GeneratorSetting

#: Larger budgets try every two pairs, so few random ones are needed.
_MAX_RANDOM_CASES: Final = 300


def list_groups(setting: GeneratorSetting) -> Iterator[Group]:
    """Yield the groups of cases of a game with tiles."""
    game = setting.rules
    if not isinstance(game, Game) or game.pairs is None or "compare" not in setting.offered.methods:
        return
    generator = _TileCases(setting, game, game.pairs.tiles.supply)
    yield Group(name="pairs-judged", budget="quick", cases=generator.pairs_judged)
    yield Group(name="tiles-turned", budget="quick", cases=generator.tiles_turned)
    yield Group(name="every-two-pairs", budget="standard", cases=generator.every_two_pairs)
    yield Group(
        name="every-two-pairs-swapped", budget="full", cases=generator.every_two_pairs_swapped
    )
    yield Group(
        name="at-random",
        budget="quick",
        cases=generator.at_random,
        endless=True,
        max_drawn=_MAX_RANDOM_CASES,
    )


class _TileCases:
    def __init__(self, setting: GeneratorSetting, game: Game, supply: Counter[str]) -> None:
        self._setting, self._name, self._game = setting, setting.game, game
        self._supply = supply
        self._pairs = [
            list(pair)
            for pair in combinations_with_replacement(sorted(supply), 2)
            if not Counter(pair) - supply
        ]

    def _dealable_pairs(self, pairs: list[list[str]]) -> Iterator[tuple[list[str], list[str]]]:
        """Yield every two of `pairs` that one set can deal together, once."""
        supply = self._supply
        for hand, other in combinations_with_replacement(pairs, 2):
            tiles = [*hand, *other]
            if all(tiles.count(tile) <= supply[tile] for tile in tiles):
                yield hand, other

    def _judged_pairs(self) -> Iterator[tuple[list[str], list[str]]]:
        # Two pairs are judged if the law at hand gives the rank of each.
        judged = [pair for pair in self._pairs if self._game.is_judged(pair, pair)]
        for hand, other in self._dealable_pairs(judged):
            yield hand, other
            if hand != other:
                yield other, hand

    def _in_seeded_order(self, hand: list[str]) -> list[str]:
        """Return a pair with its tiles in the order that the seed fixes for all groups."""
        return hand[::-1] if tuple(hand) in self._reversed_pairs else hand

    @cached_property
    def _reversed_pairs(self) -> frozenset[tuple[str, ...]]:
        chance = self._setting.chance("tiles")
        return frozenset(tuple(pair) for pair in self._pairs if chance.randrange(2))

    def pairs_judged(self) -> Iterator[Case]:
        for hand, other in self._setting.shuffle_by_seed("pairs-judged", self._judged_pairs()):
            first, second = self._in_seeded_order(hand), self._in_seeded_order(other)
            yield comparison_case(self._name, "pairs-judged", first, second)

    def tiles_turned(self) -> Iterator[Case]:
        chance = self._setting.chance("tiles-turned")
        for hand, other in self._setting.shuffle_by_seed("tiles-turned", self._judged_pairs()):
            first, second = self._in_seeded_order(hand), self._in_seeded_order(other)
            # Reverse the first pair, the second, or both.
            which = chance.randrange(1, 4)
            yield comparison_case(
                self._name, "tiles-turned",
                first[::-1] if which & 1 else first, second[::-1] if which & 2 else second,
            )  # fmt: skip

    def every_two_pairs(self) -> Iterator[Case]:
        for first, second in self._all_pairs_once():
            yield comparison_case(self._name, "every-two-pairs", first, second)

    def every_two_pairs_swapped(self) -> Iterator[Case]:
        for first, second in self._all_pairs_once():
            yield comparison_case(self._name, "every-two-pairs-swapped", second, first)

    def _all_pairs_once(self) -> Iterator[tuple[list[str], list[str]]]:
        """Yield every two pairs once, in an order determined by the seed.

        Every pair comes first against half of the others, and second against the rest.
        """
        pairs = [
            self._in_seeded_order(pair)
            for pair in self._setting.shuffle_by_seed("pairs", self._pairs)
        ]
        places = {id(pair): at for at, pair in enumerate(pairs)}
        for hand, other in self._dealable_pairs(pairs):
            is_swapped = (places[id(hand)] + places[id(other)]) % 2
            yield (other, hand) if is_swapped else (hand, other)

    def at_random(self) -> Iterator[Case]:
        chance = self._setting.chance("at-random")
        # The law at hand is silent on most pairs.
        candidates = list(self._judged_pairs()) or list(self._dealable_pairs(self._pairs))
        while True:
            hand, other = chance.choice(candidates)
            hands = chance.sample(hand, 2), chance.sample(other, 2)
            yield comparison_case(self._name, "at-random", *hands)
