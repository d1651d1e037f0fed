"""The program that examines, known by a digest of all of it."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import selo

#: By this name the digest stands among the versions of what a run was made with.
TOOL_DIGEST: Final = "selo-sha256"


@cache
def compute_tool_digest() -> str:
    """Return the SHA-256 over every module of Selo: its path in the package, and its bytes."""
    folder = Path(selo.__file__).parent
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.py"), key=lambda one: one.relative_to(folder).as_posix()):
        name = path.relative_to(folder).as_posix()
        whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()
