"""Checks over all readings: every game compiles, and every reading has an effect."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.checks.reading_effect import decided, deciding
    from selo.rules.checks.reading_sensitivity import Other, OtherReadings
else:
    __getattr__ = front_door(
        __name__,
        {
            "reading_effect": ["decided", "deciding"],
            "reading_sensitivity": ["Other", "OtherReadings"],
        },
    )

__all__ = ["Other", "OtherReadings", "decided", "deciding", "game_check"]
