"""An ordinary pack of cards and ordinary dice, which the law names and does not list."""

from __future__ import annotations

from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
#: The sign of each suit, and its name.
SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SUITS: Final = tuple(SUIT_NAMES)
RED_SUITS: Final = ("H", "D")
PACK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
#: The faces of a die with pips.
PIPS: Final = range(1, 7)
#: How a die may lie; the law decides what becomes of a throw with a die that does not lie flat.
DIE_POSITIONS: Final = ("flat", "leaning", "leaning-on-glass", "stacked")
#: A die that is broken or that nobody can read: only cases that state history contain it.
UNREADABLE: Final = "unreadable"
#: How a throw may come to lie: one die on an edge with one face more exposed, or with two equally
#: exposed, one die on the other, one on the rail; thrown short of the far end, or not towards it.
THROW_POSITIONS: Final = ("flat", "cocked", "edge", "stacked", "rail", "short", "sideways")
