"""Model of ``equipment.yaml``: how pieces look, and the lists of numbers that a bet may choose.

How many pieces there are and which faces they have stands in the articles, beside the words of the
law. What the law prints as a drawing of its table, such as which numbers touch on a layout, stands
here.
"""

from __future__ import annotations

import enum
from typing import Final

from selo.law.files.provision_file import ClosedRecord
from selo.text import Words

#: The file of an instrument.
EQUIPMENT_FILE: Final = "equipment.yaml"


class PieceShape(enum.StrEnum):
    """How a piece is drawn."""

    DIE = "die"
    #: A wheel with pockets, of which one holds the ball.
    WHEEL = "wheel"
    #: A heap of beads that is counted off.
    BEADS = "beads"


class EquipmentFile(ClosedRecord, frozen=True, kw_only=True):
    """The pieces of one game."""

    game: str
    shape: PieceShape
    #: What the faces that show are called.
    words: Words
    #: The faces in the order in which they lie, such as around a wheel; as they are counted if not.
    order: list[int] = []
    #: By name, lists of numbers to choose from: called by their numbers, or by names.
    choices: dict[str, list[list[int]] | dict[str, list[int]]] = {}

    def choice_lists(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """Return the numbers of each choice, by the name of its list and its own."""
        return {
            name: {choice: tuple(numbers) for choice, numbers in listed.items()}
            if isinstance(listed, dict)
            else {"-".join(map(str, numbers)): tuple(numbers) for numbers in listed}
            for name, listed in self.choices.items()
        }
