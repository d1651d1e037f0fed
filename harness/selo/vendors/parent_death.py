"""Lets a process of ours end with the one that started it, however that one ends."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from typing import Final

_SET_PARENT_DEATH_SIGNAL: Final = 1
_ORPHANED: Final = 1


def die_with(parent: int) -> None:
    """Let the system kill this process when its parent dies; end at once if it has died already.

    Its vendor ends with it: the keeper sees that nobody is left.
    """
    with contextlib.suppress(AttributeError, OSError):  # a system that has no such call
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(_ORPHANED)
