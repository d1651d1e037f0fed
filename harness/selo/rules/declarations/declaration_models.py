"""Requirements on declarations: their statuses, judgements, and the names of options."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

#: One game as a vendor describes it, as the plain dictionary of a message.
Offer = Mapping[str, Any]
#: Items that are declared in fields of their own.
FACES: Final = "faces"
MODALITY: Final = "modality"
#: All that the dice can show, where a layout must show it.
COMBINATIONS: Final = "combinations"


class RequirementStatus(enum.StrEnum):
    """The status of one requirement."""

    KEPT = "kept"
    BROKEN = "broken"
    #: It was declared, but a deciding fact is not known.
    UNDETERMINED = "untold"
    #: The vendor does not declare it.
    MISSING = "missing"
    #: The vendor does not offer what the requirement concerns.
    ABSENT = "absent"


@dataclass(frozen=True, kw_only=True, slots=True)
class RequirementJudgement:
    """One requirement, compared with what is declared."""

    provision: str
    #: The name of the requirement, unique within the provision.
    about: str
    status: RequirementStatus
    required: Mapping[str, Any]
    declared: Mapping[str, Any]
    #: Other provisions that define the requirement.
    grounds: tuple[str, ...] = ()

    @property
    def concerns_layout(self) -> bool:
        """Whether the requirement is about the layout of a table."""
        return "layout" in self.required

    @property
    def key(self) -> tuple[str, str]:
        """The identity of the requirement under any reading."""
        return self.provision, self.about


def status_of(*, kept: bool) -> RequirementStatus:
    """Return the status of a requirement that is kept or broken."""
    return RequirementStatus.KEPT if kept else RequirementStatus.BROKEN
