"""Types and published JSON Schemas of everything that ``--json`` prints."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.schemas.schema_files import list_files, list_outputs, read_schema
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "list_files",
    "list_outputs",
    "read_schema",
]
