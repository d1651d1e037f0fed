"""Checks of ``selo doctor``."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.doctor.doctor_check import DoctorCheck, DoctorState
else:
    __getattr__ = front_door(__name__)

__all__ = ["DoctorCheck", "DoctorState", "installation", "machine"]
