"""Dice with pips, thrown several times in a round: the facts of a throw and of a bet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from selo.rules.equipment.kits import BadOutcome
from selo.rules.equipment.pack_and_dice import PIPS, THROW_POSITIONS
from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from selo.rules.equipment.kits import Tables
    from selo.rules.language.vocabulary import Function
    from selo.table_values import Outcome

#: Written for a die that left the table.
_OFF_TABLE: Final = 0
_POSSIBLE_FACES: Final = frozenset({_OFF_TABLE, *PIPS})


def split_throw(throw: Sequence[Any]) -> tuple[list[Any], str]:
    """Return the dice of a throw, and how they lie; a throw of which nothing is said lies flat."""
    if throw and isinstance(throw[-1], str):
        return list(throw[:-1]), throw[-1]
    return list(throw), THROW_POSITIONS[0]


class PlainDice:
    """Dice with pips."""

    variables: Mapping[str, str] = {
        "dice": INTS,
        "left_table": BOOL,
        "lying": TEXT,
        "alike": BOOL,
        "point": INT,
        "point_set": BOOL,
        "point_made": BOOL,
        "round_point": INT,
        "round_over": BOOL,
        "repeating": BOOL,
        "base": TEXT,
        "base_has_point": BOOL,
        "base_added": BOOL,
    }
    #: The variables that depend on the round or on a bet, not on the throw alone.
    bet_variables: Final = frozenset(variables) - {"dice", "left_table", "lying", "alike"}
    places: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, dice: int) -> None:
        self._dice = dice

    def functions(self, tables: Tables) -> list[Function]:
        """Return nothing: the common functions suffice."""
        del tables
        return []

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: choices are given as lists."""
        del choice, tables
        return None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return the facts of one throw; those of the round and of a bet have empty values."""
        throw = outcome.get("throw")
        del tables
        dice, lying = split_throw(throw) if isinstance(throw, list | tuple) else ([], "")
        if len(dice) != self._dice or set(dice) - _POSSIBLE_FACES or lying not in THROW_POSITIONS:
            msg = f"{throw!r} is not a throw of {self._dice} dice"
            raise BadOutcome(msg)
        return {
            "dice": dice,
            "left_table": _OFF_TABLE in dice,
            "lying": lying,
            "alike": len(set(dice)) == 1,
            "point": 0,
            "point_set": False,
            "point_made": False,
            "round_point": 0,
            "round_over": False,
            "repeating": False,
            "base": "",
            "base_has_point": False,
            "base_added": False,
        }

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return the throw."""
        return tuple(outcome.get("throw") or ())

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return nothing: a bet has no place of its own."""
        del facts, place, value
        return None
