"""The sandbox of a vendor's process: an empty room in a plausible world, measured from inside."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.vendors.sandbox.confinement import (
        Confinement,
        available_confinement,
        list_missing_guarantees,
        prepare_start,
    )
    from selo.vendors.sandbox.probe_program import GUARANTEES
    from selo.vendors.sandbox.visible_files import (
        Room,
        VisibleFiles,
        find_visible_files,
        list_rooms_of_selo,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "GUARANTEES",
    "Confinement",
    "Room",
    "VisibleFiles",
    "available_confinement",
    "find_visible_files",
    "list_missing_guarantees",
    "list_rooms_of_selo",
    "plausible_world",
    "prepare_start",
]
