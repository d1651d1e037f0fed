"""Models of the files under ``specs/``: closed structs, one module for each kind of file."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.files.declaration_file import (
        DeclarationsFile,
        overlay_declarations,
        read_declarations,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DeclarationsFile",
    "chance_file",
    "divergence_register",
    "equipment_file",
    "events_file",
    "overlay_declarations",
    "provision_file",
    "read_declarations",
    "round_file",
    "situation_file",
]
