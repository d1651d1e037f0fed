"""A set of tiles, and the pairs that it contains."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

from selo.rules.equipment.kits import BadOutcome, Tables

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from selo.rules.language.vocabulary import Function
    from selo.table_values import Outcome


TilePair = tuple[str, ...]


class TileSet:
    """The tiles of a set, each with how often it occurs."""

    variables: Mapping[str, str] = {}
    places: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, table: Mapping[str, Any]) -> None:
        #: Interchangeable tiles, by the name of their group.
        self.groups: Mapping[str, Sequence[str]] = table["same"]
        self.supply = Counter(dict.fromkeys(table["twice"], 2))
        self.supply.update(tile for group in self.groups.values() for tile in group)

    def read_pair(self, tiles: Sequence[str]) -> TilePair:
        """Return a pair of the set, sorted, or raise `BadOutcome`."""
        pair = tuple(sorted(tiles)) if isinstance(tiles, list | tuple) else ()
        if len(pair) != 2 or Counter(pair) - self.supply:  # noqa: PLR2004 - a pair is two
            msg = f"{tiles!r} is not a pair of tiles of one set"
            raise BadOutcome(msg)
        return pair

    def list_pairs(self, names: Sequence[str]) -> Iterator[TilePair]:
        """Yield the pairs of the set that two names of tiles or groups describe."""
        for tiles in product(*(self.groups.get(name, [name]) for name in names)):
            if not Counter(tiles) - self.supply:
                yield tuple(sorted(tiles))

    def same_pips_as(self, tile: str) -> list[str]:
        """Return the tiles with as many pips as `tile`."""
        return [other for other in self.supply if _pips(other) == _pips(tile)]

    def functions(self, tables: Tables) -> list[Function]:
        """Return nothing: tiles are only compared."""
        del tables
        return []

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: there is no bet."""
        del choice, tables
        return None

    def read(self, outcome: Outcome, tables: Tables) -> dict[str, Any]:
        """Return nothing: the law we hold settles no outcome."""
        del outcome, tables
        return {}

    def memo_key(self, outcome: Outcome) -> Hashable:
        """Return one key for every outcome."""
        del outcome
        return ()

    def bind_place(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return nothing: there is no bet."""
        del facts, place, value
        return None


def _pips(tile: str) -> int:
    return sum(map(int, tile.split("/")))
