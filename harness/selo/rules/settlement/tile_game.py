"""Pairs of tiles in a descending order, part of it law and part of it reconstructed.

1. The set of tiles, and the lines that the law files do not hold, are in ``reconstructed/``.
2. A pair stands on the line of the law that prints it; else on the reconstructed line that lists
   it; else on the line of the law whose tile it replaces by another with as many pips, if that
   reading is followed; else on no line, and then it loses to every pair that stands on one.
3. The reason of a comparison is the provision of each line; a reconstructed line has no provision,
   and its reason names the reconstruction in the role `reconstructed.ROLE`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final

from selo.rules.clauses import clause_models as c
from selo.rules.clauses import read_clauses
from selo.rules.equipment.kits import BadOutcome, Tables
from selo.rules.settlement.bet_rules import Reason
from selo.rules.settlement.game import Game
from selo.rules.settlement.reconstruction import ROLE, Basis

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from selo.law.loader import Law
    from selo.rules.clauses import Written
    from selo.rules.language.vocabulary import Function

#: The word of the equipment clause.
TILES: Final = "tiles"
#: The statement that lists the lines we do not hold.
_RANKS: Final = "ranks"
_ONCE: Final = "Leave each pair on one line."
_Pair = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """The line on which a pair stands, and why."""

    line: int
    reason: Reason


class TileSet:
    """The tiles there are, and what may be made of them."""

    variables: Mapping[str, str] = {}
    places: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, table: Mapping[str, Any]) -> None:
        #: Tiles that count alike, by the name of their group.
        self.groups: Mapping[str, Sequence[str]] = table["same"]
        self.supply = Counter(dict.fromkeys(table["twice"], 2))
        self.supply.update(tile for group in self.groups.values() for tile in group)

    def pair(self, tiles: Sequence[str]) -> _Pair:
        """Return a pair in whatever order it lies, refusing what the set does not hold."""
        pair = tuple(sorted(tiles)) if isinstance(tiles, list | tuple) else ()
        if len(pair) != 2 or Counter(pair) - self.supply:  # noqa: PLR2004 - a pair is two
            msg = f"{tiles!r} is not a pair of tiles of one set"
            raise BadOutcome(msg)
        return pair

    def pairs(self, listed: Sequence[str]) -> Iterator[_Pair]:
        """Yield the pairs that a line lists by tiles or groups, as far as the set holds them."""
        for tiles in product(*(self.groups.get(one, [one]) for one in listed)):
            if not Counter(tiles) - self.supply:
                yield tuple(sorted(tiles))

    def alike(self, tile: str) -> list[str]:
        """Return the tiles with as many pips as `tile`."""
        return [one for one in self.supply if _pips(one) == _pips(tile)]

    def functions(self, tables: Tables) -> list[Function]:
        """Return nothing: tiles are only compared."""
        del tables
        return []

    def domain(self, choice: str, tables: Tables) -> list[Any] | None:
        """Return nothing: there is no bet."""
        del choice, tables
        return None

    def read(self, outcome: Mapping[str, Any], tables: Tables) -> dict[str, Any]:
        """Return nothing: the law we hold settles no outcome."""
        del outcome, tables
        return {}

    def raw(self, outcome: Mapping[str, Any]) -> Hashable:
        """Return one key for every outcome."""
        del outcome
        return ()

    def bound(self, facts: Mapping[str, Any], place: str, value: str) -> dict[str, Any] | None:
        """Return nothing: there is no bet."""
        del facts, place, value
        return None


def _pips(tile: str) -> int:
    return sum(map(int, tile.split("/")))


@dataclass(kw_only=True)
class TileGame(Game):
    """A game of which only the order of pairs is known."""

    set: TileSet
    standings: Mapping[_Pair, Standing]
    #: Whether a comparison that rests on reconstructed lines is judged at all.
    judges_reconstructed: bool

    def reasons(self, one: Sequence[str], other: Sequence[str]) -> tuple[Reason, ...]:
        """Return why one pair ranks against another as it does."""
        found = (self.standings.get(self.set.pair(pair)) for pair in (one, other))
        return tuple(standing.reason for standing in found if standing is not None)

    def judges(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether the law that is followed says how one pair ranks against another."""
        return self.judges_reconstructed or all(
            reason.role != ROLE for reason in self.reasons(one, other)
        )


def plays_with_tiles(law: Law, game: str) -> bool:
    """Return whether the equipment of `game` is tiles."""
    return any(
        isinstance(read_clause.clause, c.Equipment) and read_clause.clause.equipment == TILES
        for read_clause in read_clauses(law, game)
    )


