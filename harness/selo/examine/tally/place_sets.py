"""Sets of places in a plan, of the bets at these places, and what was answered to them."""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    #: The parts of an answer; nothing if only its being wrong was kept.
    KeptAnswer = Mapping[str, Any] | None

_BITS: Final = 8
_LAST_BIT: Final = 63
#: Different answers that are kept; of later ones only the place is.
_MAX_ANSWERS: Final = 60_000


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

    #: The first of the bets that share a bit.
    shared: Final = _LAST_BIT

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

    def has_any(self, place: int) -> bool:
        """Return whether any bet of a case is marked."""
        return 0 <= place < len(self._words) and bool(self._words[place])

    def __bool__(self) -> bool:
        return any(self._words)


class AnswerLog:
    """Every wrong answer to a bet or a comparison, as three machine words.

    Answers that are alike are kept once.
    """

    def __init__(self) -> None:
        self._places, self._bets, self._numbers = array("Q"), array("Q"), array("Q")
        self._known: dict[tuple[tuple[str, Any], ...], int] = {}
        self._answers: list[KeptAnswer] = [None]

    def __len__(self) -> int:
        return len(self._places)

    def add(self, place: int, bet: int, answer: Mapping[str, Any]) -> None:
        """Add a wrong answer; a negative place stands for a case outside the plan."""
        if place < 0:
            return
        key = tuple(
            (part, tuple(value) if isinstance(value, list) else value)
            for part, value in answer.items()
        )
        number = self._known.get(key)
        if number is None:
            number = 0
            if len(self._answers) <= _MAX_ANSWERS:
                number = self._known[key] = len(self._answers)
                self._answers.append(answer)
        for words, word in (
            (self._places, place), (self._bets, bet), (self._numbers, number),
        ):  # fmt: skip
            words.append(word)

    def by_place(self) -> Iterator[tuple[int, list[tuple[int, KeptAnswer]]]]:
        """Yield each place in ascending order, with its wrong bets and what was answered."""
        order = sorted(range(len(self._places)), key=self._places.__getitem__)
        for place, entries in groupby(order, self._places.__getitem__):
            yield place, [(self._bets[at], self._answers[self._numbers[at]]) for at in entries]
