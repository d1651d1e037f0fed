"""One thing that is looked at, and what came of it."""

from __future__ import annotations

import enum

import msgspec


class DoctorState(enum.StrEnum):
    """What was found."""

    GOOD = "good"
    #: It is not there, and Selo does without.
    ABSENT = "absent"
    #: It is not there, or not as it must be, and Selo cannot do without.
    WRONG = "wrong"


class DoctorCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at; its words stand under ``doctor.NAME``."""

    name: str
    state: DoctorState
    #: What was found: a version, a path, a number.
    found: str = ""


def report_good(name: str, found: str = "") -> DoctorCheck:
    """Return that it is there."""
    return DoctorCheck(name=name, state=DoctorState.GOOD, found=found)


def report_absent(name: str, found: str = "") -> DoctorCheck:
    """Return that Selo does without it."""
    return DoctorCheck(name=name, state=DoctorState.ABSENT, found=found)


def report_wrong(name: str, found: str = "") -> DoctorCheck:
    """Return that Selo cannot work like this."""
    return DoctorCheck(name=name, state=DoctorState.WRONG, found=found)
