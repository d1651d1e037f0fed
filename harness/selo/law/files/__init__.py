"""Models of the files under ``specs/``: closed structs, one module for each kind of file."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.law.files.declaration_file import DeclarationsFile, read_declarations
    from selo.law.files.round_file import RoundsFile, WrittenRound, read_written_rounds
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DeclarationsFile",
    "RoundsFile",
    "WrittenRound",
    "chance_file",
    "divergence_register",
    "events_file",
    "provision_file",
    "read_declarations",
    "read_written_rounds",
    "situation_file",
]
