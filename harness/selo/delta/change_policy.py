"""Classes of changes and limits on carrying over, read from ``bilingual/changes.yaml``."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

from selo.data_files import shipped_folder
from selo.errors import SpecError
from selo.law.files.provision_file import ClosedRecord
from selo.text import Words
from selo.yaml_file import read_yaml

_POLICY_FILE: Final = "changes.yaml"


class ChangeKind(enum.StrEnum):
    """What can be different between two builds, or between their examinations."""

    SETTLEMENT = "settlement"
    PLAY = "play"
    CHANCE = "chance"
    FILES = "files"
    OFFER = "offer"
    OPTIONS = "options"
    DECLARATIONS = "declarations"
    ISOLATION = "isolation"
    LAW = "law"
    READINGS = "readings"
    ENGINE = "engine"


class ChangeClass(enum.StrEnum):
    """What a change bears on."""

    OPERATION = "operation"
    FAIRNESS = "fairness"
    SECURITY = "security"
    RELIABILITY = "reliability"
    AUDITABILITY = "auditability"


class ClassifiedChange(ClosedRecord, frozen=True):
    """The class of a kind of change, and why."""

    change: ChangeKind
    bears_on: ChangeClass = msgspec.field(name="class")
    because: Words


class CarryLimits(ClosedRecord, frozen=True):
    """How often and how long a provision may be carried over."""

    times: int
    days: int
    because: Words


class ChangePolicy(ClosedRecord, frozen=True):
    """Everything that is laid down about changes."""

    limits: CarryLimits
    compatible_engines: list[tuple[int, int]]
    classes: list[ClassifiedChange]

    def class_of(self, kind: ChangeKind) -> ClassifiedChange:
        """Return the class of a kind of change."""
        return next(row for row in self.classes if row.change is kind)

    def are_compatible(self, older: int, newer: int) -> bool:
        """Return whether a verdict of one engine may be carried over by another."""
        return older == newer or (older, newer) in self.compatible_engines


def read_change_policy() -> ChangePolicy:
    """Return the policy that ships with this program; raise if a kind of change has no class."""
    document = read_yaml(shipped_folder("bilingual") / _POLICY_FILE)
    policy = document.convert(ChangePolicy)
    if sorted(row.change for row in policy.classes) != sorted(ChangeKind):
        problem = "every kind of change has one class"
        hint = ", ".join(ChangeKind)
        raise SpecError(document.problem("classes", problem=problem, hint=hint))
    return policy
