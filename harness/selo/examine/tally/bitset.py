"""Places of a plan that are marked, one bit each."""

from __future__ import annotations

from typing import Final

_BITS: Final = 8


class Marks:
    """Some places of a plan."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, place: int) -> None:
        """Mark a place; what stands in no plan has none."""
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
