"""Simulates tables move by move, every choice taken from one seeded generator.

1. Each table switches some moves off, so that tables differ in kind (swarm testing). How many is
   chosen for each table; whether a move is off is decided when it is first possible.
2. The next move is one of those that are possible and on: a few attempts among all, then among
   those left. A table at which every possible move is off ends there.
3. What a move leaves open is chosen by the same generator.

Plans name neither choices nor moves, so the order in which choices are taken must never change
under the same engine: the same seed gives the same tables in every program.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from selo.rounds.generate.table_model import TableModel

T = TypeVar("T")
#: Moves of a table, its opening included.
_STEPS_PER_TABLE: Final = 24
#: A table may end before any move but the first.
_EARLY_END: Final = 2**-16
_WAIT: Final = "wait"
#: Every kind of move; betting, the most frequent, stands twice. After the last round tables wait.
_MOVES: Final = (
    _WAIT, "add", "bet", "bet", "change", "decide", "happen", "on", "open", "stop", "strange",
)  # fmt: skip
_ATTEMPTS: Final = 3
#: Moves are switched off with a chance of so many in 255.
_MAX_OFF: Final = 254
#: Tables that ended because every move was off, at most: so many, and so many more for each other.
_MAX_ENDED: Final = (458, 100)


class _SeededChooser:
    """Choices taken from a generator."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        single = len(options) == 1
        return options[0 if single else self._generator.randint(0, len(options) - 1)]


class _MoveSwitches:
    """The moves that are off at one table."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator
        self._chance = generator.randint(0, _MAX_OFF) / 255
        self._off: dict[str, bool] = {}
        #: Moves of which one must be on; empty as soon as one is.
        self._candidates = set(_MOVES)

    def choose(self, possible: Collection[str]) -> str | None:
        """Return one of the possible moves that are on; None if all of them are off."""
        tried: set[int] = set()
        for _ in range(_ATTEMPTS):
            at = self._generator.randint(0, len(_MOVES) - 1)
            if at not in tried:
                if self._is_open(_MOVES[at], possible):
                    return _MOVES[at]
                tried.add(at)
        wanted = self._generator.randint(0, len(_MOVES) - len(tried) - 1)
        left: list[str] = []
        for at, move in enumerate(_MOVES):
            if at not in tried and self._is_open(move, possible):
                left.append(move)
                if len(left) > wanted:
                    return move
        return left[self._generator.randint(0, len(left) - 1)] if left else None

    def _is_open(self, move: str, possible: Collection[str]) -> bool:
        """Return whether a move is possible and on."""
        if (move in possible) if move != _WAIT else not possible:
            return not self._is_off(move)
        return False

    def _is_off(self, move: str) -> bool:
        if self._candidates == {move}:
            self._off[move] = False
        elif move not in self._off:
            self._off[move] = self._generator.random() < self._chance
        if move in self._candidates and not self._off[move]:
            self._candidates.clear()
        self._candidates.discard(move)
        return self._off[move]


def simulate_tables(make: Callable[[], TableModel], seed: str, count: int) -> list[TableModel]:
    """Return at least `count` simulated tables, each played to its end, unless most end early."""
    generator = random.Random(seed)  # noqa: S311 - it repeats itself on purpose
    finished: list[TableModel] = []
    whole = ended = 0
    base, each = _MAX_ENDED
    while whole < count and ended <= base + each * (whole + 1):
        model = make()
        is_whole = _play(model, generator)
        model.finish(_FirstChooser())
        finished.append(model)
        whole, ended = whole + is_whole, ended + (not is_whole)
    return finished


def _play(model: TableModel, generator: random.Random) -> bool:
    """Make the moves of a table; return whether some move was always on."""
    chooser, switches = _SeededChooser(generator), None
    model.prepare(chooser)
    possible = model.moves()
    for _ in range(1, _STEPS_PER_TABLE):
        if generator.random() < _EARLY_END:
            break
        switches = switches or _MoveSwitches(generator)
        move = switches.choose(possible)
        if move is None:
            return False
        if move != _WAIT:
            possible[move](chooser)
            possible = model.moves()
    return True


class _FirstChooser:
    """Always chooses the first option."""

    def pick(self, options: Sequence[T]) -> T:
        """Return the first of the options."""
        return options[0]
