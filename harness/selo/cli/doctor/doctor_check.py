"""One check of ``selo doctor`` and its result."""

from __future__ import annotations

import enum

import msgspec


class DoctorState(enum.StrEnum):
    """What was found."""

    GOOD = "good"
    #: Missing, but Selo works without it.
    ABSENT = "absent"
    #: Missing or unusable, and Selo cannot work without it.
    WRONG = "wrong"


class DoctorCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One check; its messages stand under ``doctor.NAME``."""

    name: str
    state: DoctorState
    #: What was found: a version, a path, a number.
    found: str = ""


def report_good(name: str, found: str = "") -> DoctorCheck:
    """Return a check that passed."""
    return DoctorCheck(name=name, state=DoctorState.GOOD, found=found)


def report_absent(name: str, found: str = "") -> DoctorCheck:
    """Return a check of something missing that Selo can do without."""
    return DoctorCheck(name=name, state=DoctorState.ABSENT, found=found)


def report_wrong(name: str, found: str = "") -> DoctorCheck:
    """Return a check of something missing that Selo needs."""
    return DoctorCheck(name=name, state=DoctorState.WRONG, found=found)
