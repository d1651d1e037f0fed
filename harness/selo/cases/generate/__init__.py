"""Generators of cases, one module for each kind of equipment, and the stream of all cases."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cases.deals.sample_hands import HAND_SIZE
    from selo.cases.generate.round_dealer import MAX_ROUND_CARDS, RoundDealer
    from selo.cases.generate.situation_cases import (
        SITUATION_GROUP,
        states_history,
        without_history,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "HAND_SIZE",
    "MAX_ROUND_CARDS",
    "SITUATION_GROUP",
    "RoundDealer",
    "case_stream",
    "rule_proof",
    "states_history",
    "without_history",
]
