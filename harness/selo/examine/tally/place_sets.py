"""Sets of places in a plan, and of the bets at these places."""

from __future__ import annotations

from array import array
from typing import Final

_BITS: Final = 8
_LAST_BIT: Final = 63


class PlaceSet:
    """A set of places in a plan, as a bit set."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, place: int) -> None:
        """Add a place; a negative one stands for a case outside the plan and is ignored."""
        if place < 0:
            return
        byte, bit = divmod(place, _BITS)
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        self._bits[byte] |= 1 << bit

    def __contains__(self, place: int) -> bool:
        byte, bit = divmod(place, _BITS)
        return 0 <= byte < len(self._bits) and bool(self._bits[byte] >> bit & 1)

    def __bool__(self) -> bool:
        return any(self._bits)


class BetMarks:
    """Bets of the cases of a plan, as one machine word for each case.

    Bets beyond the bits of a word share its last bit.
    """

    def __init__(self) -> None:
        self._words = array("Q")

    def add(self, place: int, bet: int) -> None:
        """Mark a bet; a negative place stands for a case outside the plan and is ignored."""
        if place >= 0:
            if place >= len(self._words):
                self._words.extend([0] * (place + 1 - len(self._words)))
            self._words[place] |= 1 << min(bet, _LAST_BIT)

    def has(self, place: int, bet: int) -> bool:
        """Return whether a bet is marked."""
        return 0 <= place < len(self._words) and bool(self._words[place] >> min(bet, _LAST_BIT) & 1)
