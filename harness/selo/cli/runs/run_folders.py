"""Default folders of runs: no run overwrites another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def next_free_folder(folder: Path) -> Path:
    """Return `folder`, or if it exists, the same name with the next free number."""
    number, free = 1, folder
    while os.path.lexists(free):
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free
