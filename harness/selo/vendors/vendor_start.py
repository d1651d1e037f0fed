"""How a vendor is reached, and which files of its folder a command starts.

Seal, evidence and certificate say both, so both are read from the address in one place.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from selo.vendors.in_process import is_object_address

if TYPE_CHECKING:
    from pathlib import Path

#: In a process of its own, as an object in ours, as a server. Only the first can be certified.
WAYS: Final = ("process", "object", "server")
_SERVER_SCHEMES: Final = ("http://", "https://")


def way_of(vendor: str) -> str:
    """Return how a product is reached."""
    process, in_process, server = WAYS
    if vendor.lower().startswith(_SERVER_SCHEMES):
        return server
    return in_process if is_object_address(vendor) else process


def started_files(vendor: str, folder: Path) -> list[str]:
    """Return the files that a command starts; what lies elsewhere is told by its name alone.

    The program itself is an interpreter, and not of the product, if the command names a file too.
    """
    if way_of(vendor) != WAYS[0]:
        return []
    *named, program = _possible_files(vendor) or [""]
    files = [path for name in named if (path := (folder / name).resolve()).is_file()]
    if not files:
        files = [(folder / program).resolve()]
    return [
        path.relative_to(folder.resolve()).as_posix()
        if path.is_relative_to(folder.resolve())
        else f"…/{path.name}"
        for path in files
    ]


def find_start_file(vendor: str, folder: Path) -> str | None:
    """Return the file in `folder` that the vendor's command names first, if it names one."""
    for name in _possible_files(vendor):
        path = (folder / name).resolve()
        # An interpreter that a project links to lies elsewhere, and is not the project's.
        if path.is_file() and path.is_relative_to(folder.resolve()):
            return path.relative_to(folder.resolve()).as_posix()
    return None


def _possible_files(vendor: str) -> list[str]:
    """Return the words of a command that may name a file: its arguments, then the program."""
    if vendor.lower().startswith(_SERVER_SCHEMES):
        return []
    if is_object_address(vendor):
        module = vendor.partition(":")[0]
        return [module, f"{module.replace('.', '/')}.py"]
    try:
        first, *others = shlex.split(vendor)
    except ValueError:
        return []
    return [*others, first]
