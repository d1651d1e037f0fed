"""One thing that is looked at, and what came of it."""

from __future__ import annotations

import enum

import msgspec


class State(enum.StrEnum):
    """What was found."""

    GOOD = "good"
    #: It is not there, and Selo does without.
    ABSENT = "absent"
    #: It is not there, or not as it must be, and Selo cannot do without.
    WRONG = "wrong"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at; its words stand under ``doctor.NAME``."""

    name: str
    state: State
    #: What was found: a version, a path, a number.
    found: str = ""


def good(name: str, found: str = "") -> Check:
    """Return that it is there."""
    return Check(name=name, state=State.GOOD, found=found)


def absent(name: str, found: str = "") -> Check:
    """Return that Selo does without it."""
    return Check(name=name, state=State.ABSENT, found=found)


def lacking(name: str, found: str = "") -> Check:
    """Return that Selo cannot work like this."""
    return Check(name=name, state=State.WRONG, found=found)
