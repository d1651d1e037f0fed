"""Exit codes: a contract, one number for each way to end."""

from __future__ import annotations

import enum


class Exit(enum.IntEnum):
    """What the number that a command leaves behind means."""

    #: Everything asked for was done, and conforms where there was a verdict.
    CONFORMS = 0
    #: The game breaks the law.
    VIOLATES = 1
    #: Inconclusive, or not fully verified.
    OPEN = 2
    #: Wrong usage, wrong configuration, or a law file that cannot be used.
    USAGE = 3
    #: The vendor could not be reached or broke down.
    VENDOR = 4
    #: Selo itself is wrong.
    SUITE = 5
    #: A bad signature or tampered evidence.
    TAMPERED = 6
