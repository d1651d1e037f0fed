"""The vendor's answer to `describe`, checked against the law and the vendor's own files."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.vendor_description.declared_limits import DeclaredLimits
    from selo.examine.vendor_description.describe_check import (
        Introduction,
        check_declared_files,
        check_description,
        description_change,
        hash_declared_files,
        introduce_vendor,
        measure_declared_files,
        offered_of,
        processes_for,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DeclaredLimits",
    "Introduction",
    "check_declared_files",
    "check_description",
    "description_change",
    "hash_declared_files",
    "introduce_vendor",
    "measure_declared_files",
    "offered_of",
    "processes_for",
]
