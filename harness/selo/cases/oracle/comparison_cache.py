"""How hands compare, each of them looked at once: a plan puts every hand beside several others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.rules.settlement.game import NoRule
from selo.rules.settlement.throwing_game import ThrowingGame
from selo.rules.settlement.tile_game import TileGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.rules.settlement.game import Game

    #: Where a hand stands in the order, and whether the law that is held says so.
    HandRank = tuple[tuple[int, ...], bool]

#: There are 22,100 hands of three cards.
_MAX_HANDS_CACHED: Final = 30_000


class ComparisonCache:
    """The order of hands of one game; what it remembers does not grow."""

    def __init__(self, game: Game | ThrowingGame) -> None:
        self._game = game
        self._known: dict[tuple[str, ...], HandRank] = {}

    def compare(self, one: Sequence[str], other: Sequence[str]) -> str | None:
        """Return how a hand ranks against another; nothing where the law held does not say."""
        if isinstance(self._game, ThrowingGame):
            return None
        first, says = self._rank_of(self._game, one)
        second, says_too = self._rank_of(self._game, other)
        if not (says and says_too):
            return None
        if first == second:
            return "equal"
        # The first of a descending order is the highest.
        return "higher" if first < second else "lower"

    def _rank_of(self, game: Game, hand: Sequence[str]) -> HandRank:
        at = tuple(hand)
        found = self._known.get(at)
        if found is None:
            if len(self._known) >= _MAX_HANDS_CACHED:
                self._known.clear()
            found = self._known[at] = _rank_hand(game, hand)
        return found


def _rank_hand(game: Game, hand: Sequence[str]) -> HandRank:
    if game.compare is None:
        msg = f"{game.name} compares no hands"
        raise NoRule(msg)
    if isinstance(game, TileGame):
        return game.compare(hand), game.judges(hand, hand)
    # The order of dealing does not matter to a hand, and hands are known again when sorted.
    return game.compare(sorted(hand)), True
