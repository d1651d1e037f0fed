"""Checks of ``selo doctor``."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.doctor.doctor_check import Check, State
else:
    __getattr__ = front_door(
        __name__,
        {
            "doctor_check": ["Check", "State"],
        },
    )

__all__ = ["Check", "State", "installation", "machine"]