def compile_tiles(law: Law, game: str, clauses: Sequence[Written]) -> TileGame:
    """Return the order of pairs of `game` as `clauses` have it."""
    tables = Tables()
    basis = Basis.of(law, game, tables)
    tiles = TileSet(basis.statements[TILES][1].table or {})
    standings = _standings(_lines(clauses), tiles, basis)
    manners = {
        clause.clause.manner: clause.clause.means
        for clause in clauses
        if isinstance(clause.clause, c.Manner)
    }
    turned = -1 if manners.get("order") == "last-highest" else 1

    def order(hand: Sequence[str]) -> tuple[int, ...]:
        standing = standings.get(tiles.pair(hand))
        # What stands on no line comes after all that do.
        return (1,) if standing is None else (0, turned * standing.line)

    plain = Game(
        name=game, kit=tiles, tables=tables, defines=[], bets={}, order=order,
        roundings={}, odds_are="to-one", lines_add_up=False,
    )  # fmt: skip
    return TileGame(
        **{field.name: getattr(plain, field.name) for field in fields(Game)},
        set=tiles,
        standings=standings,
        judges_reconstructed=manners.get(ROLE) == "judged",
    )


def _lines(clauses: Sequence[Written]) -> list[tuple[Written, c.Tiles]]:
    return [(clause, clause.clause) for clause in clauses if isinstance(clause.clause, c.Tiles)]


def _standings(
    lines: Sequence[tuple[Written, c.Tiles]], tiles: TileSet, basis: Basis
) -> dict[_Pair, Standing]:
    found: dict[_Pair, Standing] = {}
    # What the law prints goes before what is reconstructed, and that before what is only alike.
    for pair, standing in chain(
        _printed(lines, tiles), _reconstructed(tiles, basis), _alike(lines, tiles)
    ):
        found.setdefault(pair, standing)
    return found


def _numbers(lines: Sequence[tuple[Written, c.Tiles]]) -> dict[int, int]:
    """Return the number by which each line counts: lines of one level count as their first."""
    numbers = {clause.tiles: clause.tiles for _, clause in lines}
    first: dict[str, int] = {}
    for _, clause in lines:
        if clause.level is not None:
            numbers[clause.tiles] = first.setdefault(clause.level, clause.tiles)
    return numbers


def _printed(
    lines: Sequence[tuple[Written, c.Tiles]], tiles: TileSet
) -> Iterator[tuple[_Pair, Standing]]:
    numbers = _numbers(lines)
    known: dict[_Pair, int] = {}
    for one, clause in lines:
        reason = Reason(provision=one.held.id, role="rank", condition=None)
        for printed in clause.pairs:
            if any(tile not in tiles.supply for tile in printed):
                raise one.wrong("pairs", f"{printed} is no pair of tiles", "Write tiles as 1/4.")
            pair = tuple(sorted(printed))
            if known.setdefault(pair, clause.tiles) != clause.tiles:
                raise one.wrong("pairs", f"{printed} stands on line {known[pair]} too", _ONCE)
            yield pair, Standing(line=numbers[clause.tiles], reason=reason)


def _reconstructed(tiles: TileSet, basis: Basis) -> Iterator[tuple[_Pair, Standing]]:
    ours, statement = basis.statements[_RANKS]
    reason = Reason(provision=ours, role=ROLE, condition=statement.id)
    for line, rows in (statement.table or {}).items():
        for pair in chain.from_iterable(map(tiles.pairs, rows)):
            yield pair, Standing(line=int(line), reason=reason)


def _alike(
    lines: Sequence[tuple[Written, c.Tiles]], tiles: TileSet
) -> Iterator[tuple[_Pair, Standing]]:
    numbers = _numbers(lines)
    for one, clause in lines:
        if clause.alike is not None:
            reason = Reason(provision=one.held.id, role="alike", condition=clause.alike)
            for pair in _replaced(one, clause, lines, tiles):
                yield pair, Standing(line=numbers[clause.tiles], reason=reason)


def _replaced(
    one: Written, clause: c.Tiles, lines: Sequence[tuple[Written, c.Tiles]], tiles: TileSet
) -> Iterator[_Pair]:
    """Yield the pairs of a line with one tile replaced by another of as many pips."""
    alike = str(clause.alike)
    printed = [
        pair
        for _, other in lines
        if other.tiles == clause.tiles
        for pair in other.pairs
        if alike in pair
    ]
    if not printed:
        raise one.wrong("alike", f"the line prints no tile '{alike}'", "Name a tile of its pair.")
    for pair in printed:
        rest = list(pair)
        rest.remove(alike)
        for tile in tiles.alike(alike):
            yield from tiles.pairs([*rest, tile])
