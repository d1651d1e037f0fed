"""The reading in force on each open point."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.rules.readings.reading_choice import Readings, readings_of_points
else:
    __getattr__ = front_door(__name__)

__all__ = ["Readings", "readings_of_points"]
