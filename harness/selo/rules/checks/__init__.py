"""Checks over all readings: every game compiles, and every reading has an effect."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.checks.circumstances import CaseCircumstances, read_circumstances
    from selo.rules.checks.game_check import check_games, list_games, settlement_points
    from selo.rules.checks.reading_effect import list_reading_effects
    from selo.rules.checks.reading_sensitivity import AlternativeReadings, AlternativeSettlement
    from selo.rules.checks.worked_cases import check_worked_cases
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "AlternativeReadings",
    "AlternativeSettlement",
    "CaseCircumstances",
    "check_games",
    "check_worked_cases",
    "list_games",
    "list_reading_effects",
    "read_circumstances",
    "reading_effect",
    "settlement_points",
]
