"""Caches the rank of each hand: a plan compares every hand with several others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from selo.cases.oracle.told_settlement import join_order
from selo.rules.settlement import ThrowingGame
from selo.rules.settlement.settlement_models import NoRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selo.cases.case import Case
    from selo.protocol.messages import Compared
    from selo.rules.settlement import Game

    #: The place of a hand in the order of hands, and whether the law at hand defines it.
    HandRank = tuple[tuple[int, ...], bool]

#: There are 22,100 hands of three cards.
_MAX_HANDS_CACHED: Final = 30_000


class ComparisonCache:
    """Compares the hands of one game, with a bounded cache."""

    def __init__(self, game: Game | ThrowingGame) -> None:
        self._game = game
        self._ranks: dict[tuple[str, ...], HandRank] = {}

    def compare(self, hand: Sequence[str], against: Sequence[str]) -> str | None:
        """Return how `hand` ranks against another, or None where the law at hand is silent."""
        if isinstance(self._game, ThrowingGame):
            return None
        rank, is_defined = self._rank_of(self._game, hand)
        other_rank, other_is_defined = self._rank_of(self._game, against)
        if not (is_defined and other_is_defined):
            return None
        if rank == other_rank:
            return "equal"
        # Ranks are numbered from the highest hand down.
        return "higher" if rank < other_rank else "lower"

    def _rank_of(self, game: Game, hand: Sequence[str]) -> HandRank:
        cards = tuple(hand)
        rank = self._ranks.get(cards)
        if rank is None:
            if len(self._ranks) >= _MAX_HANDS_CACHED:
                self._ranks.clear()
            rank = self._ranks[cards] = _rank_hand(game, hand)
        return rank


def told_order(game: Game | ThrowingGame, case: Case, told: Compared) -> str:
    """Return the answer to a comparison as its order, and its points if they are wrong."""
    if told.hand_points is None:
        return told.order
    lawful = lawful_points(game, case, told.hand_points)
    return told.order if told.hand_points == lawful else join_order(told.order, told.hand_points)


def lawful_points(game: Game | ThrowingGame, case: Case, told: Sequence[int]) -> list[int]:
    """Return what the hands of a case count; what is `told` where the law at hand is silent."""
    if isinstance(game, ThrowingGame):
        return list(told)
    known = [game.points_of(hand) for hand in (case.a, case.b)]
    return [
        number if points is None else points for number, points in zip(told, known, strict=True)
    ]


def _rank_hand(game: Game, hand: Sequence[str]) -> HandRank:
    if game.order is None:
        msg = f"{game.name} compares no hands"
        raise NoRule(msg)
    # The order of dealing does not matter; sorting lets the game cache equal hands.
    return game.order(sorted(hand)), game.is_judged(hand, hand)
