"""How one thing that a vendor declares stands to the law."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: One game as a vendor describes it, in the plain form of a message.
Offer = Mapping[str, Any]


class Standing(enum.StrEnum):
    """What can be said of one requirement."""

    KEPT = "kept"
    BROKEN = "broken"
    #: It was declared, and something that decides is not known.
    UNTOLD = "untold"
    #: The vendor does not declare it.
    MISSING = "missing"
    #: The vendor does not offer what it is about.
    ABSENT = "absent"


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """One requirement held against what is declared."""

    provision: str
    #: What is asked for, by a name that no other requirement of the provision has.
    about: str
    standing: Standing
    required: Mapping[str, Any]
    declared: Mapping[str, Any]
    #: Other provisions that say what is required.
    grounds: tuple[str, ...] = ()

    @property
    def of_layout(self) -> bool:
        """Whether it is about what a layout shows."""
        return "layout" in self.required

    @property
    def key(self) -> tuple[str, str]:
        """By what it is known, whatever the reading."""
        return self.provision, self.about


def stands(*, kept: bool) -> Standing:
    """Return whether it is kept or broken."""
    return Standing.KEPT if kept else Standing.BROKEN
