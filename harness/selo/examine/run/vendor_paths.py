"""Where the vendor's own files lie, as seen from the folder in which a command was typed.

What is kept holds no folder of the machine: a repository has the same paths on every one.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from selo.vendors.in_process import is_object


def within(folder: Path) -> str | None:
    """Return `folder` as a path from the working folder; nothing if it lies elsewhere."""
    here, there = Path.cwd().resolve(), folder.resolve()
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else None


def starts(vendor: str, folder: Path) -> str | None:
    """Return the file in `folder` that the vendor's command names first, if it names one."""
    for one in _named(vendor):
        path = (folder / one).resolve()
        # An interpreter that a project links to lies elsewhere, and is not the project's.
        if path.is_file() and path.is_relative_to(folder.resolve()):
            return path.relative_to(folder.resolve()).as_posix()
    return None


def _named(vendor: str) -> list[str]:
    """Return what may be a file: the words of a command, those after its first one before it."""
    if vendor.startswith(("http://", "https://")):
        return []
    if is_object(vendor):
        module = vendor.partition(":")[0]
        return [module, f"{module.replace('.', '/')}.py"]
    try:
        first, *others = shlex.split(vendor)
    except ValueError:
        return []
    return [*others, first]
