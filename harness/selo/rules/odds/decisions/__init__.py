"""Hands that grow by decisions: what the best decisions gain."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.odds.decisions.played_hand_odds import PlayedHandOdds
else:
    __getattr__ = front_door(__name__)

__all__ = ["PlayedHandOdds"]
