"""Pieces with faces: dice with figures or numbers, a wheel with pockets, beads that are counted.

They are one kind of equipment with different data: this many pieces, each of which shows one of the
same faces. A face has a name (a figure or a number), perhaps a colour, a figure of its own and the
remainder that is left when its number is counted off.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final, cast

from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.pack_and_dice import DIE_POSITIONS, UNREADABLE
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS, define_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.equipment.kits import Tables
    from selo.rules.language.vocabulary import Function
    from selo.table_values import Outcome

#: The field of an outcome that holds the faces: of dice with figures, and of all other pieces.
DICE: Final = "dice"
SHOWN: Final = "shown"
PIECE_FIELDS: Final = (DICE, SHOWN)
#: How each piece lies, and the figures that were announced, where they are not those of the dice.
LYING: Final = "lying"
ANNOUNCED: Final = "announced"
#: Whether a bet has one result whatever an unreadable die shows.
CERTAIN: Final = "certain"
_POSITIONS: Final = frozenset({*DIE_POSITIONS, UNREADABLE})
#: The choice of any face, of any figure, of any colour.
_FACE, _FIGURE, _COLOUR = "face", "figure", "colour"


@dataclass(frozen=True, kw_only=True, slots=True)
class PieceSet:
    """So many pieces, each of which shows one of the same faces."""

    count: int
    field: str = SHOWN
    #: Whether the law may say how a piece lies, and what is announced of it.
    has_positions: bool = False
    #: Whether the figures announced count, and not those of the pieces.
    announced: bool = False

    @property
    def variables(self) -> Mapping[str, str]:
        """What conditions may ask of the faces shown, which are in no order."""
        names = dict(PIECE_VARIABLES)
        if self.has_positions:
            del names["remainders"]
        else:
            del names[LYING], names[CERTAIN]
        return names

    @property
    def places(self) -> Mapping[str, Mapping[str, str]]:
        """Nothing: a bet on pieces has no place."""
        return {}

    @property
    def random_part(self) -> str:
        """What a provision calls random: the faces."""
        return "faces"

    def functions(self, tables: Tables) -> list[Function]:
        """Return the functions of numbers that show and of the numbers of a choice."""
        if self.has_positions:
            return []

        def numbers_of(table: str, choice: str) -> tuple[int, ...]:
            return tables.choices.get(table, {}).get(choice, ())

        def covers(table: str, choice: str, numbers: Sequence[int]) -> bool:
            return any(number in numbers for number in numbers_of(table, choice))

        def covers_all(table: str, choice: str, numbers: Sequence[int]) -> bool:
            chosen = numbers_of(table, choice)
            return bool(chosen) and all(number in numbers for number in chosen)

        return [
            define_function(
                "times", (INTS, INT), INT, _times, says="how often a list holds a number"
            ),
            define_function(
                "covers", (TEXT, TEXT, INTS), BOOL, covers,
                says="whether a choice of a list of equipment.yaml has one of the numbers",
            ),
            define_function(
                "covers_all", (TEXT, TEXT, INTS), BOOL, covers_all,
                says="whether every number of a choice is among the numbers",
            ),
        ]  # fmt: skip

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return the faces, figures or colours, or the choices of a list of equipment.yaml."""
        if choice == _FACE or (choice == _FIGURE and not tables.figures):
            return list(tables.faces)
        if choice == _FIGURE:
            return sorted(set(tables.figures.values()))
        if choice == _COLOUR:
            return sorted({colour for colour, _ in tables.faces.values() if colour is not None})
        return list(tables.choices[choice]) if choice in tables.choices else None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the facts of the faces shown, which do not depend on their order."""
        plain: Mapping[str, Any] = outcome
        pieces: Any = plain.get(self.field)
        announced: Any = plain.get(ANNOUNCED) or pieces
        for faces in (pieces, announced):
            good = isinstance(faces, list) and len(faces) == self.count
            if not good or not _are_faces(faces, tables):
                msg = f"{faces!r} is not a throw of {self.count} dice"
                raise BadOutcome(msg)
        if self.announced:
            pieces = announced
        lying = plain.get(LYING) or [DIE_POSITIONS[0]] * len(pieces)
        if len(lying) != len(pieces) or set(lying) - _POSITIONS:
            msg = f"{lying!r} does not say how {len(pieces)} dice lie"
            raise BadOutcome(msg)
        pairs = sorted(zip(pieces, lying, strict=True))
        shown = [face for face, _ in pairs]
        numbers = [tables.faces[face][1] for face in shown]
        facts = {
            "figures": [tables.figures.get(face, str(face)) for face in shown],
            "colours": [tables.faces[face][0] or "" for face in shown],
            "numbers": numbers,
        }
        if not self.has_positions:
            remainders = [remainder_of(number, tables.divisor) for number in numbers]
            return {**facts, "remainders": remainders}
        return {**facts, LYING: [how for _, how in pairs], CERTAIN: True}

    def possible_throws(self, outcome: Outcome, tables: Tables) -> list[Outcome]:
        """Return the throws that an outcome may be, one for each face of an unreadable die."""
        lying = list(outcome.get(LYING) or ())
        if UNREADABLE not in lying:
            return []
        at = lying.index(UNREADABLE)
        lying[at] = DIE_POSITIONS[0]
        pieces = list(cast("Mapping[str, Any]", outcome)[self.field])
        return [
            cast("Outcome", {self.field: [*pieces[:at], face, *pieces[at + 1 :]], LYING: lying})
            for face in tables.faces
        ]

    def throws(self, tables: Tables) -> list[Outcome]:
        """Return every outcome with pieces that lie flat; all are equally likely."""
        return [
            cast("Outcome", {self.field: list(faces)})
            for faces in product(tables.faces, repeat=self.count)
        ]

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return the faces as they were named."""
        plain: Mapping[str, Any] = outcome
        if not self.has_positions:
            # `1`, `1.0` and `true` are equal, and only one of them is a face.
            return repr(plain.get(self.field))
        named = [plain.get(name) for name in (self.field, LYING, ANNOUNCED)]
        return tuple([tuple(faces or ()) for faces in named])

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return nothing: a bet on pieces has no place."""
        del facts, place, value
        return None


#: Every variable of pieces; those of one set are some of them.
PIECE_VARIABLES: Final[Mapping[str, str]] = {
    "figures": TEXTS,
    "colours": TEXTS,
    "numbers": INTS,
    "remainders": INTS,
    LYING: TEXTS,
    CERTAIN: BOOL,
}


def remainder_of(number: int, divisor: int | None) -> int:
    """Return what is left of a number that is counted off; the divisor where nothing is left."""
    return number if divisor is None else number % divisor or divisor


def pieces_of(outcome: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """Return the field of an outcome that holds faces, and the faces; nothing if it has none."""
    for name in PIECE_FIELDS:
        if isinstance(outcome.get(name), list):
            return name, outcome[name]
    return None


def _are_faces(faces: list[Any], tables: Tables) -> bool:
    # JSON has true and 1.0, which Python holds to be the face 1.
    return all(isinstance(face, str | int) and type(face) is not bool for face in faces) and not (
        set(faces) - set(tables.faces)
    )


def _times(numbers: Sequence[int], number: int) -> int:
    return list(numbers).count(number)
