"""Folders of runs that nobody named: each run has one of its own, and takes no other's place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def next_free_folder(folder: Path) -> Path:
    """Return the folder itself, or if it is there already, the same with the next number."""
    number, found = 1, folder
    while os.path.lexists(found):
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
    return found
